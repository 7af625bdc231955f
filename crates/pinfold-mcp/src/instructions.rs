//! What a client's model is told about the workspace before its first call.

use pinfold::{
    Dialect,
    policy::{Policy, ShellPolicy},
};

/// Names of a list that are told; the rest is only hinted at.
const SHOWN_NAMES: usize = 12;
/// Clients cut instructions after 2,048 characters; no single list may use them up.
const SHOWN_CHARS: usize = 300;

/// A short text about the workspace that `policy` opens for a client that speaks `dialect`: where it is, what is refused,
/// what may run. It names rules, and claims no protection that the tools' own answers do not show.
pub fn instructions(policy: &Policy, dialect: Dialect) -> String {
    let root = clipped(&policy.cwd.display().to_string());
    let paths = match dialect {
        Dialect::Env => "Paths count from it: `a/b` and `/a/b` are the same, and `..` is refused.",
        _ => "Paths are relative to it; its own absolute path is accepted too.",
    };
    let mut text = format!(
        "The tools work in the folder {root} and nowhere outside it. {paths} Every result is a JSON object; an error \
         says what to try instead in `hint`."
    );
    // Virtual paths name nothing outside the root.
    if !policy.allow_paths.is_empty() && dialect != Dialect::Env {
        let roots: Vec<String> = policy.allow_paths.iter().map(|path| path.display().to_string()).collect();
        text += &format!("\nAlso readable, by absolute path: {}.", listed(&roots));
    }
    if policy.read_only {
        return text
            + "\nRead-only: nothing can be changed and no command run."
            + &refused(&policy.deny_paths, "Never shown");
    }
    text += &refused(&policy.deny_paths, "Refused to every tool");
    text += &refused(&policy.deny_write_paths, "Readable, but not writable");
    text + "\n" + &commands(policy.shell.as_ref())
}

fn refused(globs: &[String], rule: &str) -> String {
    let names: Vec<String> = globs.iter().filter(|glob| !glob.starts_with('!')).cloned().collect();
    if names.is_empty() { String::new() } else { format!("\n{rule}: {}.", listed(&names)) }
}

fn commands(shell: Option<&ShellPolicy>) -> String {
    let Some(shell) = shell else {
        return "No command can be run.".to_owned();
    };
    let which = match &shell.allow {
        Some(entries) if entries.is_empty() => return "No command can be run.".to_owned(),
        Some(entries) => {
            let names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
            format!("Commands that may run: {}.", listed(&names))
        }
        None if shell.deny.is_empty() => "Any command may run.".to_owned(),
        None => format!("Any command may run except: {}.", listed(&shell.deny)),
    };
    which + " A command line is one program with its arguments: no pipes, redirections, variables or `&&`."
}

fn listed(names: &[String]) -> String {
    let mut text = String::new();
    for (count, name) in names.iter().enumerate() {
        if count == SHOWN_NAMES || text.chars().count() + name.chars().count() > SHOWN_CHARS {
            return text + " and more";
        }
        if count > 0 {
            text += ", ";
        }
        text += name;
    }
    text
}

fn clipped(path: &str) -> String {
    if path.chars().count() <= SHOWN_CHARS {
        return path.to_owned();
    }
    path.chars().take(SHOWN_CHARS).collect::<String>() + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_where_and_what_may_run() {
        let text = instructions(&Policy::for_agent("/srv/app").allow(["git", "cargo"]), Dialect::Coding);
        for words in ["/srv/app", ".env*", ".git/**", "Commands that may run: git, cargo.", "and more"] {
            assert!(text.contains(words), "{words}: {text}");
        }
        assert!(!text.contains("!.env"));
        assert!(
            instructions(&Policy::for_agent("/srv/app"), Dialect::Coding).ends_with("No command can be run.")
        );
    }

    #[test]
    fn virtual_paths_are_said_to_be_so() {
        let mut policy = Policy::for_agent("/srv/app");
        policy.allow_paths = vec!["/opt/ref".into()];
        let text = instructions(&policy, Dialect::Env);
        assert!(text.contains("`a/b` and `/a/b` are the same") && !text.contains("/opt/ref"), "{text}");
        assert!(instructions(&policy, Dialect::Coding).contains("/opt/ref"));
    }

    #[test]
    fn read_only_promises_no_command() {
        let mut policy = Policy::for_agent("/srv/app").allow(["git"]);
        policy.read_only = true;
        let text = instructions(&policy, Dialect::Coding);
        assert!(text.contains("Read-only") && !text.contains("may run"), "{text}");
    }

    #[test]
    fn stays_below_what_clients_show() {
        let long = "x".repeat(4_000);
        let mut policy = Policy::for_agent(format!("/{long}")).allow(vec![long.clone(); 50]);
        policy.deny_paths = vec![long.clone(); 50];
        policy.deny_write_paths = vec!["abc/**".to_owned(); 5_000];
        policy.allow_paths = vec!["/srv".into(); 500];
        assert!(instructions(&policy, Dialect::Coding).chars().count() < 2_048);
    }
}
