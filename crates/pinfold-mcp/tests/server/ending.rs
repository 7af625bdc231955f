//! Cancelling, and the ways in which a conversation ends: nothing may be left running.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{self, Client, agent_workspace};

/// Starts the script that never ends. Returns the request's id.
async fn start_endless(client: &mut Client) -> (u64, Pid) {
    let call = json!({"name": "run_shell", "arguments": {"command": "./wait.sh"}});
    let id = client.start("tools/call", call).await;
    let file = client.place.folder.path().join("pid");
    let started = Instant::now();
    loop {
        let written = std::fs::read_to_string(&file).unwrap_or_default();
        if let (true, Ok(pid)) = (written.ends_with('\n'), written.trim().parse()) {
            return (id, Pid(pid));
        }
        assert!(started.elapsed() < Duration::from_secs(10), "the script does not run");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

struct Pid(u32);

impl Pid {
    fn alive(&self) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0)).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z ")
    }

    async fn gone(&self, limit: Duration) {
        let started = Instant::now();
        while self.alive() {
            assert!(started.elapsed() < limit, "process {} still runs", self.0);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_calls_go_on_while_a_command_runs_and_cancelling_kills_it() {
    let mut client = Client::ready(agent_workspace()).await;
    let (id, pid) = start_endless(&mut client).await;
    let read = client.call("read_file", json!({"path": "a.txt"})).await;
    assert_eq!(client::text(&read)["totalLines"], 2);
    assert!(pid.alive());
    client.cancel(id).await;
    pid.gone(Duration::from_secs(2)).await;
    // A cancelled request gets no answer: the next one that comes is that of the next question.
    let read = client.call("read_file", json!({"path": "a.txt"})).await;
    assert_eq!(client::text(&read)["totalLines"], 2);
    client.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_end_of_input_kills_what_runs() {
    let mut client = Client::ready(agent_workspace()).await;
    let (id, pid) = start_endless(&mut client).await;
    client.close_input();
    pid.gone(Duration::from_secs(2)).await;
    let answer = client.next().await;
    assert_eq!(answer["id"], id);
    assert_eq!(client::text(&answer)["cancelled"], true);
    client.finished(Duration::from_secs(2)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_calls_are_answered_after_the_end_of_input() {
    let mut client = Client::ready(agent_workspace()).await;
    for text in ["a", "b", "c"] {
        client
            .start(
                "tools/call",
                json!({"name": "run_shell", "arguments": {"command": format!("echo {text}")}}),
            )
            .await;
    }
    client.close_input();
    let mut said = Vec::new();
    for _ in 0..3 {
        said.push(client::text(&client.next().await)["stdout"].as_str().unwrap().to_owned());
    }
    said.sort();
    assert_eq!(said, ["a\n", "b\n", "c\n"]);
    client.finished(Duration::from_secs(2)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_output_ends_the_server_quietly() {
    let mut client = Client::ready(agent_workspace()).await;
    let (_, pid) = start_endless(&mut client).await;
    client.close_output();
    client.start("tools/list", json!({})).await;
    pid.gone(Duration::from_secs(2)).await;
    client.finished(Duration::from_secs(3)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopping_it_from_outside_kills_what_runs() {
    let mut client = Client::ready(agent_workspace()).await;
    let (_, pid) = start_endless(&mut client).await;
    client.stop.cancel();
    pid.gone(Duration::from_secs(2)).await;
    client.finished(Duration::from_secs(3)).await;
}

#[tokio::test]
async fn a_client_that_asks_nothing_is_no_error() {
    let mut client = Client::of(agent_workspace());
    client.close_input();
    client.finished(Duration::from_secs(1)).await;
}
