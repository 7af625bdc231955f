//! Uses of programs that are allowed, as the regular expression of all the others: a policy allows whole programs, and
//! denies uses of them.

use std::collections::BTreeMap;

/// Where a use that is allowed ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Nothing may follow.
    Exact,
    /// Further words may follow.
    Words,
    /// Any text may follow, also within the word.
    Anything,
}

/// The words of a command line, joined by single spaces, with what may follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Use {
    pub(super) words: Vec<String>,
    pub(super) end: End,
}

impl Use {
    pub(super) fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    fn rest(&self) -> String {
        self.words.iter().skip(1).map(|word| format!(" {word}")).collect()
    }

    /// The regular expression of just this use, to deny it.
    pub(super) fn expression(&self) -> String {
        let text = format!("^{}{}", escaped(self.program()), escaped(&self.rest()));
        match self.end {
            End::Exact => text + "$",
            End::Words => text + "( |$)",
            End::Anything => text,
        }
    }
}

/// One letter after the other of all uses of a program.
#[derive(Debug, Default)]
struct Node {
    below: BTreeMap<char, Node>,
    ends: Vec<End>,
}

impl Node {
    fn insert(&mut self, text: &str, end: End) {
        let mut here = self;
        for letter in text.chars() {
            here = here.below.entry(letter).or_default();
        }
        here.ends.push(end);
    }

    /// What may not follow from here; `None` when anything may.
    fn deviations(&self) -> Option<String> {
        if self.ends.contains(&End::Anything) {
            return None;
        }
        let words = self.ends.contains(&End::Words);
        let mut ways = Vec::new();
        if self.ends.is_empty() {
            ways.push("$".to_owned());
        }
        let mut known = String::new();
        for (letter, node) in &self.below {
            known += &class_letter(*letter);
            if *letter == ' ' && words {
                continue;
            }
            if let Some(deviations) = node.deviations() {
                ways.push(format!("{}{deviations}", escaped(&letter.to_string())));
            }
        }
        if words && !self.below.contains_key(&' ') {
            known.push(' ');
        }
        ways.push(if known.is_empty() { ".".to_owned() } else { format!("[^{known}]") });
        Some(if ways.len() == 1 { ways.remove(0) } else { format!("(?:{})", ways.join("|")) })
    }
}

/// The regular expression of every use of `program` that none of `uses` allows; `None` when all are allowed.
pub(super) fn others<'a>(program: &str, uses: impl Iterator<Item = &'a Use>) -> Option<String> {
    let mut root = Node::default();
    uses.filter(|one| one.program() == program).for_each(|one| root.insert(&one.rest(), one.end));
    Some(format!("^{}{}", escaped(program), root.deviations()?)).filter(|_| !all_allowed(&root))
}

fn all_allowed(root: &Node) -> bool {
    root.ends.contains(&End::Words)
}

/// With a backslash before what is special in a regular expression.
pub(super) fn escaped(text: &str) -> String {
    text.chars()
        .map(|c| if "\\.+*?()|[]{}^$#&-~".contains(c) { format!("\\{c}") } else { c.to_string() })
        .collect()
}

fn class_letter(letter: char) -> String {
    if "\\]^[-&~".contains(letter) { format!("\\{letter}") } else { letter.to_string() }
}

#[cfg(test)]
mod tests {
    use pinfold::Policy;

    use super::*;

    fn uses(lines: &[(&str, End)]) -> Vec<Use> {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect();
        lines.iter().map(|(line, end)| Use { words: words(line), end: *end }).collect()
    }

    #[test]
    fn just_what_is_allowed_is_allowed() {
        let allowed = uses(&[
            ("npm run test", End::Words),
            ("npm run build", End::Exact),
            ("npm run lint:", End::Anything),
            ("npm ci", End::Exact),
            ("npm r-[x]", End::Exact),
        ]);
        let expression = others("npm", allowed.iter()).unwrap();
        let mut policy = Policy::for_agent("/srv").allow(["npm"]);
        let pattern = pinfold::policy::DenyPattern::regex(&expression).unwrap();
        policy.shell.as_mut().unwrap().deny_patterns.push(pattern);
        let cases = [
            ("npm run test", true),
            ("npm run test --watch", true),
            ("npm run testing", false),
            ("npm run build", true),
            ("npm run build x", false),
            ("npm run lint:fix", true),
            ("npm run lint", false),
            ("npm ci", true),
            ("npm ci --force", false),
            ("npm", false),
            ("npm run", false),
            ("npm publish", false),
            ("npm 'r-[x]'", true),
            ("npm 'r-[x]y'", false),
        ];
        for (line, expected) in cases {
            assert_eq!(policy.check_shell_command(line).unwrap().allowed, expected, "{line}: {expression}");
        }
    }

    #[test]
    fn a_program_that_may_do_anything_has_no_others() {
        assert_eq!(others("git", uses(&[("git", End::Words), ("git log", End::Exact)]).iter()), None);
    }
}
