//! Conversations with a server over a pair of streams, written and read as lines.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{self, Client, Place, agent_workspace, modern};

#[tokio::test]
async fn both_revisions_with_a_handshake_are_agreed_on() {
    for revision in ["2025-06-18", "2025-11-25"] {
        let mut client = Client::of(agent_workspace());
        let about = client.initialize(revision).await;
        assert_eq!(about["protocolVersion"], revision);
        assert_eq!(about["serverInfo"]["name"], "pinfold");
        assert_eq!(about["capabilities"], json!({"tools": {}}));
        assert!(about["instructions"].as_str().unwrap().contains("folder"));
        client.end().await;
    }
}

#[tokio::test]
async fn an_unknown_revision_is_answered_with_one_that_we_speak() {
    let mut client = Client::of(agent_workspace());
    assert_eq!(client.initialize("1999-01-01").await["protocolVersion"], "2025-11-25");
    client.end().await;
}

#[tokio::test]
async fn the_stateless_revision_needs_no_handshake() {
    let mut client = Client::of(agent_workspace());
    let discovered = client.ask("server/discover", modern(json!({}))).await;
    let about = &discovered["result"];
    assert_eq!(about["supportedVersions"], json!(["2025-06-18", "2025-11-25", "2026-07-28"]));
    assert_eq!(about["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "pinfold");
    assert!(about["instructions"].is_string());
    let listed = client.ask("tools/list", modern(json!({}))).await;
    assert_eq!(listed["result"]["resultType"], "complete");
    assert!(listed["result"]["ttlMs"].is_number());
    let read =
        client.ask("tools/call", modern(json!({"name": "read_file", "arguments": {"path": "a.txt"}}))).await;
    assert_eq!(read["result"]["resultType"], "complete");
    assert_eq!(client::text(&read)["totalLines"], 2);
    let bare = client.ask("tools/list", json!({})).await;
    assert_eq!(bare["error"]["code"], -32602);
    client.end().await;
}

#[tokio::test]
async fn a_revision_of_the_future_is_refused_by_name() {
    let mut client = Client::of(agent_workspace());
    let mut params = modern(json!({}));
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2031-01-01");
    let answer = client.ask("tools/list", params).await;
    assert_eq!(answer["error"]["code"], -32022);
    assert!(answer["error"]["data"]["supported"].as_array().unwrap().contains(&json!("2026-07-28")));
    client.end().await;
}

#[tokio::test]
async fn tools_are_listed_with_schema_and_hints() {
    let mut client = Client::ready(agent_workspace()).await;
    let listed = client.ask("tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"read_file") && names.contains(&"run_shell"), "{names:?}");
    assert!(!names.contains(&"exists") && !names.contains(&"remove"), "{names:?}");
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert!(
            tool["annotations"]["title"].is_string() && tool["description"].as_str().unwrap().len() <= 1_024
        );
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(tool["annotations"][hint].is_boolean(), "{hint} of {}", tool["name"]);
        }
        assert!(tool.get("outputSchema").is_none());
    }
    client.end().await;
}

#[tokio::test]
async fn a_result_is_one_block_of_compact_json() {
    let mut client = Client::ready(agent_workspace()).await;
    let answer = client.call("read_file", json!({"path": "a.txt"})).await;
    let content = answer["result"]["content"].as_array().unwrap();
    assert_eq!((content.len(), &content[0]["type"]), (1, &json!("text")));
    assert_eq!(answer["result"]["isError"], false);
    assert!(answer["result"].get("resultType").is_none(), "older revisions do not know it");
    let text = content[0]["text"].as_str().unwrap();
    assert!(text.starts_with('{') && !text.contains('\n'));
    assert!(client::text(&answer)["content"].as_str().unwrap().starts_with("     1\tone\n     2\ttwo"));
    client.end().await;
}

#[tokio::test]
async fn where_objects_are_asked_for_the_whole_text_is_in_them() {
    let mut client = Client::ready(Place { structured: true, ..agent_workspace() }).await;
    let answer = client.call("read_file", json!({"path": "a.txt"})).await;
    let object = &answer["result"]["structuredContent"];
    assert_eq!(object["text"], answer["result"]["content"][0]["text"]);
    assert_eq!((&object["path"], &object["totalLines"]), (&json!("a.txt"), &json!(2)));
    assert!(object["hash"].is_string() && object.get("content").is_none(), "{object}");
    let refused = client.call("read_file", json!({"path": "missing"})).await;
    assert_eq!(refused["result"]["isError"], true);
    assert!(refused["result"].get("structuredContent").is_none());
    client.end().await;
}

#[tokio::test]
async fn an_image_comes_as_one() {
    let place = agent_workspace();
    std::fs::write(place.folder.path().join("i.png"), b"\x89PNG\r\n\x1a\n\0").unwrap();
    let mut client = Client::ready(place).await;
    let answer = client.call("read_file", json!({"path": "i.png"})).await;
    let content = &answer["result"]["content"];
    assert_eq!(content[0], json!({"type": "image", "data": "iVBORw0KGgoA", "mimeType": "image/png"}));
    assert_eq!(content[1]["type"], "text");
    let text = content[1]["text"].as_str().unwrap();
    assert!(text.contains("\"totalBytes\":9") && !text.contains("iVBOR"), "{text}");
    client.end().await;
}

#[tokio::test]
async fn a_request_that_uses_the_id_of_an_unanswered_one_is_not_served() {
    let mut client = Client::ready(agent_workspace()).await;
    let call = |id: u64, tool: &str, arguments: Value| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
    client.send(&call(90, "run_shell", json!({"command": "./wait.sh"}))).await;
    client.send(&call(90, "read_file", json!({"path": "a.txt"}))).await;
    let answer = client.next().await;
    assert!(
        answer["id"].is_null() && answer["error"]["message"].as_str().unwrap().contains("90"),
        "{answer}"
    );
    client.cancel(90).await;
    let again = client.call("read_file", json!({"path": "a.txt"})).await;
    assert_eq!(client::text(&again)["totalLines"], 2);
    client.end().await;
}

#[tokio::test]
async fn many_calls_at_once_are_all_answered() {
    let mut client = Client::ready(agent_workspace()).await;
    let ids: Vec<u64> = (100..1_700).collect();
    for id in &ids {
        let params = json!({"name": "read_file", "arguments": {"path": "a.txt"}});
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})).await;
    }
    let mut answered = Vec::new();
    for _ in &ids {
        answered.push(client.next().await["id"].as_u64().unwrap());
    }
    answered.sort_unstable();
    assert_eq!(answered, ids);
    client.end().await;
}

#[tokio::test]
async fn arguments_that_can_be_read_in_two_ways_are_refused() {
    let mut client = Client::ready(agent_workspace()).await;
    client.send_raw(r#"{"jsonrpc":"2.0","id":80,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"a.txt","path":".env"}}}"#).await;
    let answer = client.next().await;
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(80), &json!(true)));
    let error = &client::text(&answer)["error"];
    assert_eq!(error["type"], "bad-arguments");
    assert!(error["message"].as_str().unwrap().contains("`path` stands twice"), "{error}");
    client.end().await;
}

#[tokio::test]
async fn what_goes_wrong_in_a_call_is_shown_to_the_model() {
    let mut client = Client::ready(agent_workspace()).await;
    let cases = [
        ("read_file", json!({"path": "../outside"}), "path-escape"),
        ("read_file", json!({"path": ".env"}), "path-escape"),
        ("read_file", json!({"path": "missing"}), "not-found"),
        ("read_file", json!({"path": "a.txt", "zzz": 1}), "bad-arguments"),
        ("run_shell", json!({"command": "rm -rf x"}), "denied-command"),
        ("run_shell", json!({"command": "echo a && echo b"}), "denied-command"),
    ];
    for (tool, arguments, failure_type) in cases {
        let answer = client.call(tool, arguments).await;
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert_eq!(client::text(&answer)["error"]["type"], failure_type, "{answer}");
    }
    client.end().await;
}

#[tokio::test]
async fn a_request_that_is_no_call_of_an_offered_tool_is_a_protocol_error() {
    let mut client = Client::ready(agent_workspace()).await;
    for name in ["nope", "exists", "mkdir", "remove"] {
        let answer = client.call(name, json!({"path": "a.txt"})).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("read_file"));
    }
    let answer = client.ask("tools/call", json!({"name": "read_file", "arguments": "a.txt"})).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let answer = client.ask("nothing/such", json!({})).await;
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    client.end().await;
}

#[tokio::test]
async fn a_line_that_cannot_be_read_is_answered_and_the_next_one_is_served() {
    let mut client = Client::ready(agent_workspace()).await;
    client.send_raw(r#"{"jsonrpc":"2.0","id":70,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"\ud800"}}}"#).await;
    let answer = client.next().await;
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(70), &json!(true)));
    assert_eq!(client::text(&answer)["error"]["type"], "bad-arguments");
    let lines = [
        ("this is no json", Value::Null, -32700),
        (
            r#"{"jsonrpc":"2.0","id":71,"method":"tools/list","params":{"cursor":"\udfff"}}"#,
            json!(71),
            -32700,
        ),
        (r#"[{"jsonrpc":"2.0","id":72,"method":"ping"}]"#, Value::Null, -32600),
        (r#"{"id":{"a":1},"method":"ping","jsonrpc":"2.0"}"#, Value::Null, -32600),
        ("{}", Value::Null, -32600),
    ];
    for (line, id, code) in lines {
        client.send_raw(line).await;
        let answer = client.next().await;
        assert_eq!(
            (answer.get("id").unwrap_or(&Value::Null), &answer["error"]["code"]),
            (&id, &json!(code)),
            "{answer}"
        );
    }
    for silent in [
        "",
        "  \r",
        r#"{"jsonrpc":"2.0","method":"window/opened"}"#,
        r#"{"jsonrpc":"2.0","id":9,"result":{}}"#,
    ] {
        client.send_raw(silent).await;
    }
    assert_eq!(client::text(&client.call("read_file", json!({"path": "a.txt"})).await)["totalLines"], 2);
    client.end().await;
}

#[tokio::test]
async fn what_comes_before_the_first_request_does_not_end_the_conversation() {
    let early = [
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
        json!({"jsonrpc": "2.0", "id": 5, "result": {}}),
    ];
    for revision in ["2025-11-25", "2026-07-28"] {
        let mut client = Client::of(agent_workspace());
        for message in &early {
            client.send(message).await;
        }
        client.ask("server/discover", modern(json!({}))).await;
        client.send(&early[1]).await;
        if revision == "2025-11-25" {
            assert_eq!(client.initialize(revision).await["protocolVersion"], revision);
        }
        let listed = client.ask("tools/list", modern(json!({}))).await;
        assert!(listed["result"]["tools"].is_array(), "{listed}");
        client.end().await;
    }
}

#[tokio::test]
async fn the_last_line_needs_no_end() {
    let mut client = Client::ready(agent_workspace()).await;
    client.send_bytes(br#"{"jsonrpc":"2.0","id":80,"method":"tools/list"}"#).await;
    client.close_input();
    assert_eq!(client.next().await["id"], 80);
    client.finished(Duration::from_secs(2)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_asks_for_progress_gets_the_time_and_the_last_line() {
    let place = agent_workspace();
    let script = "#!/bin/sh\necho one; echo two\nuntil test -e go; do sleep 0.02; done\n";
    std::fs::write(place.folder.path().join("wait.sh"), script).unwrap();
    let go = place.folder.path().join("go");
    let mut client = Client::ready(place).await;
    let params = json!({
        "name": "run_shell", "arguments": {"command": "./wait.sh"}, "_meta": {"progressToken": "mine"},
    });
    let id = client.start("tools/call", params).await;
    let mut last = 0.0;
    loop {
        let told = client.next().await;
        assert_eq!(
            (&told["method"], &told["params"]["progressToken"]),
            (&json!("notifications/progress"), &json!("mine"))
        );
        let progress = told["params"]["progress"].as_f64().unwrap();
        assert!(progress > last, "{told}");
        last = progress;
        if told["params"]["message"].as_str().unwrap().ends_with(" s: two") {
            break;
        }
    }
    std::fs::write(go, "").unwrap();
    loop {
        let answer = client.next().await;
        if answer["id"] == id {
            assert_eq!(client::text(&answer)["stdout"], "one\ntwo\n");
            break;
        }
    }
    client.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_does_not_ask_is_told_nothing() {
    let place = agent_workspace();
    std::fs::write(place.folder.path().join("wait.sh"), "#!/bin/sh\nsleep 0.4; echo done\n").unwrap();
    let mut client = Client::ready(place).await;
    let answer = client.call("run_shell", json!({"command": "./wait.sh"})).await;
    assert_eq!(client::text(&answer)["stdout"], "done\n");
    client.end().await;
}
