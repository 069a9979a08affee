// What the user types into the user interface, in a pseudo-terminal with the reference agent.
import { chmodSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { agentProgram, clientProgram, sampleProject, temporaryDirectory } from "../support/main-job-programs.ts";
import { executableOf } from "../support/runtimes.ts";
import { TerminalScreen } from "../support/terminal/terminal-screen.ts";

const home = temporaryDirectory();
const ready = /Reference agent · Ask/u;
let editor = "";

beforeAll(() => {
  editor = join(home.path, "edit.sh");
  // It keeps what it was given, and whether others can read that.
  const script = ["#!/bin/sh", `cp -p "$1" "${home.path}/given"`, 'printf "/read\\nfrom the editor\\n" >> "$1"', ""];
  writeFileSync(editor, script.join("\n"));
  chmodSync(editor, 0o755);
});

afterAll(() => home[Symbol.dispose]());

/** Starts the program in a project. */
async function open(
  cwd: string,
  agent: readonly string[] = [agentProgram, "--pace", "0"],
  shown = ready,
): Promise<TerminalScreen> {
  const { path } = home;
  const env = { XDG_STATE_HOME: path, XDG_CONFIG_HOME: path, XDG_CACHE_HOME: path, TMPDIR: path, VISUAL: editor };
  const command = executableOf("node24");
  const args = [clientProgram, "--cwd", cwd, "--", command, ...agent];
  const terminal = new TerminalScreen(args, { command, env });
  await terminal.shows(shown);
  return terminal;
}

test("a prompt can be written in $VISUAL, and is found in the history of the next run", async () => {
  using project = sampleProject();
  using first = await open(project.path);
  first.type("kept ");
  await first.shows(/^> kept$/mu);
  first.type("\u0007");
  await first.shows(/^> kept \/read\n {2}from the editor$/mu);
  expect(readFileSync(join(home.path, "given"), "utf8")).toBe("kept ");
  expect(statSync(join(home.path, "given")).mode & 0o777).toBe(0o600);
  expect(readdirSync(home.path).filter((name) => name.startsWith("acp-prompt"))).toEqual([]);
  first.type("\r");
  await first.shows(/only understand instructions/u);
  first.type("\u0004");
  await first.ended;

  using second = await open(project.path);
  second.type("\u001B[A");
  await second.shows(/^> kept \/read\n {2}from the editor$/mu);
  second.type("\u0015\u0015\u0015other");
  await second.shows(/^> other$/mu);
  second.type("\u0012EDITOR");
  await second.shows(/^> kept \/read\n {2}from the editor\nsearch: EDITOR▏ {2}1 of 1/mu);
  second.type("\u001B");
  await second.shows(/^> other$/mu);
});

/** An agent that asks for permission once there is a file, and then tells how that was answered. */
const askingAgent = `
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const answers = { initialize: { protocolVersion: 1, agentInfo: { name: "asking", version: "1" } }, "session/new": { sessionId: "s" } };
let prompt;
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, result } = JSON.parse(line);
  if (method === "session/prompt") {
    prompt = id;
    while (!existsSync(process.argv[2])) await setTimeout(20);
    const options = [{ optionId: "yes", name: "Allow", kind: "allow_once" }, { optionId: "no", name: "Reject", kind: "reject_once" }];
    send({ id: "q", method: "session/request_permission", params: { sessionId: "s", toolCall: { toolCallId: "c", title: "Do it" }, options } });
  } else if (id === "q") {
    const text = "answered " + result.outcome.optionId;
    send({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
    send({ id: prompt, result: { stopReason: "end_turn" } });
  } else if (id !== undefined) send({ id, result: answers[method] ?? {} });
}
`;

test("who is typing when a question appears continues typing, and does not answer it", async () => {
  using project = sampleProject();
  const agent = join(home.path, "asking-agent.mjs");
  writeFileSync(agent, askingAgent);
  using terminal = await open(project.path, [agent, join(project.path, "now")], /asking/u);
  terminal.type("go\r");
  await terminal.shows(/Enter queues/u);
  terminal.type("1");
  await terminal.shows(/^> 1$/mu);
  writeFileSync(join(project.path, "now"), "");
  await terminal.shows(/Keys go to your prompt/u);
  terminal.type("2nd");
  const question = await terminal.shows(/^> 12nd$/mu);
  expect(question).toContain("the agent says: Do it");
  terminal.type("\r");
  await terminal.shows(/1-2 or ↑↓ and Enter: answer · Esc: reject/u);
  terminal.type("2");
  await terminal.shows(/answered no/u);
  await terminal.shows(/^> 12nd$/mu);
});

test("Esc rejects, and a form of the agent is filled in", async () => {
  using project = sampleProject();
  using terminal = await open(project.path);
  terminal.type("/write new.txt: hello\r");
  await terminal.shows(/Esc: reject/u);
  terminal.type("\u001B");
  await terminal.shows(/→ Reject once: Reject/u);
  await terminal.shows(/^■ /mu);
  expect(existsSync(join(project.path, "new.txt"))).toBe(false);
  terminal.type("/form\r");
  await terminal.shows(/1 Fill it in/u);
  terminal.type("1");
  const form = await terminal.shows(/1 of \d/u);
  const row = form.split("\n").findIndex((line) => line.startsWith(">"));
  await expect.poll(() => terminal.cursor).toEqual({ x: 2, y: row });
  terminal.type("\u001B");
  await terminal.shows(/3 Decline|2 Decline/u);
  terminal.type("\u001B");
  await terminal.shows(/Type a prompt/u);
});

test("the cursor follows wide characters, and long prompts scroll within a few rows", async () => {
  using project = sampleProject();
  using terminal = await open(project.path);
  terminal.type("日本語👩‍💻e\u0301");
  await terminal.shows(/日本語/u);
  await expect.poll(() => terminal.cursor.x).toBe(2 + 6 + 2 + 1);
  terminal.type(`\u001B[200~${"line\n".repeat(9)}end\u001B[201~`);
  await terminal.shows(/^ {2}end$/mu);
  terminal.type("\u000Amore\u000Aand more");
  const screen = await terminal.shows(/^ {2}and more$/mu);
  expect(screen.match(/line$/gmu)?.length).toBeLessThan(9);
  expect(screen).toMatch(/^↕ /mu);
  await expect.poll(() => terminal.cursor.x).toBe(2 + "and more".length);
});
