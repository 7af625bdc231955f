//! The `*** Begin Patch` form: files by name, hunks by the lines around them.

use super::{BadPatch, Deed, FilePatch, Hunk, Mark, NOTHING, numbers, plain};

const MARKS: &str =
    "Begin each line of a hunk with a blank, `-` or `+`, and each line of a new file with `+`.";

/// Reads from the line `at`, the one after `*** Begin Patch`.
pub(super) fn read(lines: &[&str], at: usize) -> Result<Vec<FilePatch>, BadPatch> {
    let mut reader = Reader { lines, at, files: Vec::new() };
    while let Some(line) = reader.next() {
        let line = plain(line);
        if line.trim_end() == "*** End Patch" {
            return reader.end();
        } else if let Some(path) = line.strip_prefix("*** Add File: ") {
            let content = reader.content()?;
            reader.push(path, Deed::Add { content });
        } else if let Some(path) = line.strip_prefix("*** Delete File: ") {
            reader.push(path, Deed::Delete { hunks: None });
        } else if let Some(path) = line.strip_prefix("*** Update File: ") {
            let deed = reader.update()?;
            reader.push(path, deed);
        } else if !line.trim().is_empty() {
            let hint = "Between files there is `*** Update File: path`, `*** Add File: path`, `*** Delete File: path`, and \
                        `*** End Patch` at the end.";
            return Err(reader.bad(format!("`{}` begins no file", crate::words::clipped(line)), hint));
        }
    }
    Err(reader.bad(
        "it has no `*** End Patch`, so it may be cut off",
        "Send all of it, with `*** End Patch` as its last line.",
    ))
}

struct Reader<'a> {
    lines: &'a [&'a str],
    /// The line that is read next.
    at: usize,
    files: Vec<FilePatch>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let line = self.lines.get(self.at)?;
        self.at += 1;
        Some(line)
    }

    /// The next line, if it is no marker.
    fn next_inside(&mut self) -> Option<&'a str> {
        let line = self.lines.get(self.at).filter(|line| !line.starts_with("*** "))?;
        self.at += 1;
        Some(line)
    }

    fn push(&mut self, path: &str, deed: Deed) {
        self.files.push(FilePatch { path: path.trim_end().as_bytes().to_vec(), deed });
    }

    fn bad(&self, why: impl Into<String>, hint: &'static str) -> BadPatch {
        BadPatch::at(self.at, why, hint)
    }

    /// Behind the end there may be what closes a fence or a here-document around it.
    fn end(mut self) -> Result<Vec<FilePatch>, BadPatch> {
        while let Some(line) = self.next() {
            if !matches!(line.trim(), "" | "```" | "EOF" | "PATCH") {
                let hint = "Put all files between one `*** Begin Patch` and one `*** End Patch`.";
                return Err(self.bad("something follows on `*** End Patch`", hint));
            }
        }
        Ok(self.files)
    }

    /// Between a file and the next marker there may be empty lines.
    fn content(&mut self) -> Result<Vec<u8>, BadPatch> {
        let mut content = Vec::new();
        let mut blank = None;
        while let Some(line) = self.next_inside() {
            match (Mark::of(line), blank) {
                (Some((Mark::Add, text)), None) => content.extend_from_slice(text.as_bytes()),
                _ if plain(line).is_empty() => blank = blank.or(Some(self.at)),
                _ => {
                    let at = blank.unwrap_or(self.at);
                    return Err(BadPatch::at(at, "a line of a new file does not begin with `+`", MARKS));
                }
            }
        }
        Ok(content)
    }

    fn update(&mut self) -> Result<Deed, BadPatch> {
        let to = self.lines.get(self.at).and_then(|line| plain(line).strip_prefix("*** Move to: "));
        self.at += usize::from(to.is_some());
        let mut hunks: Vec<Hunk> = Vec::new();
        while let Some(hunk) = self.hunk()? {
            hunks.push(hunk);
        }
        if hunks.is_empty() && to.is_none() {
            return Err(self.bad("an updated file has no hunk", NOTHING));
        }
        Ok(Deed::Update { hunks, to: to.map(|to| to.trim_end().as_bytes().to_vec()) })
    }

    fn hunk(&mut self) -> Result<Option<Hunk>, BadPatch> {
        let mut hunk = Hunk::default();
        let mut blanks = 0;
        let mut any = false;
        while let Some(line) = self.lines.get(self.at) {
            let own = plain(line);
            if own == "*** End of File" && any {
                self.at += 1;
                hunk.at_end = true;
                break;
            }
            if let Some(header) = own.strip_prefix("@@") {
                if !hunk.lines.is_empty() {
                    break;
                }
                match numbers(own) {
                    Some((start, ..)) => hunk.start = Some(start),
                    None if header.trim().is_empty() => {}
                    None => hunk.headers.push(header.trim().to_owned()),
                }
            } else if let Some((mark, text)) = Mark::of(line) {
                hunk.push(mark, text);
                blanks = 0;
            } else if own.is_empty() {
                hunk.push(Mark::Keep, line);
                blanks += 1;
            } else if own.starts_with("*** ") {
                break;
            } else {
                self.at += 1;
                return Err(self.bad("a line of a hunk begins with none of blank, `-`, `+`, `@@`", MARKS));
            }
            any = true;
            self.at += 1;
        }
        hunk.drop_blanks(blanks);
        match (any && !(hunk.lines.is_empty() && hunk.headers.is_empty()), hunk.changes()) {
            (false, _) => Ok(None),
            (true, true) => Ok(Some(hunk)),
            (true, false) => Err(self.bad("a hunk changes nothing", NOTHING)),
        }
    }
}
