// Agents whose updates do not come with the answer that they belong to: a history behind `session/load`, text behind a turn.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";

import { describe, expect, test } from "vitest";

import { ChatScreen, ready } from "../support/terminal/chat-screen.ts";
import { type Event, eventsOf, ofType } from "../support/exec-events.ts";
import {
  type Ended,
  clientProgram,
  programEnvironment,
  run,
  temporaryDirectory,
} from "../support/main-job-programs.ts";
import { control } from "../support/terminal/terminal.ts";

/** An agent in plain JSON with one session. `opened` replays its history, with `old(n)`, and `answer()` answers the request. */
function agentWith(directory: string, opened: string, prompted: string, capabilities: string): string[] {
  const file = join(directory, "late-agent.mjs");
  writeFileSync(
    file,
    `import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const update = (update) => send({ method: "session/update", params: { sessionId: "s", update } });
const say = (text, sessionUpdate = "agent_message_chunk") => update({ sessionUpdate, content: { type: "text", text } });
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const old = (n) => {
  say("old question " + n, "user_message_chunk");
  update({ sessionUpdate: "tool_call", toolCallId: "c" + n, title: "Old call " + n, status: "completed" });
  say("old answer " + n);
};
const methods = {
  initialize: (_, answer) => answer({ protocolVersion: 1, agentInfo: { name: "late", version: "1" }, agentCapabilities: ${capabilities} }),
  "session/new": (_, answer) => answer({ sessionId: "s" }),
  async open(_, answer) { ${opened} },
  async "session/prompt"({ prompt: [{ text }] }, answer) { const end = (stopReason = "end_turn") => answer({ stopReason }); ${prompted} },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const does = methods[method === "session/load" || method === "session/resume" ? "open" : method];
  if (id !== undefined) does?.(params, (result) => send({ id, result }));
}
`,
  );
  return ["--", process.execPath, file];
}

const loading = "{ loadSession: true }";
const resuming = "{ sessionCapabilities: { resume: {} } }";
const answersNew = `say("new answer to " + text); end();`;

/** When the history comes; each kind was seen at an agent, or is the rule. */
const histories: readonly [when: string, opened: string, capabilities: string][] = [
  ["before the answer", "old(1); old(2); answer({});", loading],
  ["with the answer", "old(1); answer({}); old(2);", loading],
  [
    "behind the answer, bit by bit",
    "old(1); answer({}); for (const n of [2, 3, 4, 5, 6]) { await pause(70); old(n); }",
    loading,
  ],
  ["behind the answer, all of it and late", "answer({}); await pause(350); old(1); old(2);", loading],
  ["although it resumes", "answer({}); await pause(60); old(1);", resuming],
  ["not at all", "answer({});", loading],
];

function exec(directory: string, ...args: readonly string[]): Promise<Ended> {
  const env = { XDG_STATE_HOME: join(directory, "state") };
  return run([clientProgram, "exec", "--cwd", directory, ...args], "", env);
}

describe.each(histories)("a history that comes %s", (_when, opened, capabilities) => {
  test("does not join the next answer of acp exec", async () => {
    using directory = temporaryDirectory();
    const agent = agentWith(directory.path, opened, answersNew, capabilities);
    await exec(directory.path, "--session", "q", "one", ...agent);
    const expected = { code: 0, stdout: "new answer to two\n", stderr: "" };
    expect(await exec(directory.path, "--session", "q", "two")).toEqual(expected);
    expect(await exec(directory.path, "--session", "q", "--format", "quiet", "two")).toEqual(expected);
    const { stdout } = await exec(directory.path, "--session", "q", "--format", "json", "two");
    const events = eventsOf(stdout);
    expect(events.at(-1)).toMatchObject({ text: "new answer to two", lastMessage: "new answer to two", toolCalls: 0 });
    expect(ofType(events, "message").map(({ text }: Event) => text)).toEqual(["new answer to two"]);
    expect(ofType(events, "tool_call")).toEqual([]);
  });

  if (capabilities === resuming) return;
  test("is printed before the prompt with --plain", async () => {
    using directory = temporaryDirectory();
    const agent = agentWith(directory.path, opened, answersNew, capabilities);
    const { stdout } = await run([clientProgram, "--plain", "--load", "s", "--prompt", "two", ...agent]);
    const [history = "", answer = ""] = stdout.split("\n> two\n");
    expect(answer).toContain("new answer to two");
    expect(answer).not.toContain("old");
    expect(history.match(/old answer/gu)?.length ?? 0).toBe(opened.match(/old\(\d/gu) === null ? 0 : countOf(opened));
  });
});

/** How many messages a history has. */
function countOf(opened: string): number {
  return opened.includes("for (") ? 6 : (opened.match(/old\(/gu)?.length ?? 0);
}

test("the user interface shows a late history before the first prompt, even if that waits for it", async () => {
  using directory = temporaryDirectory();
  const opened = "answer({}); for (const n of [1, 2, 3]) { await pause(90); old(n); }";
  const agent = agentWith(directory.path, opened, answersNew, loading);
  using chat = new ChatScreen(agent, { cwd: directory.path, options: ["--load", "s"], rows: 40 });
  await chat.shows(ready);
  await chat.say("two");
  await chat.shows(/new answer to two[^]*■ /u);
  chat.type(control("D"));
  await chat.ended;
  expect(chat.everything).toMatch(/old answer 1[^]*old answer 3[^]*❯ two[^]*new answer to two/u);
  expect(chat.everything.match(/old answer/gu)).toHaveLength(3);
});

/** What an agent says behind the answer to its prompt. */
const lateTexts: readonly (readonly [what: string, prompted: string, text: string])[] = [
  ["text after text", `say("Hi"); end(); await pause(60); say(" and bye");`, "Hi and bye"],
  ["text after nothing", `end(); await pause(60); say("Hi");`, "Hi"],
  ["text bit by bit", `say("0"); end(); for (const n of [1, 2, 3, 4]) { await pause(60); say(String(n)); }`, "01234"],
  ["text when everybody has gone", `say("Hi"); end(); await pause(700); say(" and bye");`, "Hi and bye"],
];

test.each(lateTexts)("acp exec prints late %s", async (_what, prompted, text) => {
  using directory = temporaryDirectory();
  const agent = agentWith(directory.path, "", prompted, loading);
  expect(await exec(directory.path, "x", ...agent)).toEqual({ code: 0, stdout: `${text}\n`, stderr: "" });
  const { stdout } = await exec(directory.path, "--format", "json", "x", ...agent);
  expect(eventsOf(stdout).at(-1)).toMatchObject({ text, stopReason: "end_turn", exitCode: 0 });
  const plain = await run([clientProgram, "--plain", "--prompt", "x", ...agent]);
  expect(plain.code).toBe(0);
  for (const part of text.split(" and ")) expect(plain.stdout).toContain(part);
});

test("acp exec prints all that an agent has said that ends before somebody reads it", async () => {
  using directory = temporaryDirectory();
  const prompted = `for (let n = 0; n < 500; n++) say("word ".repeat(200)); say("last"); end(); process.exitCode = 0; process.stdin.destroy();`;
  const agent = agentWith(directory.path, "", prompted, loading);
  const args = [clientProgram, "exec", "--verbose", "--cwd", directory.path, "x", ...agent];
  const env = programEnvironment({ XDG_STATE_HOME: join(directory.path, "state") });
  const client = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const hasEnded = new Promise<void>((resolve) => {
    let errors = "";
    client.stderr.on("data", (bytes: Buffer) => (errors += bytes.toString()).includes("closed:") && resolve());
  });
  const ended = once(client, "exit");
  await hasEnded;
  const stdout = await textOf(client.stdout);
  expect(await ended).toEqual([0, null]);
  expect(stdout).toBe(`${"word ".repeat(500 * 200)}last\n`);
});

test("acp exec explains why a prompt failed, and prints later updates of the agent", async () => {
  using directory = temporaryDirectory();
  const prompted = `say("Hi"); end("refusal"); await pause(60); say(" and no");`;
  const { code, stdout, stderr } = await exec(directory.path, "x", ...agentWith(directory.path, "", prompted, loading));
  expect({ code, stdout }).toEqual({ code: 3, stdout: "Hi and no\n" });
  expect(stderr).toContain("The turn ended with refusal");
});

test("with prompts line by line, late text does not become a part of the next turn", async () => {
  using directory = temporaryDirectory();
  const prompted = `say("answer to " + text); end(); await pause(60); say(", late"); `;
  const agent = agentWith(directory.path, "", prompted, loading);
  const { stdout } = await run([clientProgram, "--plain", "--interactive", ...agent], "one\ntwo\n/quit\n");
  expect(stdout).toMatch(/answer to one, late[^]*answer to two, late/u);
});
