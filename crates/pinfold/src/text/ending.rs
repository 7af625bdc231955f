//! Line endings: LF, and CRLF, which many systems write and all models read as LF.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memmem};

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// `\n`.
    Lf,
    /// `\r\n`.
    CrLf,
}

impl Ending {
    pub(crate) fn bytes(self) -> &'static [u8] {
        match self {
            Ending::Lf => b"\n",
            Ending::CrLf => b"\r\n",
        }
    }

    /// The ending whose newline is at `newline`.
    pub(crate) fn at(text: &[u8], newline: usize) -> Ending {
        let returns = newline > 0 && text[newline - 1] == b'\r';
        if returns { Ending::CrLf } else { Ending::Lf }
    }

    /// The first ending of `text`.
    pub(crate) fn first(text: &[u8]) -> Option<Ending> {
        memchr(b'\n', text).map(|at| Ending::at(text, at))
    }

    /// Every ending of `text`, in order.
    pub(crate) fn all(text: &[u8]) -> Vec<Ending> {
        memchr_iter(b'\n', text).map(|at| Ending::at(text, at)).collect()
    }
}

/// `text` with every CRLF as LF.
pub(crate) fn folded(text: &[u8]) -> Cow<'_, [u8]> {
    if memmem::find(text, b"\r\n").is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut from = 0;
    for at in memmem::find_iter(text, b"\r\n") {
        out.extend_from_slice(&text[from..at]);
        from = at + 1;
    }
    out.extend_from_slice(&text[from..]);
    Cow::Owned(out)
}

/// `text`, whose lines end in LF, with every one as CRLF.
pub(crate) fn with_crlf(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 16);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(line) => out.extend_from_slice(&[line, b"\r\n"].concat()),
            None => out.extend_from_slice(line),
        }
    }
    out
}

/// Every line of `text` ends in CRLF, and there is one.
pub(crate) fn only_crlf(text: &[u8]) -> bool {
    let mut any = false;
    memchr_iter(b'\n', text).all(|at| {
        any = true;
        Ending::at(text, at) == Ending::CrLf
    }) && any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_takes_the_return_before_a_newline_only() {
        for (text, plain) in [("a\r\nb\n", "a\nb\n"), ("\r\r\n\r", "\r\n\r"), ("\r\n\r\n", "\n\n"), ("", "")]
        {
            assert_eq!(folded(text.as_bytes()), plain.as_bytes());
        }
        assert_eq!(with_crlf(b"a\n\nb"), b"a\r\n\r\nb");
    }

    #[test]
    fn uniform_means_all_of_at_least_one() {
        assert!(only_crlf(b"a\r\nb\r\n") && only_crlf(b"a\r\nb"));
        assert!(!only_crlf(b"") && !only_crlf(b"a\r") && !only_crlf(b"a\r\nb\n"));
    }
}
