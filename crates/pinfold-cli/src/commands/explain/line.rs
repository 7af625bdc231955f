//! How a line for a shell was read.

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use anstyle::Style;
use pinfold::{Step, Verdict};
use serde_json::json;

use super::{
    super::check::{REFUSED, show},
    Outcome, fail,
};
use crate::{arguments::ExplainArguments, line::quoted, output};

const QUIET: Style = Style::new().dimmed();

pub(super) fn run(arguments: &ExplainArguments, line: &str) -> Outcome {
    let explained = super::place(arguments).policy().and_then(|policy| policy.explain_shell_line(line));
    let (steps, verdict) = match explained {
        Ok(explained) => explained,
        Err(failure) => return fail(&failure),
    };
    if arguments.json {
        output::json(&json!({"steps": steps, "verdict": verdict}))?;
    } else {
        output::coloured(|out| drawing(out, line, &steps, &verdict))?;
    }
    Ok(if verdict.allowed { ExitCode::SUCCESS } else { ExitCode::from(REFUSED) })
}

/// Each command on a line of its own, indented by brackets and substitutions, with where it may start; then the verdict.
fn drawing(out: &mut dyn Write, line: &str, steps: &[Step], verdict: &Verdict) -> io::Result<()> {
    let texts: Vec<String> = steps.iter().map(text).collect();
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).min(MOST_WIDE);
    let root = steps.first().and_then(|step| step.starts_in.first()).map_or("/", String::as_str);
    for (step, text) in steps.iter().zip(&texts) {
        let dirs: Vec<String> = step.starts_in.iter().map(|dir| below(root, dir)).collect();
        writeln!(out, "  {text:width$}  {QUIET}in {}{QUIET:#}", dirs.join(" or "))?;
    }
    if !steps.is_empty() {
        writeln!(out)?;
    }
    show::verdict(out, line, verdict, None)
}

/// Characters of a command before its directories stand on no column any more.
const MOST_WIDE: usize = 60;

fn text(step: &Step) -> String {
    let words = step.words.iter().map(|word| match word {
        Some(word) => show::plain(&quoted(word)),
        None => "…".to_owned(),
    });
    let brackets = step.words.is_empty() && step.span.is_empty();
    let parts = [step.before.clone(), if brackets { "( )".to_owned() } else { String::new() }]
        .into_iter()
        .chain(step.assigns.iter().map(|name| format!("{name}=")))
        .chain(words)
        .chain(step.redirections.iter().map(|redirection| show::plain(redirection)));
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    format!("{}{}", "  ".repeat(step.depth), parts.join(" "))
}

fn below(root: &str, dir: &str) -> String {
    match Path::new(dir).strip_prefix(root) {
        Ok(rest) if rest.as_os_str().is_empty() => ".".to_owned(),
        Ok(rest) => show::plain(&rest.to_string_lossy()),
        Err(_) => show::plain(dir),
    }
}

#[cfg(test)]
mod tests {
    use pinfold::{Policy, policy::ShellPolicy};

    use super::*;

    fn drawn(line: &str) -> String {
        let allow = Some(["git", "cat", "head", "echo"].map(Into::into).into());
        let shell = Some(ShellPolicy { allow, ..ShellPolicy::default() });
        let policy = Policy { shell, ..Policy::new("/no/such") };
        let (steps, verdict) = policy.explain_shell_line(line).unwrap();
        let mut out = Vec::new();
        drawing(&mut out, line, &steps, &verdict).unwrap();
        anstream::adapter::strip_str(std::str::from_utf8(&out).unwrap()).to_string()
    }

    #[test]
    fn a_line_is_drawn_with_the_directories_of_each_command() {
        let text = drawn("cd src && V=1 git log \"$V\" | head > ../f; (cd docs; ! cat) || echo `git x`");
        let expected = "  cd src           in .\n\
                        \x20 && V= git log …  in src\n\
                        \x20 | head > ../f    in src\n\
                        \x20 ; ( )            in . or src\n\
                        \x20   cd docs        in . or src\n\
                        \x20   ; ! cat        in . or docs or src or src/docs\n\
                        \x20 || echo …        in . or src\n\
                        \x20   $( git x       in . or src\n\n";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.contains("\nallowed\n"), "{text}");
    }

    #[test]
    fn a_refused_line_is_drawn_as_far_as_it_was_followed() {
        let text = drawn("cd src; cat > ../../f");
        assert!(text.contains("; cat > ../../f  in . or src\n"), "{text}");
        assert!(text.contains("refused: path-escape"), "{text}");
        assert!(drawn("if x; then y; fi").contains("refused: unsupported-syntax"));
    }
}
