//! The policy of a row of a case table.

use pinfold_shell::{AllowCommand, Answer, Rules};
use serde_json::Value;

pub(crate) fn strings(value: &Value) -> Option<Vec<String>> {
    let texts = value.as_array()?;
    Some(texts.iter().map(|text| text.as_str().unwrap().to_owned()).collect())
}

pub(crate) fn rules(policy: &Value) -> Rules {
    if policy.is_null() {
        let allow = ["git", "echo", "find", "ls", "cat"].map(str::to_owned);
        return Rules::new(Some(allow.into()), Vec::new()).unwrap();
    }
    if policy["noShell"] == true {
        return Rules::nothing();
    }
    let mut rules =
        Rules::new(strings(&policy["allow"]), strings(&policy["deny"]).unwrap_or_default()).unwrap();
    if let Some(patterns) = policy["denyPatterns"].as_array() {
        let patterns = patterns.iter().map(|pattern| serde_json::from_value(pattern.clone()).unwrap());
        rules = rules.with_patterns(patterns.collect());
    }
    if let Some(prefix) = strings(&policy["refusePrefix"]) {
        rules = rules.with_allow_command(AllowCommand::new(move |argv, context| {
            let refused = argv.starts_with(&prefix);
            if refused { Answer::Refuse(format!("nested {}", context.nested)) } else { Answer::Allow }
        }));
    }
    if let Some(roots) = strings(&policy["strict"]) {
        rules = rules.strict(roots.into_iter().map(Into::into).collect());
    }
    if policy["away"] == true {
        rules = rules.away_from_root();
    }
    rules.with_argument_table(policy["argumentTable"] != false)
}
