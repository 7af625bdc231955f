//! A `.rules` file of Codex: `prefix_rule(pattern, decision, justification, match, not_match)`. Of several rules that
//! match, the strictest decides: `forbidden`, `prompt`, `allow`.

use super::{
    draft::Draft,
    starlark::{self, Call, Value},
    uses::{End, Use},
};

/// Uses that one rule stands for.
const MOST: usize = 256;

pub(super) fn read(text: &str, mut draft: Draft) -> Draft {
    for statement in starlark::read(text) {
        match statement {
            Ok(call) if call.name == "prefix_rule" => prefix_rule(&call, &mut draft),
            Ok(call) if call.name == "host_executable" => {
                draft.lose(told(&call), "a program is opened where `PATH` finds it, and that very file runs");
            }
            Ok(call) if call.name == "network_rule" => {
                draft.lose(told(&call), "the network is not held by a policy");
            }
            Ok(call) => draft.lose(told(&call), "no counterpart"),
            Err(unread) => draft.lose(
                format!("line {}: {}", unread.line, unread.text),
                "only calls whose arguments are written out are read",
            ),
        }
    }
    draft
}

fn told(call: &Call) -> String {
    let first = call.arguments.iter().find(|(name, _)| matches!(name.as_str(), "pattern" | "name" | "host"));
    let shown = first.map_or(String::new(), |(name, value)| format!("{name} = {}", shown(value)));
    format!("line {}: {}({shown})", call.line, call.name)
}

fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("{text:?}"),
        Value::Word(word) => word.clone(),
        Value::List(entries) => format!("[{}]", entries.iter().map(shown).collect::<Vec<_>>().join(", ")),
    }
}

fn prefix_rule(call: &Call, draft: &mut Draft) {
    let uses = match call.get("pattern").map(uses) {
        Some(Ok(uses)) => uses,
        Some(Err(why)) => return draft.lose(told(call), why),
        None => return draft.lose(told(call), "it has no pattern"),
    };
    let why = text(call, "justification");
    match text(call, "decision").as_deref().unwrap_or("allow") {
        "allow" => {
            uses.into_iter().for_each(|one| draft.allow(one));
            draft.carry();
        }
        "forbidden" => {
            deny(call, &uses, why.as_ref(), draft);
            draft.carry();
        }
        "prompt" => {
            deny(call, &uses, why.as_ref(), draft);
            draft.lose(told(call), "nobody is asked here, so it is denied");
        }
        other => draft.lose(told(call), format!("the decision `{other}` is not known")),
    }
}

fn deny(call: &Call, uses: &[Use], why: Option<&String>, draft: &mut Draft) {
    for one in uses {
        let begins = |line: &String| {
            let words = one.words.join(" ");
            line == &words || line.starts_with(&format!("{words} "))
        };
        // Each pattern gets those of the examples that are about it.
        let matches = examples(call, "match").into_iter().filter(|line| begins(line)).collect();
        let misses = examples(call, "not_match").into_iter().filter(|line| !begins(line)).collect();
        draft.deny(one, matches, misses, why.cloned());
    }
}

fn text(call: &Call, name: &str) -> Option<String> {
    match call.get(name)? {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    }
}

/// Examples that are plain words: a text, or a list of words.
fn examples(call: &Call, name: &str) -> Vec<String> {
    let Some(Value::List(entries)) = call.get(name) else { return Vec::new() };
    let line = |entry: &Value| match entry {
        Value::Text(line) => Some(line.clone()),
        Value::List(words) => {
            let words: Option<Vec<&str>> = words
                .iter()
                .map(|word| match word {
                    Value::Text(word) => Some(word.as_str()),
                    _ => None,
                })
                .collect();
            words.map(|words| words.join(" "))
        }
        Value::Word(_) => None,
    };
    let plain = |line: &String| line.chars().all(|c| c.is_alphanumeric() || " -_./=:,@%+".contains(c));
    entries.iter().filter_map(line).filter(plain).collect()
}

/// Every line of words that a pattern stands for: one entry is a word, or a list of words of which any may stand there.
fn uses(pattern: &Value) -> Result<Vec<Use>, String> {
    let Value::List(entries) = pattern else { return Err("the pattern is no list of words".to_owned()) };
    let mut lines: Vec<Vec<String>> = vec![Vec::new()];
    for entry in entries {
        let words: Vec<&Value> = match entry {
            Value::List(words) => words.iter().collect(),
            word => vec![word],
        };
        let mut longer = Vec::new();
        for line in &lines {
            for word in &words {
                let Value::Text(word) = word else {
                    return Err("a word of the pattern is no text".to_owned());
                };
                longer.push([line.clone(), vec![word.clone()]].concat());
            }
        }
        if longer.len() > MOST {
            return Err(format!("it stands for more than {MOST} patterns"));
        }
        lines = longer;
    }
    if lines.iter().any(|words| {
        words.first().is_none_or(|first| first.is_empty() || first.contains(char::is_whitespace))
    }) {
        return Err("it names no program".to_owned());
    }
    Ok(lines.into_iter().map(|words| Use { words, end: End::Words }).collect())
}
