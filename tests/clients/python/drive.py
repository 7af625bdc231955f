#!/usr/bin/env python3
"""Drives `pinfold mcp` with the official Python SDK, as an agent's client would.

    drive.py PINFOLD REPOSITORY

REPOSITORY is a copy of this repository that may be edited, with a file `outside.txt` beside it. Every step runs
twice: once after the `initialize` handshake, once in the stateless revision that begins with `server/discover`.
Exit status 0 when all of it holds.
"""
import hashlib, json, os, sys, time
from pathlib import Path

import anyio
from mcp import Client, MCPError, StdioServerParameters

TOOLS = {"read_file", "write_file", "edit_file", "list_dir", "grep", "glob", "run_shell", "todo_read"}
REVISIONS = {"legacy": "2025-11-25", "auto": "2026-07-28"}
HINTS = ("read_only_hint", "destructive_hint", "idempotent_hint", "open_world_hint")


def holds(true, what):
    if not true:
        raise AssertionError(what)


async def call(client, tool, **arguments):
    """The result of a call that must work."""
    answer = await client.call_tool(tool, arguments)
    text = answer.content[0].text
    holds(not answer.is_error, f"{tool} {arguments}: {text}")
    return json.loads(text)


async def refusal(client, tool, **arguments):
    """The error of a call that must be refused."""
    answer = await client.call_tool(tool, arguments)
    text = answer.content[0].text
    holds(answer.is_error, f"{tool} {arguments} was not refused: {text}")
    error = json.loads(text)["error"]
    holds(error["kind"] and error["message"], f"an error says what happened: {error}")
    return error["type"]


async def greets(client, mode):
    holds(client.protocol_version == REVISIONS[mode], f"{mode} speaks {client.protocol_version}")
    holds(client.server_info.name == "pinfold", f"server {client.server_info}")
    holds(client.instructions, "no instructions")


async def lists_tools(client):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    holds(TOOLS <= set(tools), f"missing: {TOOLS - set(tools)}")
    for name, tool in tools.items():
        holds(tool.description, f"{name} has no description")
        holds(tool.input_schema.get("type") == "object", f"{name}: {tool.input_schema}")
        holds(tool.input_schema.get("additionalProperties") is False, f"{name} takes unknown arguments")
        holds(tool.annotations, f"{name} has no annotations")
        unset = [hint for hint in HINTS if getattr(tool.annotations, hint) is None]
        holds(not unset, f"{name} leaves {unset} to be guessed")


async def reads_and_searches(client, repo):
    read = await call(client, "read_file", path="Cargo.toml")
    disk = (repo / "Cargo.toml").read_bytes()
    holds(read["path"] == "Cargo.toml" and read["startLine"] == 1, read)
    holds(read["content"].startswith("     1\t[workspace]"), read["content"][:80])
    holds(read["totalBytes"] == len(disk) and read["hash"] == hashlib.sha256(disk).hexdigest(), read)
    holds(not read["truncated"] and not read["bytesCapped"], read)

    listed = await call(client, "list_dir", path=".")
    holds({"path": "crates", "type": "directory", "depth": 1} in listed["entries"], listed)
    found = await call(client, "grep", pattern="resolver = ")
    holds(any(match["path"] == "Cargo.toml" and match["line"] == 2 for match in found["matches"]), found)
    named = await call(client, "glob", pattern="crates/*/Cargo.toml")
    holds("crates/pinfold-cli/Cargo.toml" in named["paths"], named)


async def writes_and_edits(client, repo, mode):
    name = f"notes-{mode}.txt"
    wrote = await call(client, "write_file", path=name, content="one\ntwo\n")
    holds(wrote["created"] and wrote["bytes"] == 8, wrote)
    edited = await call(client, "edit_file", path=name, oldString="two", newString="three")
    disk = (repo / name).read_bytes()
    holds(disk == b"one\nthree\n", disk)
    holds(edited["hash"] == hashlib.sha256(disk).hexdigest() and edited["replacements"] == 1, edited)
    holds("+three" in edited["diff"], edited["diff"])
    holds(await refusal(client, "edit_file", path=name, oldString="four", newString="5") == "not-found", "edit")


async def is_refused(client, repo):
    for path in ("../outside.txt", "/etc/passwd", str(repo.parent / "outside.txt")):
        holds(await refusal(client, "read_file", path=path) == "path-escape", path)
    holds(await refusal(client, "write_file", path="../new.txt", content="x") == "path-escape", "write outside")
    holds(not (repo.parent / "new.txt").exists(), "a refused write was made")
    holds(await refusal(client, "read_file", path="Cargo.toml", colour="red") == "bad-arguments", "unknown argument")
    holds(await refusal(client, "read_file", path=["x"]) == "bad-arguments", "wrong type")
    holds(await refusal(client, "run_shell", command="ls") == "denied-command", "not on the allow list")
    try:
        await client.call_tool("no_such_tool", {})
    except MCPError as error:
        holds(error.error.code == -32602, f"unknown tool: {error.error}")
    else:
        raise AssertionError("an unknown tool is a protocol error")


async def runs_and_cancels(client, mode):
    ran = await call(client, "run_shell", command="cargo --version")
    holds(ran["exitCode"] == 0 and ran["stdout"].startswith("cargo "), ran)

    # A time that nobody else sleeps, so that the process can be told from all others.
    seconds = f"300.{os.getpid()}{len(mode)}"
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, "run_shell", {"command": f"sleep {seconds}"})
        await until(lambda: sleeps(seconds), 10, "the command did not start")
        tasks.cancel_scope.cancel()
    await until(lambda: not sleeps(seconds), 5, "the cancelled command still runs")
    await call(client, "list_dir", path=".")


def sleeps(seconds):
    """Whether a process with this argument lives."""
    wanted = b"sleep\0" + seconds.encode()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "cmdline").read_bytes():
                return True
        except OSError:
            pass
    return False


async def until(true, seconds, complaint):
    with anyio.move_on_after(seconds):
        while not true():
            await anyio.sleep(0.05)
        return
    raise AssertionError(f"{complaint} after {seconds} s")


def children(repo):
    """The servers that this process has started over the repository."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid() and b"mcp\0" + os.fsencode(repo) in (folder / "cmdline").read_bytes():
                found.append(folder.name)
        except OSError:
            pass
    return found


async def session(binary, repo, mode):
    server = StdioServerParameters(command=binary, args=["mcp", str(repo), "--allow", "cargo,sleep"])
    async with Client(server, mode=mode, read_timeout_seconds=60) as client:
        await greets(client, mode)
        await lists_tools(client)
        await reads_and_searches(client, repo)
        await writes_and_edits(client, repo, mode)
        await is_refused(client, repo)
        await runs_and_cancels(client, mode)
        holds(children(repo), "the server is still there")
        leaving = time.monotonic()
    # The SDK closes standard input and waits 2 s; only then it sends signals. So it went by itself.
    took = time.monotonic() - leaving
    holds(took < 2 and not children(repo), f"the server outlived its input: {took:.1f} s")
    print(f"python SDK, {REVISIONS[mode]}: all holds")


async def structured(binary, repo):
    """With `--structured` a result is an object too."""
    server = StdioServerParameters(command=binary, args=["mcp", str(repo), "--structured", "--allow", "cargo"])
    async with Client(server, read_timeout_seconds=60) as client:
        await lists_tools(client)
        answer = await client.call_tool("read_file", {"path": "Cargo.toml"})
        holds(answer.structured_content["text"] == answer.content[0].text, "the object lacks the text")
        holds(answer.structured_content["path"] == "Cargo.toml", f"{answer.structured_content}")
    print("python SDK, structured: all holds")


async def main():
    binary, repo = sys.argv[1], Path(sys.argv[2]).resolve()
    await structured(binary, repo)
    for mode in REVISIONS:
        await session(binary, repo, mode)


anyio.run(main)
