//! The kept part of a stream as text: whole characters, and a mark where something is left out.

use std::str;

use crate::{
    capture::{Captured, Keep},
    overflow::Whole,
};

impl Captured {
    /// The kept bytes from its beginning, with no gap.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The kept bytes from its end. Where nothing is left out they follow on the head.
    pub fn tail(&self) -> &[u8] {
        &self.tail
    }

    /// Bytes that were written and read, kept or not.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whether more was written than is kept.
    pub fn is_cut(&self) -> bool {
        self.total > (self.head.len() + self.tail.len()) as u64
    }

    /// Where all of it was kept, if that was asked for and it was too long.
    pub fn whole(&self) -> Option<&Whole> {
        self.whole.as_ref()
    }

    /// The same as if only `limit` bytes had been kept.
    #[must_use]
    pub fn within(self, limit: usize, keep: Keep) -> Captured {
        if self.head.len() + self.tail.len() <= limit {
            return self;
        }
        let head_limit = keep.head_of(limit);
        let tail_limit = limit - head_limit;
        // Without a gap the tail goes on where the head ends.
        let (mut head, mut tail) = if self.is_cut() {
            (self.head, self.tail)
        } else {
            let mut all = [self.head, self.tail].concat();
            let tail = all.split_off(all.len() - tail_limit.min(all.len()));
            (all, tail)
        };
        head.truncate(head_limit);
        tail.drain(..tail.len().saturating_sub(tail_limit));
        Captured { head, tail, total: self.total, whole: self.whole }
    }

    /// What is kept, as text. Bytes that are not UTF-8 show as U+FFFD. A character that a cut went through is left out,
    /// since it was whole when it was written. Between two ends stands a line that says how many bytes are not shown:
    /// `… 1,234,567 bytes omitted …`. A beginning alone has no mark.
    pub fn text(&self) -> String {
        if !self.is_cut() {
            return String::from_utf8_lossy(&[&*self.head, &*self.tail].concat()).into_owned();
        }
        let head = &self.head[..whole_at_the_end(&self.head)];
        let shown = String::from_utf8_lossy(head);
        if self.tail.is_empty() {
            return shown.into_owned();
        }
        let tail = &self.tail[whole_at_the_start(&self.tail)..];
        let omitted = grouped(self.total - (head.len() + tail.len()) as u64);
        let line_break = if shown.is_empty() || shown.ends_with('\n') { "" } else { "\n" };
        format!("{shown}{line_break}… {omitted} bytes omitted …\n{}", String::from_utf8_lossy(tail))
    }
}

/// Length without an unfinished character at the end; one has at most three bytes of its four.
pub(crate) fn whole_at_the_end(bytes: &[u8]) -> usize {
    let unfinished = |start: &usize| {
        str::from_utf8(&bytes[*start..])
            .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
    };
    (bytes.len().saturating_sub(3)..bytes.len()).find(unfinished).unwrap_or(bytes.len())
}

/// Where the first whole character begins, if the cut went through one: behind at most three bytes that only continue.
pub(crate) fn whole_at_the_start(bytes: &[u8]) -> usize {
    let continues = |byte: &&u8| **byte & 0b1100_0000 == 0b1000_0000;
    let rest = bytes.iter().take(4).take_while(continues).count();
    if rest < 4 { rest } else { 0 }
}

/// `1234567` as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let commas = |at: usize| at > 0 && (digits.len() - at).is_multiple_of(3);
    let spelled =
        digits.char_indices().map(|(at, digit)| if commas(at) { format!(",{digit}") } else { digit.into() });
    spelled.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(head: &[u8], tail: &[u8], total: u64) -> String {
        Captured { head: head.to_vec(), tail: tail.to_vec(), total, whole: None }.text()
    }

    #[test]
    fn leaves_out_only_the_character_that_the_cut_went_through() {
        let euro = "€".as_bytes();
        assert_eq!(text(&[b"a", &euro[..2]].concat(), b"", 9), "a");
        assert_eq!(text(&[b"a", &euro[..1]].concat(), b"", 9), "a");
        assert_eq!(text(&[b"a", euro].concat(), b"", 9), "a€");
        assert_eq!(text(&"a😀".as_bytes()[..4], b"", 9), "a");
        let cut = [&euro[1..], b"z"].concat();
        assert_eq!(text(&euro[..2], &cut, 100), "… 99 bytes omitted …\nz");
        assert_eq!(text(b"a", &"😀z".as_bytes()[1..], 100), "a\n… 98 bytes omitted …\nz");
    }

    #[test]
    fn shows_what_the_program_itself_wrote_badly() {
        let euro = "€".as_bytes();
        assert_eq!(text(&euro[..2], b"", 2), "\u{fffd}", "not cut: the program ended so");
        assert_eq!(text(b"a\xff", b"", 9), "a\u{fffd}");
        assert_eq!(text(b"\xe2\x28\xa1", b"", 9), "\u{fffd}(\u{fffd}");
        assert_eq!(text(b"", b"", 9), "");
        assert_eq!(
            text(b"a\n", b"\x80\x80\x80\x80", 9),
            format!("a\n… 3 bytes omitted …\n{}", "\u{fffd}".repeat(4))
        );
    }

    #[test]
    fn what_is_kept_can_be_cut_down() {
        let all: Vec<u8> = (0..10_000_u32).map(|number| (number % 251) as u8).collect();
        let whole = || Captured {
            head: all[..4_000].to_vec(),
            tail: all[4_000..].to_vec(),
            total: 10_000,
            whole: None,
        };
        let two = whole().within(2_000, Keep::Ends);
        assert_eq!((&two.head[..], &two.tail[..], two.total), (&all[..400], &all[8_400..], 10_000));
        let head = whole().within(2_000, Keep::Head);
        assert_eq!((&head.head[..], &head.tail[..]), (&all[..2_000], &[][..]));
        assert_eq!(whole().within(10_000, Keep::Head), whole());
        let gap = || Captured {
            head: all[..1_000].to_vec(),
            tail: all[6_000..].to_vec(),
            total: 10_000,
            whole: None,
        };
        let cut = gap().within(2_000, Keep::Ends);
        assert_eq!((&cut.head[..], &cut.tail[..]), (&all[..400], &all[8_400..]));
        assert_eq!(gap().within(2_000, Keep::Head).head, all[..1_000], "the gap is not closed");
    }

    #[test]
    fn nothing_is_marked_where_nothing_is_left_out() {
        let euro = "€".as_bytes();
        assert_eq!(text(&euro[..2], &euro[2..], 3), "€");
        assert_eq!(text(b"ab", b"cd", 4), "abcd");
        assert_eq!(text(b"ab", b"cd", 1_234_571), "ab\n… 1,234,567 bytes omitted …\ncd");
    }
}
