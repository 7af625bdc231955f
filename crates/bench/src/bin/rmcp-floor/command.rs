//! Running one program, without a shell.

use std::process::Stdio;

use serde::Deserialize;
use serde_json::json;
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    process::Command,
};

use crate::Outcome;

/// As in the policy that `pinfold mcp` opens without a policy file.
const MAX_OUTPUT: usize = 30_000;

#[derive(Deserialize)]
pub(super) struct RunShell {
    command: String,
}

/// Words are divided by blanks. The beginning of the output is kept, the rest counted.
pub(super) async fn run(asked: &RunShell) -> Outcome {
    let mut words = asked.command.split(' ');
    let mut child = Command::new(words.next().unwrap_or_default())
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (out, err) = (child.stdout.take().ok_or("no stdout")?, child.stderr.take().ok_or("no stderr")?);
    let (out, err) = tokio::join!(drain(out), drain(err));
    let status = child.wait().await?;
    let ((out, out_bytes), (err, err_bytes)) = (out?, err?);
    Ok(json!({
        "exitCode": status.code(), "stdout": String::from_utf8_lossy(&out), "stderr": String::from_utf8_lossy(&err),
        "stdoutBytes": out_bytes, "stderrBytes": err_bytes,
    }))
}

async fn drain(mut stream: impl AsyncRead + Unpin) -> std::io::Result<(Vec<u8>, usize)> {
    let (mut kept, mut bytes, mut chunk) = (Vec::new(), 0, vec![0; 64 * 1024]);
    loop {
        let got = stream.read(&mut chunk).await?;
        if got == 0 {
            return Ok((kept, bytes));
        }
        bytes += got;
        kept.extend_from_slice(&chunk[..got.min(MAX_OUTPUT - kept.len())]);
    }
}
