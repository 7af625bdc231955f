//! Lines as models write them every day, all of them harmless: the share that is refused is reported.

use super::dice::Dice;

const COMMANDS: &[&str] = &[
    "git status",
    "git diff --stat HEAD~1 -- src/main.rs",
    "git log --oneline -n 5",
    "git add -A",
    "cargo build --release",
    "cargo test -- --nocapture",
    "npm test",
    "npm run build --if-present",
    "rg -n 'fn \\w+\\(' src",
    "ls -la",
    "cat README.md",
    "head -n 20 src/main.rs",
    "grep -rn \"TODO\" src",
    "node -e 'console.log(1 + 1)'",
    "git commit -m 'fix: a; b | c > d'",
    "git commit -m \"don't crash on empty input\"",
    "echo \"a > b\"",
    "echo 'costs $5'",
    "printf '%s\\n' one two",
    "test -f package.json",
    "[ -d src ]",
    "wc -l src/a.txt",
    "env NODE_ENV=test npm test",
    "CI=true npm test",
    "timeout 60 cargo test",
    "nice -n 10 cargo build",
    "time cargo build",
    "command git status",
    "git log --author=\"O'Brien\"",
    "make -j4 test",
    "echo \"done: $?\"",
    "ls *.md",
    "cat src/*.txt",
    "echo \"branch: $(git branch --show-current)\"",
    "echo `git describe --tags`",
    "git diff HEAD^ --stat",
    "sort src/a.txt",
    "python3 -c 'print(\"a;b|c\")'",
    "git show HEAD:README.md",
    "echo",
    "true",
    "npm ls --depth=0",
    "cargo run --bin tool -- --input src/a.txt",
    "git stash list",
    "rg --files",
    "echo \"${V:-nobody}\"",
    "ls -d packages/*/",
    "tail -n +2 README.md",
];

const FILTERS: &[&str] = &[
    "head -n 5",
    "grep -i fail",
    "wc -l",
    "sort",
    "tail -n 3",
    "sort | uniq -c",
    "cut -d: -f1",
    "jq -r '.scripts | keys[]'",
    "grep -E '\\.(rs|toml)$'",
    "tr '\\0' '\\n'",
    "cat",
    "sed -n '1,20p'",
    "awk '{ print $1 }'",
];

const FILES: &[&str] =
    &["build/out.txt", "logs/a.log", "build/my-notes.txt", "'build/a b.txt'", "./build/x", "build/é.txt"];

/// A line.
pub(super) fn line(dice: &mut Dice) -> String {
    let mut out = step(dice);
    for _ in 0..dice.below(3) {
        out.push_str(dice.pick::<&str>(&[
            " && ",
            "; ",
            "\n",
            " || ",
            " &&\n  ",
            " && \\\n  ",
            "\n\n# then\n",
        ]));
        out.push_str(&step(dice));
    }
    if dice.chance(10) {
        out.push_str(dice.pick::<&str>(&[" # done", "\n", " || true", "; echo \"exit: $?\""]));
    }
    out
}

fn step(dice: &mut Dice) -> String {
    let command = *dice.pick(COMMANDS);
    match dice.below(14) {
        0 | 1 => format!("{command} | {}", dice.pick(FILTERS)),
        2 => format!("{command} 2>&1 | {}", dice.pick(FILTERS)),
        3 => format!("{command} > {}", dice.pick(FILES)),
        4 => format!("{command} >> {} 2>&1", dice.pick(FILES)),
        5 => format!("{command} 2>/dev/null"),
        6 => format!("(cd {} && {command})", dice.pick(&["src", "docs", "packages/api"])),
        7 => format!("cd {} && {command}", dice.pick(&["src", "docs", "packages/api"])),
        8 => format!("OUT=$({command}); echo \"$OUT\""),
        9 => format!(
            "cat > {} <<'EOF'\nline one; $(not run) `nor this`\n\tit's \"fine\"\nEOF\n{command}",
            dice.pick(FILES)
        ),
        10 => format!("cat <<EOF > {}\nbranch $(git branch)\nit's $V\nEOF\n{command}", dice.pick(FILES)),
        11 => format!("! {command}"),
        _ => command.to_owned(),
    }
}
