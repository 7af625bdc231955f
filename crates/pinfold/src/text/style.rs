//! How a file is written, beside what it says: its byte order mark and its line endings. Overwriting keeps both.

use std::io::{self, Read};

use super::{
    encoding::Encoding,
    ending::{only_crlf, with_crlf},
};

/// Bytes that are looked at in one go.
const CHUNK: usize = 64 * 1024;
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// What to keep of a file that is overwritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Style {
    encoding: Encoding,
    /// It begins with the byte order mark of UTF-8.
    marked: bool,
    /// All of its lines end in CRLF.
    crlf: bool,
}

impl Style {
    /// The style of the file that `file` reads. Stops as soon as it is known, which for a file with LF is in its first
    /// chunk; reads at most `max_bytes`, behind which a longer file is taken to go on as before.
    pub(crate) fn read(file: impl Read, max_bytes: u64) -> io::Result<Style> {
        let mut file = file.take(max_bytes);
        let mut content = Vec::new();
        file.by_ref().take(CHUNK as u64).read_to_end(&mut content)?;
        let encoding = Encoding::of(&content);
        if encoding != Encoding::Bytes {
            file.read_to_end(&mut content)?;
            return Ok(Style::utf16(encoding, &content));
        }
        let marked = content.starts_with(UTF8_MARK);
        let mut crlf = only_crlf(&content);
        while crlf && content.len() >= CHUNK {
            // A chunk may begin between a return and its newline.
            let open = content.pop().filter(|&last| last == b'\r');
            content.clear();
            content.extend(open);
            file.by_ref().take(CHUNK as u64).read_to_end(&mut content)?;
            crlf = only_crlf(&content) || !content.contains(&b'\n');
        }
        Ok(Style { encoding, marked, crlf })
    }

    fn utf16(encoding: Encoding, content: &[u8]) -> Style {
        match encoding.decode(content) {
            Ok(text) => Style { encoding, marked: false, crlf: only_crlf(&text) },
            // No UTF-16 after all: nothing is known that could be kept.
            Err(_) => Style { encoding: Encoding::Bytes, marked: false, crlf: false },
        }
    }

    /// The same, but for line endings: they are taken as they come.
    pub(crate) fn mark_alone(self) -> Style {
        Style { crlf: false, ..self }
    }

    /// `content` in this style. Line endings are only changed if all of them are LF.
    pub(crate) fn dress(self, content: String) -> Vec<u8> {
        let lf = self.crlf && !content.contains('\r');
        let mut text = if lf { with_crlf(content.as_bytes()) } else { content.into_bytes() };
        if self.encoding != Encoding::Bytes {
            let marked = text.strip_prefix(UTF8_MARK).map(<[u8]>::to_vec);
            return self.encoding.encode(marked.unwrap_or(text));
        }
        if self.marked && !text.starts_with(UTF8_MARK) {
            text.splice(0..0, UTF8_MARK.iter().copied());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overwritten(old: &[u8], new: &str) -> Vec<u8> {
        Style::read(old, 1 << 30).unwrap().dress(new.to_owned())
    }

    #[test]
    fn mark_and_uniform_endings_are_kept() {
        for (old, new, after) in [
            (&b"a\r\nb\r\n"[..], "x\ny\n", &b"x\r\ny\r\n"[..]),
            (b"a\r\nb\n", "x\ny\n", b"x\ny\n"),
            (b"a\r\n", "x\r\ny\n", b"x\r\ny\n"),
            (b"a\n", "x\r\n", b"x\r\n"),
            (b"", "x\n", b"x\n"),
            (b"a", "x\n", b"x\n"),
            (b"\xef\xbb\xbfa\r\n", "x\n", b"\xef\xbb\xbfx\r\n"),
            (b"\xef\xbb\xbfa", "\u{feff}x\n", b"\xef\xbb\xbfx\n"),
            (b"\xff\xfea\0\r\0\n\0", "x\n", b"\xff\xfex\0\r\0\n\0"),
            (b"\xfe\xff\0a", "\u{feff}x\n", b"\xfe\xff\0x\0\n"),
            (b"\xff\xfeodd", "x\n", b"x\n"),
        ] {
            assert_eq!(overwritten(old, new), after, "{old:?} {new:?}");
        }
    }

    #[test]
    fn a_long_file_is_looked_at_to_its_first_lf() {
        let line = b"0123456789abc\r\n";
        let long = line.repeat(30_000);
        assert_eq!(overwritten(&long, "x\n"), b"x\r\n");
        let at = long.len() - 2;
        let mut mixed = long.clone();
        mixed.remove(at);
        assert_eq!(overwritten(&mixed, "x\n"), b"x\n");
        for shift in 0..3 {
            let cut = [&b"---"[..shift], &long].concat();
            assert_eq!(overwritten(&cut, "x\n"), b"x\r\n", "{shift}");
        }
        let one_line = [&b"a\r\n"[..], &vec![b'x'; 300_000]].concat();
        assert_eq!(overwritten(&one_line, "x\n"), b"x\r\n");
    }
}
