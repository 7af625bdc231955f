//! Plays one case in one setting.

use std::fmt;

use pinfold::{Call as Parsed, Context, Failure, Resolver, Workspace};
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    case::{Call, Case},
    compare::{Answer, failed, failure_json, judge},
    fill::filled,
    ground::{Ground, Picture, neutral},
};

/// Where, and by which way in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Setting {
    Local(Resolver),
    LocalDirect,
    Memory,
    MemoryDirect,
}

impl Setting {
    pub(crate) const ALL: [Setting; 5] = [
        Setting::Local(Resolver::Kernel),
        Setting::Local(Resolver::Walk),
        Setting::LocalDirect,
        Setting::Memory,
        Setting::MemoryDirect,
    ];

    pub(crate) fn in_memory(self) -> bool {
        matches!(self, Setting::Memory | Setting::MemoryDirect)
    }

    pub(crate) fn is_direct(self) -> bool {
        matches!(self, Setting::LocalDirect | Setting::MemoryDirect)
    }

    async fn ground(self, case: &Case) -> Ground {
        match self {
            Setting::Local(resolver) => Ground::local(case, resolver),
            Setting::LocalDirect => Ground::local(case, Resolver::Best),
            Setting::Memory | Setting::MemoryDirect => Ground::memory(case).await,
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// What came of a case.
pub(crate) struct Played {
    pub(crate) answers: Vec<Answer>,
    pub(crate) complaints: Vec<String>,
}

pub(crate) async fn play(case: &Case, setting: Setting) -> Played {
    let ground = setting.ground(case).await;
    let before = ground.picture().await;
    let workspace = match (ground.open(case), &case.refused) {
        (Ok(workspace), None) => workspace,
        (Err(failure), Some(error)) => return refused(case, error, &failure, &ground),
        (Ok(_), Some(_)) => return complaint("the workspace was opened"),
        (Err(failure), None) => return complaint(&format!("the workspace was not opened: {failure}")),
    };
    let mut played = Played { answers: Vec::new(), complaints: Vec::new() };
    for call in &case.calls {
        let answer = answer(&workspace, case, call, setting.is_direct(), ground.top()).await;
        // The direct methods are held against the tools, which tell all.
        if !setting.is_direct() {
            played.complaints.extend(judge(call, &answer));
        }
        played.answers.push(answer);
    }
    played.complaints.extend(changes(case, &ground, &before).await);
    played
}

fn complaint(what: &str) -> Played {
    Played { answers: Vec::new(), complaints: vec![what.to_owned()] }
}

fn refused(case: &Case, error: &str, failure: &Failure, ground: &Ground) -> Played {
    let json = neutral(&failure_json(failure), ground.top());
    let complaints = failed(error, &case.says, None, &json);
    Played { answers: vec![Answer::Failure(json)], complaints }
}

async fn answer(workspace: &Workspace, case: &Case, call: &Call, directly: bool, top: &str) -> Answer {
    let arguments = filled(call.arguments(), top);
    let answer = match (directly, &case.dialect) {
        (true, None) => Some(direct(workspace, call.tool(), arguments.clone()).await),
        (true, Some(_)) => super::env::direct(&workspace.env(), call.tool(), arguments.clone()).await,
        (false, _) => None,
    };
    let answer = match answer {
        Some(answer) => answer,
        None => workspace.call(call.tool(), arguments, Context::default()).await,
    };
    match answer {
        Ok(result) => Answer::Result(neutral(&result, top)),
        Err(failure) => Answer::Failure(neutral(&failure_json(&failure), top)),
    }
}

/// The same call by its direct method.
async fn direct(workspace: &Workspace, tool: &str, arguments: Value) -> Result<Value, Failure> {
    let patch = arguments["patch"].as_str().map(str::to_owned);
    match Parsed::parse(tool, arguments)? {
        Parsed::ReadFile(call) => workspace.read_file(call).await.map(shown),
        Parsed::EditFile(call) => workspace.edit_file(call).await.map(shown),
        Parsed::MultiEdit(call) => workspace.multi_edit(call).await.map(shown),
        Parsed::EditFiles(call) => workspace.edit_files(call).await.map(shown),
        Parsed::ApplyPatch(_) => {
            let patch = patch.as_deref().unwrap_or_default();
            workspace.apply_patch(patch).await.map(shown)
        }
        Parsed::WriteFile(call) => workspace.write(call).await.map(shown),
        Parsed::ListDir(call) => workspace.list_dir(call).await.map(shown),
        Parsed::RunShell(call) if call.background == Some(true) => {
            workspace.start_shell(call).await.map(shown)
        }
        Parsed::RunShell(call) => workspace.exec(call, Context::default()).await.map(shown),
        Parsed::ShellOutput(call) => workspace.shell_output(call).await.map(shown),
        Parsed::ShellKill(call) => workspace.shell_kill(call.id).await.map(shown),
        Parsed::RunTests(call) => workspace.run_tests(call, Context::default()).await.map(shown),
        Parsed::TodoWrite(call) => workspace.write_todos(call.todos).map(shown),
        Parsed::TodoRead(_) => Ok(shown(workspace.read_todos())),
        Parsed::Grep(call) => workspace.grep(call).await.map(shown),
        Parsed::Glob(call) => workspace.glob(call).await.map(shown),
        Parsed::Exists(call) => workspace.exists(call.path).await.map(|exists| json!({ "exists": exists })),
        Parsed::MakeDir(call) => {
            workspace.mkdir(call.path).await.map(|created| json!({ "created": created }))
        }
        Parsed::Remove(call) => workspace.remove(call.path).await.map(|()| json!({ "removed": true })),
    }
}

fn shown(result: impl Serialize) -> Value {
    serde_json::to_value(result).unwrap()
}

/// Whatever is on the disk now and should not be, or the other way round.
async fn changes(case: &Case, ground: &Ground, before: &Picture) -> Vec<String> {
    let lines = ground.lines(&case.after);
    let (expected, now) = (ground.expected(before, &lines), ground.picture().await);
    let paths = expected.keys().chain(now.keys().filter(|path| !expected.contains_key(*path)));
    let differing = paths.filter(|path| expected.get(*path) != now.get(*path)).map(|path| {
        let (should, is) = (expected.get(path), now.get(path));
        format!("afterwards {} is {is:?}, not {should:?}", path.display())
    });
    let modes = lines.iter().filter_map(|line| {
        let (is, should) = (ground.mode(&line.path)?, line.mode?);
        (is != should).then(|| format!("afterwards {} has mode {is:o}, not {should:o}", line.path.display()))
    });
    differing.chain(modes).collect()
}
