//! Reading, writing and editing files, the shortest way that is still safe against a crash.

use std::{
    fmt::Write as _,
    fs::{self, File},
    io::{Read, Write},
    path::{Path, PathBuf},
};

use memchr::{memchr, memchr_iter, memmem};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::Outcome;

/// As in the policy that `pinfold mcp` opens without a policy file.
const MAX_BYTES: usize = 50 * 1024;
const CHUNK: usize = 128 * 1024;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReadFile {
    path: PathBuf,
    start_line: Option<u64>,
    limit: Option<u64>,
}

#[derive(Deserialize)]
pub(super) struct WriteFile {
    path: PathBuf,
    content: String,
}

#[derive(Deserialize)]
pub(super) struct EditFile {
    path: PathBuf,
    #[serde(flatten)]
    edit: Edit,
}

#[derive(Deserialize)]
pub(super) struct MultiEdit {
    path: PathBuf,
    edits: Vec<Edit>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Edit {
    old_string: String,
    new_string: String,
}

/// A window of lines, and the lines, bytes and hash of the whole file, in one pass.
pub(super) fn read(asked: &ReadFile) -> Outcome {
    let first = asked.start_line.unwrap_or(1).max(1);
    let last = first + asked.limit.unwrap_or(2000);
    let mut file = File::open(&asked.path)?;
    let (mut chunk, mut window, mut hasher) = (vec![0; CHUNK], Vec::new(), Sha256::new());
    let (mut line, mut total_bytes) = (1, 0);
    loop {
        let got = file.read(&mut chunk)?;
        if got == 0 {
            break;
        }
        hasher.update(&chunk[..got]);
        total_bytes += got;
        let mut rest = &chunk[..got];
        while line < last && !rest.is_empty() {
            let end = memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            if line >= first && window.len() <= MAX_BYTES {
                window.extend_from_slice(&rest[..end.min(MAX_BYTES)]);
            }
            line += u64::from(rest[end - 1] == b'\n');
            rest = &rest[end..];
        }
        line += memchr_iter(b'\n', rest).count() as u64;
    }
    let hash = hex(&hasher.finalize());
    let (content, lines) = numbered(&window, first);
    Ok(json!({
        "path": asked.path, "content": content, "startLine": first, "endLine": first + lines - 1,
        "totalLines": line - 1, "totalBytes": total_bytes, "truncated": first + lines < line, "hash": hash,
    }))
}

fn numbered(window: &[u8], first: u64) -> (String, u64) {
    let mut content = String::with_capacity(window.len() + window.len() / 4);
    let mut lines = 0;
    for line in window.split_inclusive(|&byte| byte == b'\n') {
        // Writing to a String cannot fail.
        write!(content, "{:>6}\t{}", first + lines, String::from_utf8_lossy(line)).ok();
        lines += 1;
    }
    content.truncate(content.floor_char_boundary(MAX_BYTES));
    (content, lines)
}

pub(super) fn write(asked: &WriteFile) -> Outcome {
    let created = !asked.path.exists();
    let hash = put(&asked.path, asked.content.as_bytes())?;
    Ok(json!({"path": asked.path, "bytes": asked.content.len(), "created": created, "hash": hash}))
}

pub(super) fn edit(asked: &EditFile) -> Outcome {
    edited(&asked.path, std::slice::from_ref(&asked.edit))
}

pub(super) fn multi_edit(asked: &MultiEdit) -> Outcome {
    edited(&asked.path, &asked.edits)
}

fn edited(path: &Path, edits: &[Edit]) -> Outcome {
    let mut text = fs::read(path)?;
    for Edit { old_string, new_string } in edits {
        let mut found = memmem::find_iter(&text, old_string);
        let at = found.next().ok_or("oldString was not found")?;
        if found.next().is_some() {
            return Err("oldString is not unique".into());
        }
        text.splice(at..at + old_string.len(), new_string.bytes());
    }
    Ok(json!({"path": path, "replacements": edits.len(), "hash": put(path, &text)?}))
}

/// The new file takes the old one's place in one step, and both it and its name are on disk. Returns its hash.
fn put(path: &Path, bytes: &[u8]) -> std::io::Result<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temporary = path.with_extension("floor-tmp");
    let mut file = File::create(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    File::open(folder)?.sync_all()?;
    Ok(hex(&Sha256::digest(bytes)))
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
