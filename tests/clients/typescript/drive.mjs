// Drives `pinfold mcp` with the official TypeScript SDK, as an agent's client would.
//
//     node drive.mjs PINFOLD REPOSITORY
//
// REPOSITORY is a copy of this repository that may be edited, with a file `outside.txt` beside it.
// Exit status 0 when all of it holds.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const TOOLS = ["read_file", "write_file", "edit_file", "list_dir", "grep", "glob", "run_shell", "todo_read"];
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
const [binary, repo] = process.argv.slice(2).map((name) => path.resolve(name));
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** The result of a call that must work. */
async function call(client, name, args) {
  const answer = await client.callTool({ name, arguments: args });
  assert.ok(!answer.isError, `${name} ${JSON.stringify(args)}: ${answer.content[0].text}`);
  return JSON.parse(answer.content[0].text);
}

/** The type of the error of a call that must be refused. */
async function refusal(client, name, args) {
  const answer = await client.callTool({ name, arguments: args });
  assert.equal(answer.isError, true, `${name} ${JSON.stringify(args)} was not refused`);
  const { error } = JSON.parse(answer.content[0].text);
  assert.ok(error.kind && error.message, "an error says what happened");
  return error.type;
}

function greets(client) {
  assert.equal(client.getServerVersion().name, "pinfold");
  assert.ok(client.getInstructions(), "no instructions");
  assert.ok(client.getServerCapabilities().tools, "no tools");
}

async function listsTools(client) {
  const { tools } = await client.listTools();
  const names = tools.map((tool) => tool.name);
  assert.deepEqual(TOOLS.filter((name) => !names.includes(name)), [], "missing tools");
  for (const { name, description, inputSchema, annotations } of tools) {
    assert.ok(description, `${name} has no description`);
    assert.equal(inputSchema.type, "object", name);
    assert.equal(inputSchema.additionalProperties, false, `${name} takes unknown arguments`);
    assert.deepEqual(HINTS.filter((hint) => typeof annotations?.[hint] !== "boolean"), [], `${name} leaves hints unset`);
  }
}

async function readsAndSearches(client) {
  const read = await call(client, "read_file", { path: "Cargo.toml" });
  const disk = readFileSync(path.join(repo, "Cargo.toml"));
  assert.equal(read.path, "Cargo.toml");
  assert.equal(read.startLine, 1);
  assert.ok(read.content.startsWith("     1\t[workspace]"), read.content.slice(0, 80));
  assert.equal(read.totalBytes, disk.length);
  assert.equal(read.hash, sha256(disk));

  const { entries } = await call(client, "list_dir", { path: "." });
  assert.ok(entries.some((entry) => entry.path === "crates" && entry.type === "directory"), "crates is listed");
  const { matches } = await call(client, "grep", { pattern: "resolver = " });
  assert.ok(matches.some((match) => match.path === "Cargo.toml" && match.line === 2), "grep finds the line");
  const { paths } = await call(client, "glob", { pattern: "crates/*/Cargo.toml" });
  assert.ok(paths.includes("crates/pinfold-cli/Cargo.toml"), "glob finds the manifests");
}

async function writesAndEdits(client) {
  const name = "notes-typescript.txt";
  const wrote = await call(client, "write_file", { path: name, content: "one\ntwo\n" });
  assert.deepEqual([wrote.created, wrote.bytes], [true, 8]);
  const edited = await call(client, "edit_file", { path: name, oldString: "two", newString: "three" });
  const disk = readFileSync(path.join(repo, name));
  assert.equal(disk.toString(), "one\nthree\n");
  assert.deepEqual([edited.hash, edited.replacements], [sha256(disk), 1]);
  assert.ok(edited.diff.includes("+three"), edited.diff);
}

async function isRefused(client) {
  for (const outside of ["../outside.txt", "/etc/passwd", path.join(repo, "..", "outside.txt")]) {
    assert.equal(await refusal(client, "read_file", { path: outside }), "path-escape", outside);
  }
  assert.equal(await refusal(client, "write_file", { path: "../new.txt", content: "x" }), "path-escape");
  assert.ok(!existsSync(path.join(repo, "..", "new.txt")), "a refused write was made");
  assert.equal(await refusal(client, "read_file", { path: "Cargo.toml", colour: "red" }), "bad-arguments");
  assert.equal(await refusal(client, "read_file", {}), "bad-arguments");
  assert.equal(await refusal(client, "run_shell", { command: "ls" }), "denied-command");
  const unknown = client.callTool({ name: "no_such_tool", arguments: {} });
  await assert.rejects(unknown, { code: -32602 }, "an unknown tool is a protocol error");
}

async function runsAndCancels(client) {
  const ran = await call(client, "run_shell", { command: "cargo --version" });
  assert.equal(ran.exitCode, 0);
  assert.match(ran.stdout, /^cargo /);

  // A time that nobody else sleeps, so that the process can be told from all others.
  const seconds = `300.${process.pid}`;
  const stop = new AbortController();
  const long = { name: "run_shell", arguments: { command: `sleep ${seconds}` } };
  const rejected = assert.rejects(client.callTool(long, undefined, { signal: stop.signal }));
  await until(() => sleeps(seconds), 10, "the command did not start");
  stop.abort();
  await rejected;
  await until(() => !sleeps(seconds), 5, "the cancelled command still runs");
  await call(client, "list_dir", { path: "." });
}

/** Whether a process with this argument lives. */
function sleeps(seconds) {
  return readdirSync("/proc").some((name) => /^\d+$/.test(name) && commandLine(name).includes(`sleep\0${seconds}`));
}

function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // it ended meanwhile
  }
}

async function until(holds, seconds, complaint) {
  const end = performance.now() + seconds * 1000;
  while (!holds()) {
    assert.ok(performance.now() < end, `${complaint} after ${seconds} s`);
    await pause(50);
  }
}

/** With `--structured` a result is an object too. */
async function structured() {
  const transport = new StdioClientTransport({ command: binary, args: ["mcp", repo, "--structured", "--allow", "cargo"] });
  const client = new Client({ name: "pinfold-client-test", version: "1.0.0" });
  await client.connect(transport);
  await listsTools(client);
  const answer = await client.callTool({ name: "read_file", arguments: { path: "Cargo.toml" } });
  assert.equal(answer.structuredContent.text, answer.content[0].text);
  assert.equal(answer.structuredContent.path, "Cargo.toml");
  await client.close();
}

await structured();
const transport = new StdioClientTransport({ command: binary, args: ["mcp", repo, "--allow", "cargo,sleep"] });
const client = new Client({ name: "pinfold-client-test", version: "1.0.0" });
await client.connect(transport);
greets(client);
await listsTools(client);
await readsAndSearches(client);
await writesAndEdits(client);
await isRefused(client);
await runsAndCancels(client);

const { pid } = transport;
const leaving = performance.now();
await client.close();
// The SDK closes standard input and waits 2 s; only then it sends signals. So it went by itself.
assert.ok(performance.now() - leaving < 2000, "the server outlived its input");
assert.equal(commandLine(pid), "", "the server is still there");
console.log("typescript SDK: all holds");
