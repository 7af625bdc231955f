//! ssh(1), scp(1), sftp(1): options of the client that name programs. What runs on the other machine is not ours to say.

use super::{
    Found, Held, found,
    options::{
        self, Item, Spec,
        Takes::{Ask, Hides, Program, Value},
    },
};

const SSH: Spec = Spec {
    short: &[
        ('o', Ask(setting)),
        ('F', Ask(settings)),
        ('I', Hides),
        ('B', Value),
        ('b', Value),
        ('c', Value),
        ('D', Value),
        ('E', Value),
        ('e', Value),
        ('i', Value),
        ('J', Value),
        ('L', Value),
        ('l', Value),
        ('m', Value),
        ('O', Value),
        ('P', Value),
        ('p', Value),
        ('Q', Value),
        ('R', Value),
        ('S', Value),
        ('W', Value),
        ('w', Value),
    ],
    long: &[],
    leading: true,
};

/// scp(1).
pub(super) const SCP: Spec = Spec {
    short: &[
        ('S', Program),
        ('D', Program),
        ('o', Ask(setting)),
        ('F', Ask(settings)),
        ('c', Value),
        ('i', Value),
        ('J', Value),
        ('l', Value),
        ('P', Value),
        ('X', Value),
    ],
    long: &[],
    leading: false,
};

/// sftp(1): a batch file may hold `!command`.
pub(super) const SFTP: Spec = Spec {
    short: &[
        ('S', Program),
        ('D', Program),
        ('b', Hides),
        ('o', Ask(setting)),
        ('F', Ask(settings)),
        ('B', Value),
        ('c', Value),
        ('i', Value),
        ('J', Value),
        ('l', Value),
        ('P', Value),
        ('R', Value),
        ('s', Value),
        ('X', Value),
    ],
    long: &[],
    leading: false,
};

/// Options may stand before the host and right behind it; then begins the command for the other machine.
pub(super) fn read(words: &[String]) -> Vec<Found> {
    let mut all = Vec::new();
    let mut host = None;
    let mut start = 1;
    loop {
        let mut end = None;
        for item in options::read_from(&SSH, words, start) {
            if let Item::Operand(at) = item {
                end = Some(at);
                break;
            }
            all.extend(found(item));
        }
        match (end, host) {
            (Some(at), None) => (host, start) = (Some(at), at + 1),
            _ => return all,
        }
    }
}

/// ssh_config(5): `Name=value` or `Name value`, the name in any letter case.
fn setting(text: &str) -> Option<Held> {
    let text = text.trim_start_matches([' ', '\t']);
    let end = text.find([' ', '\t', '=']).unwrap_or(text.len());
    let name = text[..end].trim_matches('"').to_ascii_lowercase();
    let value = text[end..].trim_start_matches([' ', '\t', '=']).trim_end();
    match name.as_str() {
        _ if value.eq_ignore_ascii_case("none") || value.is_empty() => None,
        "proxycommand" | "localcommand" | "knownhostscommand" => Some(Held::Text(value.to_owned())),
        "xauthlocation" => Some(Held::Program(value.to_owned())),
        "permitlocalcommand" => (!value.eq_ignore_ascii_case("no")).then_some(Held::Hidden),
        "include" | "match" | "pkcs11provider" | "securitykeyprovider" | "smartcarddevice" => {
            Some(Held::Hidden)
        }
        _ => None,
    }
}

/// Another file of settings may name any program.
fn settings(file: &str) -> Option<Held> {
    (!matches!(file, "none" | "/dev/null")).then_some(Held::Hidden)
}
