//! The workspace: one call's way through the house.
//!
//! `House::walk` is that way, for every tool on files; `House::judge` is the same way for commands, which then run. They
//! read like the picture: resolve, judge, perform; what comes out is the report.

mod direct;
mod env;
mod explain;
mod ignored;
mod lines;
mod offer;
mod shell;
mod testing;

use std::{
    collections::HashMap,
    future::pending,
    path::{Path, PathBuf},
    sync::Arc,
};

use pinfold_contract::{EditFilesResult, Failure, FailureType};
use pinfold_exec::{Means, Progress, Ward};
use pinfold_jail::Resolver;
use serde::Serialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

pub use env::Env;
pub use explain::{DeedVerdict, PathVerdict};
pub use offer::Tools;

use crate::{
    CallLog, Memory, Policy,
    backend::{Asked, Backend},
    crew::Crew,
    environment::Environment,
    gate::{Gate, Look, Permit, Run, Verb, Write},
    jobs::Jobs,
    policy::{BackendKind, Interpreter},
    queue::Queue,
    todos::Todos,
    tools::{self, Call, Dialect, Exists, ExistsResult, FileTool, FilesTool, LastFailed, RunShell},
    words,
};

/// What belongs to one call only.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Cancelling it stops what the call waits for.
    pub cancel: CancellationToken,
    /// Where a command that is waited for leaves its last line. Default: nowhere.
    pub progress: Option<Progress>,
}

/// A bounded place, opened with a policy. Cloning is cheap: clones and projections are the same place.
///
/// Its methods are async and need a tokio runtime with time enabled; work on files runs on the runtime's blocking
/// threads, so that no call can hold up another.
#[derive(Debug, Clone)]
pub struct Workspace {
    house: Arc<House>,
}

/// A projection is a clone in which something is narrower: what is behind an `Arc` is shared.
#[derive(Debug, Clone)]
struct House {
    backend: Backend,
    gate: Gate,
    environment: Environment,
    crew: Arc<Crew>,
    queue: Arc<Queue>,
    todos: Arc<Todos>,
    jobs: Arc<Jobs>,
    last_failed: Arc<LastFailed>,
    /// Who owns the processes of commands, if this program can be its own ward.
    ward: Option<Ward>,
    /// Narrowed to a part of the first root.
    scoped: bool,
    log: Option<CallLog>,
}

impl Workspace {
    /// Opens a workspace. Fails with `bad-policy` when the policy cannot be kept.
    pub fn open(policy: Policy) -> Result<Workspace, Failure> {
        Workspace::with_resolver(policy, Resolver::Best)
    }

    /// Opens a workspace that goes down paths in a given way: for testing one resolver against the other.
    pub fn with_resolver(policy: Policy, resolver: Resolver) -> Result<Workspace, Failure> {
        let backend = match policy.backend {
            BackendKind::Local => Backend::local(&policy, resolver)?,
            BackendKind::Memory => Backend::Memory(Memory::new().rooted(&policy.cwd)),
        };
        Workspace::on(backend, policy)
    }

    /// Opens a workspace in memory, with these files and scripted commands, whatever `policy.backend` says.
    pub fn in_memory(policy: Policy, memory: Memory) -> Result<Workspace, Failure> {
        if !policy.cwd.is_absolute() {
            return Err(Failure::new(
                FailureType::BadPolicy,
                "`cwd` must be an absolute path, in memory too.",
            ));
        }
        Workspace::on(Backend::Memory(memory.rooted(&policy.cwd)), policy)
    }

    /// Opens a workspace on the local disk in which nothing is touched, not even what a crash left: for looking only.
    pub(crate) fn open_untouched(mut policy: Policy) -> Result<Workspace, Failure> {
        // Its folder would be made.
        if let Some(shell) = &mut policy.shell {
            shell.spill = None;
        }
        let backend = Backend::local(&policy, Resolver::Best)?;
        Workspace::built(backend, policy)
    }

    fn on(backend: Backend, policy: Policy) -> Result<Workspace, Failure> {
        let workspace = Workspace::built(backend, policy)?;
        workspace.house.tidy_up();
        Ok(workspace)
    }

    fn built(backend: Backend, policy: Policy) -> Result<Workspace, Failure> {
        let environment = Environment::of(policy.shell.as_ref())?;
        let gate = Gate::new(policy, backend.roots())?;
        let (crew, queue, todos, jobs, last_failed) = Default::default();
        let ward = Ward::of_this_program();
        let (scoped, log) = (false, None);
        let house =
            House { backend, gate, environment, crew, queue, todos, jobs, last_failed, ward, scoped, log };
        Ok(Workspace { house: Arc::new(house) })
    }

    /// The same place, where nothing can be changed and no command run.
    pub fn readonly(&self) -> Workspace {
        let house = House::clone(&self.house);
        Workspace { house: Arc::new(House { gate: house.gate.readonly(), ..house }) }
    }

    /// The same place, spoken to in another dialect: other tools, under the same rules.
    pub fn dialect(&self, dialect: Dialect) -> Workspace {
        let house = House::clone(&self.house);
        Workspace { house: Arc::new(House { gate: house.gate.speaking(dialect), ..house }) }
    }

    /// The same place, with a line in `log` for every call by name ([`call`](Workspace::call), and so those of models).
    pub fn logged(&self, log: CallLog) -> Workspace {
        let house = House::clone(&self.house);
        Workspace { house: Arc::new(House { log: Some(log), ..house }) }
    }

    /// The same place, narrowed to a directory of it, which becomes the root. Deny rules count from the old root and
    /// from the new one. A directory outside, or a denied one, is refused like any other path.
    pub fn scope(&self, subdir: impl AsRef<Path>) -> Result<Workspace, Failure> {
        let house = &self.house;
        let asked = Asked { name: subdir.as_ref().into(), link_itself: false, lossy: false };
        let permit: Permit<Look> = house.gate.judge(&asked, house.backend.resolve(&asked))?;
        let site = permit.open();
        let backend = house.backend.scoped(&site.node).map_err(|error| site.ground.fails(error))?;
        let gate = house.gate.clone().scoped(backend.home().to_owned());
        // Tests have other names where the root is another.
        let last_failed = Arc::default();
        let house = House { backend, gate, last_failed, scoped: true, ..House::clone(house) };
        Ok(Workspace { house: Arc::new(house) })
    }

    /// The tools that this workspace offers to a model, in canonical order.
    pub fn tools(&self) -> Tools {
        Tools::of(self)
    }

    /// Where relative paths begin: absolute, without links.
    pub fn root(&self) -> &Path {
        self.house.backend.home()
    }

    /// Calls a tool of its dialect, or one of the direct methods (`exists`, `mkdir`, `remove`; in the *env* dialect those
    /// of [`Env`]), by name.
    pub async fn call(&self, name: &str, arguments: Value, context: Context) -> Result<Value, Failure> {
        let pending = self.house.log.as_ref().map(|log| log.begin(name, &arguments));
        let outcome = self.answer(name, arguments, context).await;
        if let Some(pending) = pending {
            pending.end(&outcome);
        }
        outcome
    }

    async fn answer(&self, name: &str, arguments: Value, context: Context) -> Result<Value, Failure> {
        match self.house.gate.dialect() {
            Dialect::Coding => self.call_coding(name, arguments, context).await,
            Dialect::Env => self.call_env(name, arguments, context).await,
        }
    }

    async fn call_coding(&self, name: &str, arguments: Value, context: Context) -> Result<Value, Failure> {
        let Context { cancel, progress } = context;
        match Call::parse(name, arguments)? {
            Call::ReadFile(tool) => self.file(tool, cancel).await.and_then(json),
            Call::EditFile(tool) => self.file(tool, cancel).await.and_then(json),
            Call::MultiEdit(tool) => self.file(tool, cancel).await.and_then(json),
            Call::EditFiles(tool) => self.files(tool, cancel).await.and_then(json),
            Call::ApplyPatch(tool) => self.files(tool, cancel).await.and_then(json),
            Call::WriteFile(tool) => self.file(tool, cancel).await.and_then(json),
            Call::ListDir(tool) => self.file(tool, cancel).await.and_then(json),
            Call::Grep(tool) => self.file(tool, cancel).await.and_then(json),
            Call::Glob(tool) => self.file(tool, cancel).await.and_then(json),
            Call::MakeDir(tool) => self.file(tool, cancel).await.and_then(json),
            Call::Remove(tool) => self.file(tool, cancel).await.and_then(json),
            Call::Exists(tool) => self.look_for(tool).await.and_then(json),
            Call::RunShell(tool) => self.shell(tool, Context { cancel, progress }).await.and_then(json),
            Call::ShellOutput(tool) => tool.show(&self.house.jobs).await.and_then(json),
            Call::ShellKill(tool) => self.end(tool).await.and_then(json),
            Call::RunTests(tool) => self.tests(tool, Context { cancel, progress }).await.and_then(json),
            Call::TodoWrite(tool) => self.write_todos(tool.todos).and_then(json),
            Call::TodoRead(_) => json(self.read_todos()),
        }
    }

    /// Which means of ending its commands' processes this workspace has on this machine: tried, not assumed.
    pub async fn means(&self) -> Means {
        pinfold_exec::means(self.house.ward.as_ref()).await
    }

    async fn file<T: FileTool>(&self, tool: T, cancel: CancellationToken) -> Result<T::Report, Failure> {
        let house = Arc::clone(&self.house);
        self.house.crew.run(move || house.walk(tool, &cancel)).await
    }

    async fn files<T: FilesTool>(
        &self,
        tool: T,
        cancel: CancellationToken,
    ) -> Result<EditFilesResult, Failure> {
        let house = Arc::clone(&self.house);
        self.house.crew.run(move || house.walk_together(tool, &cancel)).await
    }

    async fn look_for(&self, tool: Exists) -> Result<ExistsResult, Failure> {
        let path = tool.path.to_string_lossy().into_owned();
        match self.file(tool, CancellationToken::new()).await {
            Err(no) if matches!(no.failure_type(), FailureType::NotFound | FailureType::NotDirectory) => {
                Ok(ExistsResult { path, exists: false })
            }
            other => other,
        }
    }

    /// Whoever disposes the workspace cancels what runs in it too.
    async fn unless_disposed<T, F: Future<Output = T>>(
        &self,
        context: Context,
        run: impl FnOnce(Context) -> F,
    ) -> T {
        let (stop, closing) = (context.cancel.child_token(), self.house.jobs.closing());
        let context = Context { cancel: stop.clone(), ..context };
        tokio::select! {
            result = run(context) => result,
            result = async { closing.cancelled().await; stop.cancel(); pending().await } => result,
        }
    }

    async fn judged(&self, tool: RunShell, interpreter: Interpreter) -> Result<tools::Judged, Failure> {
        self.house.gate.admit::<Run>()?;
        self.house.jobs.admit()?;
        let house = Arc::clone(&self.house);
        let judge = move || match interpreter {
            Interpreter::None => house.judge(tool),
            Interpreter::Sh => house.judge_line(tool),
        };
        self.house.crew.run(judge).await
    }
}

impl House {
    /// The straight line. Parsing is done: `tool` is a call with typed arguments.
    fn walk<T: FileTool>(&self, tool: T, cancel: &CancellationToken) -> Result<T::Report, Failure> {
        self.gate.admit::<T::Deed>()?;
        let asked = tool.asks();
        let resolution = self.backend.resolve(&asked);
        let permit = self.gate.judge::<T::Deed>(&asked, resolution)?;
        if !T::Deed::CHANGES {
            let ignores = if T::SEARCHES { self.ignores_above(permit.place()) } else { None };
            return tool.perform(permit.passing_over(ignores), cancel);
        }
        let place = permit.place().to_owned();
        self.queue.take_turn(&place, || tool.perform(permit, cancel))
    }

    /// The same line for several files, every one judged before the first is touched.
    fn walk_together<T: FilesTool>(
        &self,
        tool: T,
        cancel: &CancellationToken,
    ) -> Result<EditFilesResult, Failure> {
        self.gate.admit::<Write>()?;
        self.recover();
        let asks = tool.asks()?;
        let judged = |asked| self.gate.judge::<Write>(asked, self.backend.resolve(asked));
        let permits: Vec<Permit<Write>> = asks.iter().map(judged).collect::<Result<_, _>>()?;
        let places: Vec<PathBuf> = permits.iter().map(|permit| permit.place().to_owned()).collect();
        if let Some((one, other)) = twice(&places) {
            return Err(words::same_file(&asks[one], &asks[other]));
        }
        self.queue.take_turns(&places, || tool.perform(permits, &self.backend.ledger(), cancel))
    }

    /// What a crash left goes: what it left half done first, then what it only left lying about.
    fn tidy_up(&self) {
        self.recover();
        if !self.gate.is_read_only() {
            self.backend.sweep(&|place| !self.gate.protects(place));
        }
    }

    /// Undoes what a crash left half done, as far as this workspace may write there. What cannot be undone now stays for
    /// the next time: nothing that a caller asks for depends on it.
    fn recover(&self) {
        let writes = self.gate.admit::<Write>().is_ok();
        // Names in a journal count from the first root, of which a scope sees only a part.
        if !writes || self.scoped {
            return;
        }
        let mut admit = |place: &Path| {
            let asked = Asked { name: place.into(), link_itself: true, lossy: false };
            let permit: Permit<Write> = self.gate.judge(&asked, self.backend.resolve(&asked)).ok()?;
            Some(permit.open().node)
        };
        self.backend.ledger().recover(&mut admit).ok();
    }

    /// The same line for a command, up to the point where it is ready to run.
    fn judge(&self, tool: RunShell) -> Result<tools::Judged, Failure> {
        self.gate.admit::<Run>()?;
        let argv = tool.read()?;
        let asked = tool.asks();
        let resolution = self.backend.resolve(&asked);
        let permit = self.gate.judge::<Run>(&asked, resolution)?;
        tool.judge(argv, permit, self.gate.shell_rules(), &self.environment, &self.backend)
    }
}

/// Two that are the same.
fn twice(places: &[PathBuf]) -> Option<(usize, usize)> {
    let mut seen = HashMap::new();
    places.iter().enumerate().find_map(|(at, place)| seen.insert(place, at).map(|before| (at, before)))
}

fn json(report: impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(report)
        .map_err(|error| Failure::new(FailureType::IoOther, format!("The report cannot be shown: {error}.")))
}
