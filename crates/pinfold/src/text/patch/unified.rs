//! The unified diff, as `diff -u` and git write it, and as models write it: counts may be wrong or absent.

use super::{BadPatch, Deed, FilePatch, Hunk, HunkLine, Mark, NOTHING, numbers, plain};

const MARKS: &str =
    "Begin each line of a hunk with a blank, `-` or `+`; a hunk begins with `@@ -line,count +line,count @@`.";
const MODES: &str = "A patch changes content only: leave the lines with the mode out, and set the mode by a command if you may run one.";
const BINARY: &str = "A patch here is text; copy the file by a command, or write it with another program.";

/// One file on its way.
#[derive(Default)]
struct Section {
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
    /// The line of git that begins it: both names, if they can be told apart.
    git: Option<Option<(Vec<u8>, Vec<u8>)>>,
    from: Option<Vec<u8>>,
    to: Option<Vec<u8>>,
    adds: bool,
    deletes: bool,
    hunks: Vec<Hunk>,
    line: usize,
}

pub(super) fn read(lines: &[&str]) -> Result<Vec<FilePatch>, BadPatch> {
    let mut reader = Reader { lines, at: 0, files: Vec::new(), section: None };
    while reader.at < lines.len() {
        reader.line()?;
    }
    reader.finish()?;
    Ok(reader.files)
}

struct Reader<'a> {
    lines: &'a [&'a str],
    at: usize,
    files: Vec<FilePatch>,
    section: Option<Section>,
}

impl Reader<'_> {
    fn line(&mut self) -> Result<(), BadPatch> {
        let line = plain(self.lines[self.at]);
        if let Some(names) = line.strip_prefix("diff --git ") {
            self.finish()?;
            self.section =
                Some(Section { git: Some(git_names(names)), line: self.at + 1, ..Section::default() });
        } else if line.starts_with("diff ") {
            self.finish()?;
        } else if self.is_head(self.at) {
            return self.names();
        } else if line.starts_with("@@") && (self.section.is_some() || numbers(line).is_some()) {
            return self.hunk();
        } else if let Some(section) = &mut self.section {
            let began = !section.hunks.is_empty() || section.old.is_some();
            if began || section.git.is_none() {
                return self.between(line);
            }
            section.extended(line).map_err(|(why, hint)| BadPatch::at(self.at + 1, why, hint))?;
        }
        self.at += 1;
        Ok(())
    }

    /// `--- old` and `+++ new`.
    fn is_head(&self, at: usize) -> bool {
        let next = self.lines.get(at + 1);
        self.lines[at].starts_with("--- ") && next.is_some_and(|next| next.starts_with("+++ "))
    }

    /// The end of a mail: two dashes and the version of git. Two dashes before anything else are a dash that goes.
    fn is_signature(&self) -> bool {
        let after = |by: usize| self.lines.get(self.at + by).map_or("", |line| plain(line));
        after(0).trim_end() == "--"
            && after(1).starts_with(|first: char| first.is_ascii_digit())
            && after(2).trim().is_empty()
    }

    fn names(&mut self) -> Result<(), BadPatch> {
        let open = self.section.as_ref().is_some_and(|it| it.git.is_some() && it.old.is_none());
        if !open {
            self.finish()?;
        }
        let (old, new) = (name(plain(self.lines[self.at])), name(plain(self.lines[self.at + 1])));
        let line = self.at + 1;
        let section = self.section.get_or_insert_with(|| Section { line, ..Section::default() });
        (section.old, section.new) = (Some(old), Some(new));
        self.at += 2;
        Ok(())
    }

    /// What stands between hunks and files and is none of them: nothing that could be a line of a hunk.
    fn between(&mut self, line: &str) -> Result<(), BadPatch> {
        let known = ["Index: ", "=====", "Only in ", "```"].iter().any(|known| line.starts_with(known));
        if self.is_signature() {
            self.finish()?;
            self.at += 1;
        } else if !known && !line.trim().is_empty() {
            let why = format!("`{}` belongs to no hunk", crate::words::clipped(line));
            return Err(BadPatch::at(self.at + 1, why, MARKS));
        }
        self.at += 1;
        Ok(())
    }

    fn hunk(&mut self) -> Result<(), BadPatch> {
        let header = plain(self.lines[self.at]);
        let counts = numbers(header);
        self.at += 1;
        let mut hunk = Hunk { start: counts.map(|(start, ..)| start), ..Hunk::default() };
        let (mut old, mut new) = counts.map_or((usize::MAX, usize::MAX), |(_, old, new)| (old, new));
        let mut blanks = 0;
        while let Some(line) = self.lines.get(self.at) {
            let full = old == 0 && new == 0;
            let own = plain(line);
            if line.starts_with('\\') {
                hunk.lines.last_mut().map(|last| last.text.pop_if(|byte| *byte == b'\n'));
            } else if let Some((mark, text)) = Mark::of(line) {
                if (full || counts.is_none()) && (self.is_head(self.at) || self.is_signature()) {
                    break;
                }
                hunk.push(mark, text);
                old = old.saturating_sub(usize::from(mark != Mark::Add));
                new = new.saturating_sub(usize::from(mark != Mark::Drop));
                blanks = 0;
                self.at += 1;
                continue;
            } else if own.is_empty() && !full {
                hunk.push(Mark::Keep, line);
                (old, new) = (old.saturating_sub(1), new.saturating_sub(1));
                blanks += 1;
            } else {
                break;
            }
            self.at += 1;
        }
        if old > 0 || new > 0 {
            hunk.drop_blanks(blanks);
        }
        if !hunk.changes() {
            return Err(BadPatch::at(self.at, "a hunk changes nothing", NOTHING));
        }
        if hunk.goes_on_behind_its_end() {
            let why = "lines follow on `\\ No newline at end of file`";
            return Err(BadPatch::at(self.at, why, "Put it behind the last line of the file only."));
        }
        match &mut self.section {
            Some(section) => section.hunks.push(hunk),
            None => {
                let hint = "Before the first hunk of a file write `--- a/path` and `+++ b/path`.";
                return Err(BadPatch::at(self.at, "a hunk belongs to no file", hint));
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), BadPatch> {
        if let Some(section) = self.section.take() {
            let line = section.line;
            let file = section.file().map_err(|(why, hint)| BadPatch::at(line, why, hint))?;
            self.files.push(file);
        }
        Ok(())
    }
}

type Why = (String, &'static str);

impl Section {
    /// The lines of git between its first and the names.
    fn extended(&mut self, line: &str) -> Result<(), Why> {
        let no = |why: &str, hint| Err((why.to_owned(), hint));
        let path = |text: &str| unquoted(text);
        if let Some(mode) = line.strip_prefix("new file mode ") {
            self.adds = true;
            if mode.trim() != "100644" {
                return no("it makes a file with a mode that is not 100644", MODES);
            }
        } else if line.starts_with("deleted file mode ") {
            self.deletes = true;
        } else if line.starts_with("old mode ") || line.starts_with("new mode ") {
            return no("it changes the mode of a file", MODES);
        } else if let Some(from) = line.strip_prefix("rename from ") {
            self.from = Some(path(from));
        } else if let Some(to) = line.strip_prefix("rename to ") {
            self.to = Some(path(to));
        } else if line.starts_with("copy from ") || line.starts_with("copy to ") {
            return no("it copies a file", "Give the new file as one that is added, with all its lines.");
        } else if line.starts_with("Binary files ") || line.starts_with("GIT binary patch") {
            return no("it changes a binary file", BINARY);
        } else if !["index ", "similarity ", "dissimilarity "].iter().any(|own| line.starts_with(own))
            && !line.trim().is_empty()
        {
            return Err((format!("`{}` is not known", crate::words::clipped(line)), MARKS));
        }
        Ok(())
    }

    fn file(self) -> Result<FilePatch, Why> {
        let null = |name: &Option<Vec<u8>>| name.as_deref() == Some(b"/dev/null");
        let (adds, deletes) = (self.adds || null(&self.old), self.deletes || null(&self.new));
        if let (Some(path), Some(to)) = (self.from.clone(), self.to.clone()) {
            return Ok(FilePatch { path, deed: Deed::Update { hunks: self.hunks, to: Some(to) } });
        }
        let path = self.path(deletes)?;
        if path.is_empty() {
            let hint = "Write `--- a/path` and `+++ b/path` before its first hunk.";
            return Err(("it does not say which file it changes".to_owned(), hint));
        }
        let deed = if adds {
            Deed::Add { content: added(self.hunks)? }
        } else if deletes {
            Deed::Delete { hunks: Some(self.hunks) }
        } else if self.hunks.is_empty() {
            return Err(("a file in it has no hunk".to_owned(), NOTHING));
        } else {
            Deed::Update { hunks: self.hunks, to: None }
        };
        Ok(FilePatch { path, deed })
    }
}

impl Section {
    /// The file, without the prefixes of git if both names have them.
    fn path(&self, deletes: bool) -> Result<Vec<u8>, Why> {
        let known = |name: &Option<Vec<u8>>| name.clone().filter(|name| name != b"/dev/null");
        let header = self.git.clone().flatten();
        match (known(&self.old), known(&self.new)) {
            (Some(old), Some(new)) => match unprefixed(&old, &new) {
                Some(path) => Ok(path),
                // `diff` alone may be given any two files.
                None if self.git.is_none() => Ok(new),
                None => Err((
                    "its two names differ".to_owned(),
                    "A file that moves has `rename from` and `rename to`.",
                )),
            },
            (None, None) if self.old.is_some() => Ok(Vec::new()),
            (None, None) => Ok(header.and_then(|(old, new)| unprefixed(&old, &new)).unwrap_or_default()),
            (old, new) => {
                let name = old.or(new).unwrap_or_default();
                let said = header.and_then(|(old, new)| unprefixed(&old, &new));
                let own = name.strip_prefix(if deletes { b"a/" } else { b"b/" });
                Ok(said.filter(|said| name.ends_with(said)).unwrap_or_else(|| own.unwrap_or(&name).to_vec()))
            }
        }
    }
}

/// What git puts before the names of the old and the new file.
const PREFIXES: &[[&[u8]; 2]] = &[
    [b"a/", b"b/"],
    [b"i/", b"w/"],
    [b"c/", b"i/"],
    [b"c/", b"w/"],
    [b"o/", b"w/"],
    [b"b/", b"a/"],
    [b"w/", b"i/"],
];

/// The one file that two names mean: the same name, or the same behind the prefixes of git.
fn unprefixed(old: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    if old == new {
        return Some(old.to_vec());
    }
    PREFIXES.iter().find_map(|[a, b]| {
        let (old, new) = (old.strip_prefix(*a)?, new.strip_prefix(*b)?);
        (old == new).then(|| old.to_vec())
    })
}

fn added(hunks: Vec<Hunk>) -> Result<Vec<u8>, Why> {
    let lines: Vec<HunkLine> = hunks.into_iter().flat_map(|hunk| hunk.lines).collect();
    if lines.iter().any(|line| line.mark != Mark::Add) {
        return Err((
            "a new file has lines that are not new".to_owned(),
            "Begin each of its lines with `+`.",
        ));
    }
    Ok(lines.into_iter().flat_map(|line| line.text).collect())
}

/// The name on a line `--- name` or `+++ name`; a date may follow after a tab.
fn name(line: &str) -> Vec<u8> {
    let text = line.get(4..).unwrap_or_default();
    if text.starts_with('"') {
        unquoted(text)
    } else {
        text.split('\t').next().unwrap_or_default().trim_end().as_bytes().to_vec()
    }
}

/// The names in `a/name b/name`, if both are the same behind what git puts before them.
fn git_names(names: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    if names.starts_with('"') {
        let (old, new) = names.split_once("\" \"")?;
        return Some((unquoted(&format!("{old}\"")), unquoted(&format!("\"{new}"))));
    }
    let half = names.len() / 2;
    let (old, new) = (names.get(..half)?, names.get(half + 1..)?);
    unprefixed(old.as_bytes(), new.as_bytes())?;
    Some((old.into(), new.into()))
}

/// A name that git has quoted like a string of C.
fn unquoted(text: &str) -> Vec<u8> {
    let Some(inside) = text.trim_end().strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return text.as_bytes().to_vec();
    };
    let mut out = Vec::with_capacity(inside.len());
    let mut bytes = inside.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match bytes.next() {
            Some(digit @ b'0'..=b'3') => {
                let mut value = digit - b'0';
                for _ in 0..2 {
                    if let Some(next) = bytes.next_if(|next| (b'0'..=b'7').contains(next)) {
                        value = value << 3 | (next - b'0');
                    }
                }
                out.push(value);
            }
            Some(b'n') => out.push(b'\n'),
            Some(b't') => out.push(b'\t'),
            Some(b'r') => out.push(b'\r'),
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}
