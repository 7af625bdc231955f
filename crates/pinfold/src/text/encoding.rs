//! Bytes ⇄ text. UTF-16 with a byte order mark is decoded to UTF-8 and encoded again; everything else stays as it is.
//!
//! Valid UTF-16 has exactly one UTF-8 form and back, so what an edit leaves alone comes out byte for byte.

use std::borrow::Cow;

/// How the bytes of a file stand for text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// As they are: UTF-8, or whatever else it is.
    Bytes,
    /// UTF-16 behind a byte order mark, low byte first.
    Utf16Le,
    /// UTF-16 behind a byte order mark, high byte first.
    Utf16Be,
}

/// A byte order mark of UTF-16, and behind it no UTF-16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotUtf16 {
    /// The first byte that does not fit.
    pub(crate) at: usize,
}

impl Encoding {
    /// What the first bytes say.
    pub(crate) fn of(content: &[u8]) -> Encoding {
        match content {
            [0xff, 0xfe, ..] => Encoding::Utf16Le,
            [0xfe, 0xff, ..] => Encoding::Utf16Be,
            _ => Encoding::Bytes,
        }
    }

    /// The text of `content`, a mark of UTF-16 left out.
    pub(crate) fn decode(self, content: &[u8]) -> Result<Cow<'_, [u8]>, NotUtf16> {
        match self {
            Encoding::Bytes => Ok(Cow::Borrowed(content)),
            Encoding::Utf16Le => decode_units(content, u16::from_le_bytes).map(Cow::Owned),
            Encoding::Utf16Be => decode_units(content, u16::from_be_bytes).map(Cow::Owned),
        }
    }

    /// The bytes that stand for `text`, with the mark that this encoding has.
    pub(crate) fn encode(self, text: Vec<u8>) -> Vec<u8> {
        match self {
            Encoding::Bytes => text,
            Encoding::Utf16Le => encode_units(&text, u16::to_le_bytes),
            Encoding::Utf16Be => encode_units(&text, u16::to_be_bytes),
        }
    }
}

fn decode_units(content: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Vec<u8>, NotUtf16> {
    let body = content.get(2..).unwrap_or_default();
    // The same two bytes begin UTF-32, which goes on with two zeros.
    if body.starts_with(&[0, 0]) {
        return Err(NotUtf16 { at: 2 });
    }
    let (pairs, odd) = body.as_chunks::<2>();
    let mut text = String::with_capacity(body.len());
    let mut at = 2;
    for one in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        let character = one.map_err(|_| NotUtf16 { at })?;
        text.push(character);
        at += 2 * character.len_utf16();
    }
    if odd.is_empty() { Ok(text.into_bytes()) } else { Err(NotUtf16 { at }) }
}

fn encode_units(text: &[u8], bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    // Decoded text with texts put in at the boundaries of characters is UTF-8, so nothing is lost here.
    let text = String::from_utf8_lossy(text);
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_comes_out_as_it_came_in() {
        for text in ["", "a\r\nb\n", "\u{feff}x", "é€😀", "\0"] {
            for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
                let bytes = encoding.encode(text.as_bytes().to_vec());
                assert_eq!(Encoding::of(&bytes), encoding);
                if text != "\0" {
                    assert_eq!(encoding.decode(&bytes).unwrap(), text.as_bytes());
                }
                assert_eq!(encoding.encode(text.as_bytes().to_vec()), bytes);
            }
        }
    }

    #[test]
    fn what_is_no_utf16_is_told_with_its_place() {
        for (bytes, at) in [
            (&b"\xff\xfea\0b"[..], 4),
            (b"\xff\xfea\0\x00\xd8", 4),
            (b"\xff\xfe\x00\xdca\0", 2),
            (b"\xff\xfe\0\0a\0\0\0", 2),
            (b"\xfe\xff\xd8\x00\0a", 2),
        ] {
            assert_eq!(Encoding::of(bytes).decode(bytes), Err(NotUtf16 { at }), "{bytes:?}");
        }
    }

    #[test]
    fn everything_else_stays_bytes() {
        for bytes in [&b""[..], b"\xff", b"\xef\xbb\xbfa", b"caf\xe9", b"\0\xff\xfe"] {
            assert_eq!(Encoding::of(bytes), Encoding::Bytes);
            assert_eq!(Encoding::Bytes.decode(bytes).unwrap(), bytes);
        }
    }
}
