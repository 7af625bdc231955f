//! Regular expressions that a model writes: judged before they are compiled.

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use regex_syntax::hir::{Hir, HirKind};

use crate::{
    Failure, FailureType,
    policy::{NestedQuantifiers, SearchPolicy},
    words::clipped,
};

/// Bytes that a compiled pattern may take.
const SIZE_LIMIT: usize = 1 << 20;

/// What is looked for.
pub(crate) struct Expression<'a> {
    pub(crate) text: &'a str,
    /// It stands for itself: no regular expression.
    pub(crate) literal: bool,
    pub(crate) ignore_case: bool,
    /// It may match line endings.
    pub(crate) multiline: bool,
}

/// Compiles it, within the policy's bounds if there are any.
pub(crate) fn compile(
    expression: &Expression<'_>,
    policy: Option<&SearchPolicy>,
) -> Result<RegexMatcher, Failure> {
    let Expression { text, literal, ignore_case, multiline } = *expression;
    if let Some(policy) = policy {
        is_short(text, policy)?;
    }
    if !literal {
        let parsed = regex_syntax::parse(text).map_err(|error| not_a_pattern(text, &error))?;
        if policy.is_some_and(|policy| policy.nested_quantifiers == NestedQuantifiers::Refuse)
            && repeats_a_repetition(&parsed)
        {
            return Err(unsafe_pattern(format!(
                "The pattern `{}` repeats a group that itself repeats something.",
                clipped(text)
            ))
            .hint("Write it with one repetition, such as `a+` for `(a+)+`."));
        }
    }
    let mut builder = RegexMatcherBuilder::new();
    builder
        .fixed_strings(literal)
        .case_insensitive(ignore_case)
        .multi_line(true)
        .crlf(true)
        .size_limit(SIZE_LIMIT)
        .dfa_size_limit(SIZE_LIMIT);
    if multiline {
        // Only what looks at one line may be told that there is no ending in it.
        builder.line_terminator(None);
    }
    builder.build(text).map_err(|error| not_compiled(text, &error.to_string()))
}

fn is_short(text: &str, policy: &SearchPolicy) -> Result<(), Failure> {
    let (letters, most) = (text.chars().count(), policy.max_pattern_chars);
    if letters <= most {
        return Ok(());
    }
    let message = format!("The pattern has {letters} characters; at most {most} are searched for.");
    Err(unsafe_pattern(message).hint("Search for a shorter part of it."))
}

fn unsafe_pattern(message: String) -> Failure {
    Failure::new(FailureType::UnsafePattern, message)
}

fn not_a_pattern(text: &str, error: &regex_syntax::Error) -> Failure {
    let (why, at) = match error {
        regex_syntax::Error::Parse(error) => (error.kind().to_string(), Some(error.span().start.offset)),
        regex_syntax::Error::Translate(error) => (error.kind().to_string(), Some(error.span().start.offset)),
        _ => ("it cannot be read".to_owned(), None),
    };
    let place = at.map(|at| format!(" at character {}", text[..at].chars().count() + 1)).unwrap_or_default();
    Failure::new(
        FailureType::BadArguments,
        format!("The pattern `{text}` is no regular expression: {why}{place}."),
    )
    .hint("Set literal to search for plain text, or put `\\` before a character that is meant itself, as in `\\(`.")
}

fn not_compiled(text: &str, why: &str) -> Failure {
    if why.contains("size limit") {
        return unsafe_pattern(format!("The pattern `{text}` is too large once compiled."))
            .hint("Use smaller counts in `{…}`.");
    }
    Failure::new(FailureType::BadArguments, format!("The pattern `{text}` cannot be searched for: {why}."))
        .hint("A pattern is matched within one line: set multiline, or leave `\\n` out.")
}

/// Whether an unbounded repetition stands inside another. The recursion is bounded by the parser's own nesting limit.
fn repeats_a_repetition(hir: &Hir) -> bool {
    inside(hir, false)
}

fn inside(hir: &Hir, repeated: bool) -> bool {
    match hir.kind() {
        HirKind::Repetition(one) => {
            let unbounded = one.max.is_none();
            (unbounded && repeated) || inside(&one.sub, repeated || unbounded)
        }
        HirKind::Capture(group) => inside(&group.sub, repeated),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().any(|part| inside(part, repeated))
        }
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regex(text: &str, policy: &SearchPolicy) -> Result<RegexMatcher, Failure> {
        compile(&Expression { text, literal: false, ignore_case: false, multiline: false }, Some(policy))
    }

    fn verdict(text: &str) -> Option<FailureType> {
        regex(text, &SearchPolicy::default()).err().map(|failure| failure.failure_type())
    }

    #[test]
    fn refuses_repeated_repetitions_and_long_patterns() {
        for text in ["(a+)+", "(a*)*", "(?:x+y*)+", "((a+)b)*", "(a{2,})+"] {
            assert_eq!(verdict(text), Some(FailureType::UnsafePattern), "{text}");
        }
        assert_eq!(verdict(&"a".repeat(201)), Some(FailureType::UnsafePattern));
        assert_eq!(verdict(r"\w{1000}\w{1000}\w{1000}"), Some(FailureType::UnsafePattern));
    }

    #[test]
    fn takes_everyday_patterns() {
        for text in
            ["TODO", r"fn \w+\(", "(a|b)+", "(ab)?c+", r"^\s*use\s+", "(foo|bar+)baz", &"ä".repeat(200)]
        {
            assert_eq!(verdict(text), None, "{text}");
        }
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        for text in ["a(b", "[a", "(?=x)", r"\1"] {
            assert_eq!(verdict(text), Some(FailureType::BadArguments), "{text}");
        }
        let failure = regex("ü(b", &SearchPolicy::default()).unwrap_err();
        assert!(failure.message().contains("at character 2"), "{failure}");
    }

    #[test]
    fn the_policy_can_allow_them() {
        let policy = SearchPolicy {
            nested_quantifiers: NestedQuantifiers::Allow,
            max_pattern_chars: 300,
            ..SearchPolicy::default()
        };
        assert!(regex("(a+)+", &policy).is_ok());
        assert!(regex(&"a".repeat(201), &policy).is_ok());
    }
}
