//! What is not shown as text: how it is told from text, and what it seems to be by its first bytes.

use crate::text::encoding::Encoding;

/// How far into a file it is looked for, as grep and git do.
const LOOKED_AT: usize = 8192;

/// A NUL among the first bytes. In UTF-16 every second byte may be zero, so there it takes a whole unit; the mark of
/// UTF-32, which begins like that of UTF-16, has one.
pub(super) fn is_binary(head: &[u8], encoding: Encoding) -> bool {
    let head = &head[..head.len().min(LOOKED_AT)];
    match encoding {
        Encoding::Bytes => memchr::memchr(0, head).is_some(),
        Encoding::Utf16Le | Encoding::Utf16Be => head.as_chunks::<2>().0.contains(&[0, 0]),
    }
}

/// The format that the first bytes say, and what to do instead of reading it as text.
pub(super) fn format(head: &[u8]) -> Option<(&'static str, &'static str)> {
    const ARCHIVE: &str = "List or unpack it with a program for archives, then read what was in it.";
    match head {
        [b'%', b'P', b'D', b'F', b'-', ..] => {
            Some(("a PDF document", "Turn it into text with a program such as pdftotext, then read that."))
        }
        [b'P', b'K', 3 | 5, 4 | 6, ..] => Some(("a ZIP archive", ARCHIVE)),
        [0x1f, 0x8b, ..] => Some(("compressed by gzip", ARCHIVE)),
        [0x7f, b'E', b'L', b'F', ..] => {
            Some(("an ELF program or library", "Read the source that it was built from instead."))
        }
        _ => None,
    }
}
