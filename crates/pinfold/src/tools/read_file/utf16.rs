//! UTF-16 to text while it streams by. What is no UTF-16 becomes U+FFFD, and its first byte is remembered.

use crate::text::encoding::Encoding;

/// Decodes chunk by chunk, from the byte order mark on, which comes out as U+FEFF. It holds three bytes at most.
pub(in crate::tools) struct Utf16 {
    unit: fn([u8; 2]) -> u16,
    /// The first byte of a unit that the last chunk cut.
    odd: Option<u8>,
    /// The first half of a pair of surrogates.
    high: Option<u16>,
    /// Where the next unit begins in the file.
    at: u64,
    bad_at: Option<u64>,
}

impl Utf16 {
    /// None: the encoding is not UTF-16.
    pub(in crate::tools) fn of(encoding: Encoding) -> Option<Utf16> {
        let unit = match encoding {
            Encoding::Bytes => return None,
            Encoding::Utf16Le => u16::from_le_bytes,
            Encoding::Utf16Be => u16::from_be_bytes,
        };
        Some(Utf16 { unit, odd: None, high: None, at: 0, bad_at: None })
    }

    /// The text that `chunk` brings to an end.
    pub(in crate::tools) fn feed(&mut self, chunk: &[u8]) -> String {
        let mut text = String::with_capacity(chunk.len() + 4);
        let mut rest = chunk;
        if let (Some(odd), Some((first, after))) = (self.odd, chunk.split_first()) {
            self.odd = None;
            self.take((self.unit)([odd, *first]), &mut text);
            rest = after;
        }
        let (pairs, odd) = rest.as_chunks::<2>();
        for pair in pairs {
            self.take((self.unit)(*pair), &mut text);
        }
        self.odd = odd.first().copied().or(self.odd);
        text
    }

    fn take(&mut self, unit: u16, text: &mut String) {
        if let Some(high) = self.high.take() {
            if let Some(Ok(whole)) = char::decode_utf16([high, unit]).next() {
                text.push(whole);
                self.at += 2;
                return;
            }
            self.bad(self.at - 2, text);
        }
        match char::from_u32(unit.into()) {
            Some(whole) => text.push(whole),
            None if unit < 0xdc00 => self.high = Some(unit),
            None => self.bad(self.at, text),
        }
        self.at += 2;
    }

    fn bad(&mut self, at: u64, text: &mut String) {
        self.bad_at.get_or_insert(at);
        text.push(char::REPLACEMENT_CHARACTER);
    }

    /// What the end of the file leaves unfinished, and the first byte that was no UTF-16.
    pub(in crate::tools) fn finish(mut self) -> (String, Option<u64>) {
        let mut text = String::new();
        if self.high.is_some() {
            self.bad(self.at - 2, &mut text);
        }
        if self.odd.is_some() {
            self.bad(self.at, &mut text);
        }
        (text, self.bad_at)
    }
}
