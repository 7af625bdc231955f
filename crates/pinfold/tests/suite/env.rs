//! The direct methods of the *env* dialect, by the names that its calls have.

use pinfold::{Context, Env, Failure};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// Makes the call by its method. Arguments that only a reader of calls can judge are given to it: none, where they are bad.
pub(crate) async fn direct(env: &Env, tool: &str, given: Value) -> Option<Result<Value, Failure>> {
    Some(match tool {
        "read_file" => env.read_file(read::<pinfold::env::ReadFile>(given)?).await.map(shown),
        "write_file" => {
            let write = read::<pinfold::env::WriteFile>(given)?;
            env.write_file(write.path, write.content).await.map(shown)
        }
        "edit_file" => env.edit_file(read(given)?).await.map(shown),
        "list_files" => env.list_files(read::<pinfold::env::ListFiles>(given)?).await.map(shown),
        "delete_path" => env.delete_path(read::<pinfold::env::DeletePath>(given)?).await.map(shown),
        "run_shell" => {
            env.run_shell(read::<pinfold::env::RunShell>(given)?, Context::default()).await.map(shown)
        }
        "glob_files" => env.glob_files(read::<pinfold::env::GlobFiles>(given)?).await.map(shown),
        "grep_files" => env.grep_files(read::<pinfold::env::GrepFiles>(given)?).await.map(shown),
        "walk" => env.walk(read(given)?).await.map(shown),
        "stat" => env.stat(path(&given)?).await.map(shown),
        "exists" => env.exists(path(&given)?).await.map(|exists| json!({ "exists": exists })),
        "mkdir" => env.mkdir(path(&given)?).await.map(|created| json!({ "created": created })),
        "resolve_path" => env.resolve_path(&path(&given)?).map(|path| json!({ "path": path })),
        _ => return None,
    })
}

fn path(given: &Value) -> Option<String> {
    given["path"].as_str().map(str::to_owned)
}

fn read<T: DeserializeOwned>(given: Value) -> Option<T> {
    let numbers = given.as_object()?.values().filter_map(Value::as_f64);
    // Of a number below 1 the reader tells in words of its own.
    if numbers.into_iter().any(|number| number < 1.0) { None } else { serde_json::from_value(given).ok() }
}

fn shown(result: impl Serialize) -> Value {
    serde_json::to_value(result).unwrap()
}
