# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_pinfold_global_optspecs
    string join \n h/help V/version
end

function __fish_pinfold_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_pinfold_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_pinfold_using_subcommand
    set -l cmd (__fish_pinfold_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c pinfold -n "__fish_pinfold_needs_command" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_needs_command" -s V -l version -d 'Print version'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "mcp" -d 'Serve a folder to an MCP client, over standard input and output'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "call" -d 'Make one call and print its result as JSON'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "ls" -d 'List a folder'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "read" -d 'Show a file, or lines of it'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "grep" -d 'Search the content of files'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "glob" -d 'Find files by name'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "edit" -d 'Replace exact text in a file'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "run" -d 'Run a command'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "check" -d 'Say whether a command line may run, and why not; nothing is run'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "explain" -d 'Say why: of a path, a line for a shell, or a call in a log'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "log" -d 'Show the calls in a log'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "policy" -d 'Write, look at and try policies'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "install" -d 'Put a workspace into the settings of an MCP client'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "mcp-config" -d 'Print what `install` would put there'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "tools" -d 'List the tools and their arguments'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "doctor" -d 'Try which protections hold on this machine'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "completions" -d 'Print a script that completes the command in a shell'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "man" -d 'Print a man page'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "demo" -d 'Play a recorded session of an agent in a temporary folder'
complete -c pinfold -n "__fish_pinfold_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c pinfold -n "__fish_pinfold_using_subcommand mcp" -l root -d 'The root of the workspace [default: `cwd` of the policy, else the current directory]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand mcp" -l policy -d 'The policy, as TOML or JSON [default: pinfold/policy.toml in the user\'s configuration folder, else read and write in the root, but no secrets, and run nothing]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand mcp" -l scope -d 'Narrow the workspace to a folder of it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand mcp" -l allow -d 'Programs that may run, by name' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand mcp" -l log -d 'Append a line of JSON for each call to this file, which lies outside the workspace; `pinfold log` shows it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand mcp" -l dialect -d 'The set of tools: `coding` for a coding agent, `env` for a small execution environment with virtual paths' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand mcp" -l read-only -d 'Change nothing, run nothing'
complete -c pinfold -n "__fish_pinfold_using_subcommand mcp" -l structured -d 'Return results as objects too, with the same full text inside [default: text only]'
complete -c pinfold -n "__fish_pinfold_using_subcommand mcp" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand call" -l root -d 'The root of the workspace [default: `cwd` of the policy, else the current directory]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand call" -l policy -d 'The policy, as TOML or JSON [default: pinfold/policy.toml in the user\'s configuration folder, else read and write in the root, but no secrets, and run nothing]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand call" -l scope -d 'Narrow the workspace to a folder of it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand call" -l allow -d 'Programs that may run, by name' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand call" -l log -d 'Append a line of JSON for each call to this file, which lies outside the workspace; `pinfold log` shows it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand call" -l dialect -d 'The set of tools: `coding` for a coding agent, `env` for a small execution environment with virtual paths' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand call" -l read-only -d 'Change nothing, run nothing'
complete -c pinfold -n "__fish_pinfold_using_subcommand call" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand ls" -s d -l depth -d 'Levels' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand ls" -l root -d 'The root of the workspace [default: `cwd` of the policy, else the current directory]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand ls" -l policy -d 'The policy, as TOML or JSON [default: pinfold/policy.toml in the user\'s configuration folder, else read and write in the root, but no secrets, and run nothing]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand ls" -l scope -d 'Narrow the workspace to a folder of it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand ls" -l allow -d 'Programs that may run, by name' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand ls" -l log -d 'Append a line of JSON for each call to this file, which lies outside the workspace; `pinfold log` shows it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand ls" -l dialect -d 'The set of tools: `coding` for a coding agent, `env` for a small execution environment with virtual paths' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand ls" -l read-only -d 'Change nothing, run nothing'
complete -c pinfold -n "__fish_pinfold_using_subcommand ls" -l json -d 'Print the result as JSON'
complete -c pinfold -n "__fish_pinfold_using_subcommand ls" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand read" -l offset -d 'The first line, counted from 1' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand read" -l limit -d 'Lines' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand read" -l root -d 'The root of the workspace [default: `cwd` of the policy, else the current directory]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand read" -l policy -d 'The policy, as TOML or JSON [default: pinfold/policy.toml in the user\'s configuration folder, else read and write in the root, but no secrets, and run nothing]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand read" -l scope -d 'Narrow the workspace to a folder of it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand read" -l allow -d 'Programs that may run, by name' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand read" -l log -d 'Append a line of JSON for each call to this file, which lies outside the workspace; `pinfold log` shows it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand read" -l dialect -d 'The set of tools: `coding` for a coding agent, `env` for a small execution environment with virtual paths' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand read" -l read-only -d 'Change nothing, run nothing'
complete -c pinfold -n "__fish_pinfold_using_subcommand read" -l json -d 'Print the result as JSON'
complete -c pinfold -n "__fish_pinfold_using_subcommand read" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand grep" -l glob -d 'Only files of these names' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand grep" -l root -d 'The root of the workspace [default: `cwd` of the policy, else the current directory]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand grep" -l policy -d 'The policy, as TOML or JSON [default: pinfold/policy.toml in the user\'s configuration folder, else read and write in the root, but no secrets, and run nothing]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand grep" -l scope -d 'Narrow the workspace to a folder of it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand grep" -l allow -d 'Programs that may run, by name' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand grep" -l log -d 'Append a line of JSON for each call to this file, which lies outside the workspace; `pinfold log` shows it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand grep" -l dialect -d 'The set of tools: `coding` for a coding agent, `env` for a small execution environment with virtual paths' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand grep" -l read-only -d 'Change nothing, run nothing'
complete -c pinfold -n "__fish_pinfold_using_subcommand grep" -l json -d 'Print the result as JSON'
complete -c pinfold -n "__fish_pinfold_using_subcommand grep" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand glob" -l root -d 'The root of the workspace [default: `cwd` of the policy, else the current directory]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand glob" -l policy -d 'The policy, as TOML or JSON [default: pinfold/policy.toml in the user\'s configuration folder, else read and write in the root, but no secrets, and run nothing]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand glob" -l scope -d 'Narrow the workspace to a folder of it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand glob" -l allow -d 'Programs that may run, by name' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand glob" -l log -d 'Append a line of JSON for each call to this file, which lies outside the workspace; `pinfold log` shows it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand glob" -l dialect -d 'The set of tools: `coding` for a coding agent, `env` for a small execution environment with virtual paths' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand glob" -l read-only -d 'Change nothing, run nothing'
complete -c pinfold -n "__fish_pinfold_using_subcommand glob" -l json -d 'Print the result as JSON'
complete -c pinfold -n "__fish_pinfold_using_subcommand glob" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand edit" -l old -d 'The exact text to replace' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand edit" -l new -d 'The text to put in its place' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand edit" -l root -d 'The root of the workspace [default: `cwd` of the policy, else the current directory]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand edit" -l policy -d 'The policy, as TOML or JSON [default: pinfold/policy.toml in the user\'s configuration folder, else read and write in the root, but no secrets, and run nothing]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand edit" -l scope -d 'Narrow the workspace to a folder of it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand edit" -l allow -d 'Programs that may run, by name' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand edit" -l log -d 'Append a line of JSON for each call to this file, which lies outside the workspace; `pinfold log` shows it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand edit" -l dialect -d 'The set of tools: `coding` for a coding agent, `env` for a small execution environment with virtual paths' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand edit" -l all -d 'Everywhere it stands'
complete -c pinfold -n "__fish_pinfold_using_subcommand edit" -l read-only -d 'Change nothing, run nothing'
complete -c pinfold -n "__fish_pinfold_using_subcommand edit" -l json -d 'Print the result as JSON'
complete -c pinfold -n "__fish_pinfold_using_subcommand edit" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand run" -l root -d 'The root of the workspace [default: `cwd` of the policy, else the current directory]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand run" -l policy -d 'The policy, as TOML or JSON [default: pinfold/policy.toml in the user\'s configuration folder, else read and write in the root, but no secrets, and run nothing]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand run" -l scope -d 'Narrow the workspace to a folder of it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand run" -l allow -d 'Programs that may run, by name' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand run" -l log -d 'Append a line of JSON for each call to this file, which lies outside the workspace; `pinfold log` shows it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand run" -l dialect -d 'The set of tools: `coding` for a coding agent, `env` for a small execution environment with virtual paths' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand run" -l timeout-ms -d 'Milliseconds; the policy may allow less' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand run" -l read-only -d 'Change nothing, run nothing'
complete -c pinfold -n "__fish_pinfold_using_subcommand run" -l passthrough -d 'End with the status of the command'
complete -c pinfold -n "__fish_pinfold_using_subcommand run" -l json -d 'Print the result as JSON'
complete -c pinfold -n "__fish_pinfold_using_subcommand run" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand check" -l mode -d 'How the line is read' -r -f -a "argv\t'One program with its arguments, no shell'
sh\t'By a shell: lists, pipelines, redirections, `cd`'"
complete -c pinfold -n "__fish_pinfold_using_subcommand check" -l root -d 'The root of the workspace; it need not exist [default: `cwd` of the policy, else the current directory]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand check" -l policy -d 'The policy, as TOML or JSON [default: pinfold/policy.toml in the user\'s configuration folder, else nothing runs but what --allow names]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand check" -l allow -d 'Programs that may run, by name' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand check" -l json -d 'Print the verdict as JSON'
complete -c pinfold -n "__fish_pinfold_using_subcommand check" -l batch -d 'Read JSON Lines from standard input, one question each, and answer each with one line'
complete -c pinfold -n "__fish_pinfold_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pinfold -n "__fish_pinfold_using_subcommand explain" -l log -d 'A log: why the last call in it that was refused was, and what the policy says now' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand explain" -l call -d 'Which call of the log, by its line' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand explain" -l root -d 'The root of the workspace; for a line it need not exist [default: `cwd` of the policy, else the current directory]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand explain" -l policy -d 'The policy, as TOML or JSON [default: as for `check`]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand explain" -l allow -d 'Programs that may run, by name' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand explain" -l json -d 'Print as JSON'
complete -c pinfold -n "__fish_pinfold_using_subcommand explain" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand log" -l tool -d 'Only calls of this tool' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand log" -l verdict -d 'Only calls that ended so' -r -f -a "done\t'With a result'
refused\t'By a no of the policy'
failed\t'By another error'
given-up\t'Before there was an answer'"
complete -c pinfold -n "__fish_pinfold_using_subcommand log" -l since -d 'Only calls that began this long ago or later, such as 90s, 15m, 2h, 1day' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand log" -s f -l follow -d 'Go on as calls are made, until it is interrupted'
complete -c pinfold -n "__fish_pinfold_using_subcommand log" -l json -d 'Print the lines as they are'
complete -c pinfold -n "__fish_pinfold_using_subcommand log" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and not __fish_seen_subcommand_from init show check test limits schema import help" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and not __fish_seen_subcommand_from init show check test limits schema import help" -f -a "init" -d 'Write a starter policy for the project in a folder'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and not __fish_seen_subcommand_from init show check test limits schema import help" -f -a "show" -d 'Show the policy that holds, and where each value comes from'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and not __fish_seen_subcommand_from init show check test limits schema import help" -f -a "check" -d 'Say what is wrong or questionable in a policy file'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and not __fish_seen_subcommand_from init show check test limits schema import help" -f -a "test" -d 'Try the examples of a policy file'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and not __fish_seen_subcommand_from init show check test limits schema import help" -f -a "limits" -d 'List every bound, its value and what moves it'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and not __fish_seen_subcommand_from init show check test limits schema import help" -f -a "schema" -d 'Print the JSON Schema of policy files, for editors'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and not __fish_seen_subcommand_from init show check test limits schema import help" -f -a "import" -d 'Turn the permission rules of another program into a policy'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and not __fish_seen_subcommand_from init show check test limits schema import help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from init" -s o -l output -d 'Where to write, `-` for standard output [default: pinfold/NAME.toml in the user\'s configuration folder, with the name of the project\'s folder]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from init" -l force -d 'Replace a file that is there'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from init" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from show" -l root -d 'The root of the workspace [default: `cwd` of the policy, else the current directory]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from show" -l policy -d 'The policy, as TOML or JSON [default: pinfold/policy.toml in the user\'s configuration folder, else read and write in the root, but no secrets, and run nothing]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from show" -l scope -d 'Narrow the workspace to a folder of it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from show" -l allow -d 'Programs that may run, by name' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from show" -l log -d 'Append a line of JSON for each call to this file, which lies outside the workspace; `pinfold log` shows it' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from show" -l dialect -d 'The set of tools: `coding` for a coding agent, `env` for a small execution environment with virtual paths' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from show" -l read-only -d 'Change nothing, run nothing'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from show" -l json -d 'Print as JSON: field, value and origin of each'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from check" -l root -d 'The root of the workspace [default: `cwd` of the policy]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from check" -l json -d 'Print as JSON'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from test" -l root -d 'The root of the workspace [default: `cwd` of the policy]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from test" -l json -d 'Print as JSON'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from test" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from limits" -l json -d 'Print as JSON'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from limits" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from schema" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from import" -l from -d 'Whose rules they are' -r -f -a "claude-code\t'`permissions` of a settings.json of Claude Code'
codex\t'Prefix rules of a .rules file of Codex'"
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from import" -l root -d 'The root of the workspace, which becomes `cwd` [default: the current directory]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from import" -s o -l output -d 'Where to write [default: standard output]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from import" -l force -d 'Replace a file that is there'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from import" -l json -d 'Print what was carried over and what was lost as JSON, and no policy'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from import" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from help" -f -a "init" -d 'Write a starter policy for the project in a folder'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show the policy that holds, and where each value comes from'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from help" -f -a "check" -d 'Say what is wrong or questionable in a policy file'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from help" -f -a "test" -d 'Try the examples of a policy file'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from help" -f -a "limits" -d 'List every bound, its value and what moves it'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from help" -f -a "schema" -d 'Print the JSON Schema of policy files, for editors'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from help" -f -a "import" -d 'Turn the permission rules of another program into a policy'
complete -c pinfold -n "__fish_pinfold_using_subcommand policy; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c pinfold -n "__fish_pinfold_using_subcommand install" -l client -d 'The client' -r -f -a "claude-code\t''
claude-desktop\t''
codex\t''
cursor\t''
vscode\t''
zed\t''
gemini\t''
opencode\t''"
complete -c pinfold -n "__fish_pinfold_using_subcommand install" -l policy -d 'The policy [default: pinfold/NAME.toml in your configuration folder, with the name of the root\'s folder, if it is there]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand install" -l allow -d 'Programs that may run, by name, without a policy' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand install" -l name -d 'What the client calls the server' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand install" -l file -d 'Its settings [default: where the client looks for them]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand install" -l read-only -d 'Change nothing, run nothing'
complete -c pinfold -n "__fish_pinfold_using_subcommand install" -l user -d 'In your own settings, for all projects, instead of those of the project'
complete -c pinfold -n "__fish_pinfold_using_subcommand install" -l dry-run -d 'Show the change and make none'
complete -c pinfold -n "__fish_pinfold_using_subcommand install" -l json -d 'Print what was done as JSON'
complete -c pinfold -n "__fish_pinfold_using_subcommand install" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand mcp-config" -l policy -d 'The policy [default: pinfold/NAME.toml in your configuration folder, with the name of the root\'s folder, if it is there]' -r -F
complete -c pinfold -n "__fish_pinfold_using_subcommand mcp-config" -l allow -d 'Programs that may run, by name, without a policy' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand mcp-config" -l name -d 'What the client calls the server' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand mcp-config" -l read-only -d 'Change nothing, run nothing'
complete -c pinfold -n "__fish_pinfold_using_subcommand mcp-config" -l user -d 'In your own settings, for all projects, instead of those of the project'
complete -c pinfold -n "__fish_pinfold_using_subcommand mcp-config" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand tools" -l dialect -d 'The set of tools: `coding` for a coding agent, `env` for a small execution environment with virtual paths' -r
complete -c pinfold -n "__fish_pinfold_using_subcommand tools" -l json -d 'Print them as JSON, with the schema of their arguments'
complete -c pinfold -n "__fish_pinfold_using_subcommand tools" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand doctor" -l json -d 'Print as JSON'
complete -c pinfold -n "__fish_pinfold_using_subcommand doctor" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand completions" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand man" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand demo" -l keep -d 'Keep the temporary folder, to look at what was done'
complete -c pinfold -n "__fish_pinfold_using_subcommand demo" -s h -l help -d 'Print help'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "mcp" -d 'Serve a folder to an MCP client, over standard input and output'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "call" -d 'Make one call and print its result as JSON'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "ls" -d 'List a folder'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "read" -d 'Show a file, or lines of it'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "grep" -d 'Search the content of files'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "glob" -d 'Find files by name'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "edit" -d 'Replace exact text in a file'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "run" -d 'Run a command'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "check" -d 'Say whether a command line may run, and why not; nothing is run'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "explain" -d 'Say why: of a path, a line for a shell, or a call in a log'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "log" -d 'Show the calls in a log'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "policy" -d 'Write, look at and try policies'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "install" -d 'Put a workspace into the settings of an MCP client'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "mcp-config" -d 'Print what `install` would put there'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "tools" -d 'List the tools and their arguments'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "doctor" -d 'Try which protections hold on this machine'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "completions" -d 'Print a script that completes the command in a shell'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "man" -d 'Print a man page'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "demo" -d 'Play a recorded session of an agent in a temporary folder'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and not __fish_seen_subcommand_from mcp call ls read grep glob edit run check explain log policy install mcp-config tools doctor completions man demo help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and __fish_seen_subcommand_from policy" -f -a "init" -d 'Write a starter policy for the project in a folder'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and __fish_seen_subcommand_from policy" -f -a "show" -d 'Show the policy that holds, and where each value comes from'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and __fish_seen_subcommand_from policy" -f -a "check" -d 'Say what is wrong or questionable in a policy file'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and __fish_seen_subcommand_from policy" -f -a "test" -d 'Try the examples of a policy file'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and __fish_seen_subcommand_from policy" -f -a "limits" -d 'List every bound, its value and what moves it'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and __fish_seen_subcommand_from policy" -f -a "schema" -d 'Print the JSON Schema of policy files, for editors'
complete -c pinfold -n "__fish_pinfold_using_subcommand help; and __fish_seen_subcommand_from policy" -f -a "import" -d 'Turn the permission rules of another program into a policy'
