//! Trees, their rules, and what these deny.

use std::{fs, os::unix::fs::symlink, path::Path};

/// A number after the other, the same for the same seed (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % most as u64).unwrap()
    }
}

/// What is at a path, relative to the root.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Dir,
    /// With this text, which stands nowhere else.
    File(String),
    Link(String),
}

#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<(String, Kind)>,
    rules: Vec<String>,
}

/// Stands in every text of the outside, and in its names.
pub(crate) const OUTSIDE: &str = "beyond";

impl Tree {
    /// Some directories and files, one to three rules, and in every fifth tree links.
    pub(crate) fn random(seed: u64) -> Tree {
        let mut dice = Dice(seed);
        let mut tree = Tree { nodes: Vec::new(), rules: Vec::new() };
        let mut dirs = vec![String::new()];
        for number in 0..4 + dice.below(8) {
            let parent = dirs[dice.below(dirs.len())].clone();
            let kind = if dice.below(3) == 0 { "d" } else { ["txt", "pem", "rs"][dice.below(3)] };
            let hidden = if dice.below(6) == 0 { "." } else { "" };
            let path = below(&parent, &format!("{hidden}n{number:03}.{kind}"));
            if kind == "d" {
                dirs.push(path.clone());
                tree.nodes.push((path, Kind::Dir));
            } else {
                let text = format!("needle body{number:03}\nmore\n");
                tree.nodes.push((path, Kind::File(text)));
            }
        }
        for _ in 0..1 + dice.below(3) {
            tree.deny_something(&mut dice);
        }
        if seed.is_multiple_of(5) {
            tree.add_links(&mut dice, &dirs);
        }
        tree
    }

    /// A tree of which the directories `a` and `b` will be swapped.
    pub(crate) fn swapped() -> Tree {
        let file =
            |path: &str, number: u32| (path.to_owned(), Kind::File(format!("needle body{number:03}\n")));
        let nodes = vec![
            ("a".to_owned(), Kind::Dir),
            file("a/n001.txt", 1),
            ("b".to_owned(), Kind::Dir),
            file("b/n002.txt", 2),
            ("denied".to_owned(), Kind::Dir),
            file("denied/n003.txt", 3),
            file("denied/n004.txt", 4),
        ];
        Tree { nodes, rules: vec!["denied".to_owned()] }
    }

    fn deny_something(&mut self, dice: &mut Dice) {
        let path = self.nodes[dice.below(self.nodes.len())].0.clone();
        let name = path.rsplit('/').next().unwrap().to_owned();
        self.rules.push(match dice.below(5) {
            0 => "*.pem".to_owned(),
            1 => name,
            2 => format!("**/{name}"),
            3 => format!("{path}/**"),
            _ => path,
        });
    }

    fn add_links(&mut self, dice: &mut Dice, dirs: &[String]) {
        for number in 0..1 + dice.below(3) {
            let parent = &dirs[dice.below(dirs.len())];
            let up = "../".repeat(parent.split('/').filter(|part| !part.is_empty()).count());
            let denied: Vec<&String> = self.paths().filter(|path| self.is_denied(path)).collect();
            let target = match (dice.below(4), denied.is_empty()) {
                (0, _) => format!("{up}../outside"),
                (1, _) => format!("{up}../outside/{OUTSIDE}.txt"),
                (2, _) | (_, true) => up.trim_end_matches('/').to_owned(),
                _ => format!("{up}{}", denied[dice.below(denied.len())]),
            };
            let target = if target.is_empty() { ".".to_owned() } else { target };
            self.nodes.push((below(parent, &format!("l{number:03}.x")), Kind::Link(target)));
        }
    }

    pub(crate) fn without_links(mut self) -> Tree {
        self.nodes.retain(|(_, kind)| !matches!(kind, Kind::Link(_)));
        self
    }

    pub(crate) fn rules(&self) -> &[String] {
        &self.rules
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = (&String, &String)> {
        self.nodes.iter().filter_map(|(path, kind)| match kind {
            Kind::File(text) => Some((path, text)),
            Kind::Dir | Kind::Link(_) => None,
        })
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &String> {
        self.nodes.iter().map(|(path, _)| path)
    }

    pub(crate) fn links(&self) -> impl Iterator<Item = &String> {
        self.nodes.iter().filter(|(_, kind)| matches!(kind, Kind::Link(_))).map(|(path, _)| path)
    }

    /// The meaning of a rule in plain words: with a slash it counts from the root, else it is a name anywhere; what lies
    /// below is denied too.
    pub(crate) fn is_denied(&self, path: &str) -> bool {
        let parts: Vec<&str> = path.split('/').collect();
        let ancestors = (1..=parts.len()).map(|length| (parts[..length].join("/"), parts[length - 1]));
        ancestors.into_iter().any(|(whole, name)| {
            self.rules.iter().any(|rule| match rule.as_str() {
                "*.pem" => name.ends_with(".pem"),
                rule if rule.ends_with("/**") => {
                    whole.strip_prefix(rule.trim_end_matches("**")).is_some_and(|rest| !rest.is_empty())
                        || whole == rule.trim_end_matches("/**")
                }
                rule if rule.starts_with("**/") => name == &rule[3..],
                rule if rule.contains('/') => whole == rule,
                rule => name == rule,
            })
        })
    }

    /// Every text that no answer may hold: denied names and what denied files hold, and the outside.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let denied = self.nodes.iter().filter(|(path, _)| self.is_denied(path));
        let mut secrets = vec![OUTSIDE.to_owned()];
        for (path, kind) in denied {
            // The name of a rule may be shown: it is the policy's own.
            let name = path.rsplit('/').next().unwrap_or_default();
            if !name.starts_with('l') && name != "denied" {
                secrets.push(name.to_owned());
            }
            if let Kind::File(text) = kind {
                secrets.extend(
                    text.split_whitespace().filter(|word| word.starts_with("body")).map(str::to_owned),
                );
            }
        }
        secrets
    }

    /// `root`, and `outside` beside it.
    pub(crate) fn lay_out(&self, place: &Path) {
        let (root, outside) = (place.join("root"), place.join("outside"));
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(&outside).unwrap();
        fs::write(outside.join(format!("{OUTSIDE}.txt")), format!("needle {OUTSIDE}\n")).unwrap();
        for (path, kind) in &self.nodes {
            match kind {
                Kind::Dir => fs::create_dir(root.join(path)).unwrap(),
                Kind::File(text) => fs::write(root.join(path), text).unwrap(),
                Kind::Link(target) => symlink(target, root.join(path)).unwrap(),
            }
        }
    }
}

fn below(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_owned() } else { format!("{parent}/{name}") }
}
