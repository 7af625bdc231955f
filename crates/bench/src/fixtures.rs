//! The files that are read and changed: the same on every machine, made once.

use std::{
    fs::{self, File},
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use crate::Result;

/// Lines of the source file.
const SOURCE_LINES: u64 = 10_000;
/// Bytes of the log, at least, and of the file that is one line.
const LOG_BYTES: u64 = 1_000_000_000;
const ONE_LINE_BYTES: usize = 5_000_000;
/// Places of the source file that `multi` changes.
pub(crate) const MARKS: u64 = 20;

const WORDS: [&str; 16] = [
    "account", "buffer", "client", "cursor", "device", "filter", "handler", "layer", "message", "node",
    "parser", "queue", "record", "session", "token", "window",
];

/// A folder with the files; every peer gets one of its own in it for what it changes.
pub(crate) struct Fixtures {
    /// Absolute: the root of every server.
    pub(crate) root: PathBuf,
    /// Lines of `log.txt`.
    pub(crate) log_lines: u64,
}

impl Fixtures {
    /// Finds them in `root`, or makes them.
    pub(crate) fn at(root: &Path) -> Result<Fixtures> {
        fs::create_dir_all(root)?;
        let root = fs::canonicalize(root)?;
        let done = root.join("log.lines");
        if !done.exists() {
            fs::write(root.join("one.txt"), "hello from a small file\n".repeat(30))?;
            fs::write(root.join("source.ts"), source())?;
            fs::write(root.join("line.js"), one_line())?;
            fs::write(&done, log(&root.join("log.txt"))?.to_string())?;
        }
        let log_lines = fs::read_to_string(done)?.trim().parse()?;
        Ok(Fixtures { root, log_lines })
    }

    /// A fresh copy of what a peer changes, in its own folder.
    pub(crate) fn renew(&self, peer: &str) -> Result<()> {
        let own = self.root.join(peer);
        fs::create_dir_all(&own)?;
        fs::copy(self.root.join("source.ts"), own.join("source.ts"))?;
        fs::remove_file(own.join("new.txt")).or_else(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })?;
        Ok(())
    }
}

/// Letters that look like chance and are none: the same for the same `at`.
fn word(at: u64) -> &'static str {
    let mixed = (at ^ (at >> 3)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
    WORDS[usize::try_from(mixed).unwrap_or(0)]
}

fn source() -> String {
    let mut text = String::new();
    for at in 0..SOURCE_LINES {
        let (a, b, c) = (word(at), word(at + 7), word(at + 13));
        text += &match at {
            7_777 => "const UNIQUE_MARK_A = 1;\n".to_owned(),
            5_000 => "// the window begins here: WINDOW_MARK\n".to_owned(),
            _ if at % 400 == 100 && at / 400 < MARKS => format!("const MARK_{:02}_A = {at};\n", at / 400),
            _ if at % 9 == 4 => "\n".to_owned(),
            _ if at % 5 == 0 => format!("  // the {a} must not outlive the {b} that owns its {c}\n"),
            _ if at % 3 == 0 => format!("  if ({a}.{b} !== undefined) return {c}({a}.{b}, {at});\n"),
            _ => format!("  const {a}{at} = await this.{b}.get(\"{c}\");\n"),
        };
    }
    text
}

fn one_line() -> String {
    let mut text = String::new();
    for at in 0.. {
        if text.len() >= ONE_LINE_BYTES {
            break;
        }
        text += &format!("var {}{at}=function({}){{return {at}}};", word(at), word(at + 3));
    }
    text
}

/// Returns how many lines it has.
fn log(path: &Path) -> Result<u64> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let (mut bytes, mut lines) = (0, 0);
    while bytes < LOG_BYTES {
        let (a, b) = (word(lines), word(lines + 5));
        let line = format!("{lines:09} INFO [{a}] the {b} answered in {} ms id={lines:016x}\n", lines % 997);
        file.write_all(line.as_bytes())?;
        bytes += line.len() as u64;
        lines += 1;
    }
    file.flush()?;
    Ok(lines)
}
