// An agent that dies, is slow or does not start, in the user interface.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { ChatScreen, ready } from "../support/terminal/chat-screen.ts";
import { referenceAgent, temporaryDirectory } from "../support/main-job-programs.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { control } from "../support/terminal/terminal.ts";

/** An agent that dies of the prompt "die", and can do with sessions what `capabilities` says. */
function mortalAgent(directory: string, capabilities: object): string[] {
  const file = join(directory, "mortal-agent.mjs");
  writeFileSync(
    file,
    `import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
let sessions = 0;
let mode = "ask";
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const say = (text) => send({ method: "session/update", params: { sessionId: params.sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
  if (method === "initialize") send({ id, result: { protocolVersion: 1, agentInfo: { name: "mortal", version: "1" }, agentCapabilities: ${JSON.stringify(capabilities)} } });
  else if (method === "session/new") {
    mode = "ask";
    const availableModes = [{ id: "ask", name: "Ask" }, { id: "code", name: "Code" }];
    send({ id, result: { sessionId: "s" + process.pid + "-" + (sessions += 1), modes: { currentModeId: mode, availableModes } } });
  } else if (method === "session/set_mode") {
    mode = params.modeId;
    say("changing");
    setTimeout(() => send({ id, result: {} }), 300);
  }
  else if (method === "session/load") {
    say("the history");
    send({ id, result: {} });
  } else if (method === "session/prompt") {
    if (params.prompt[0].text === "die") {
      say("ouch");
      console.error("out of luck");
      process.exit(3);
    }
    say("still in " + params.sessionId + " as " + mode);
    send({ id, result: { stopReason: "end_turn" } });
  } else if (id !== undefined) send({ id, result: {} });
}
`,
  );
  return ["--", process.execPath, file];
}

test("an agent that changes its mode slowly is not reported to have changed it by itself", async () => {
  using directory = temporaryDirectory();
  using chat = new ChatScreen(mortalAgent(directory.path, {}), { cwd: directory.path });
  await chat.shows(ready);
  chat.type("hello\r");
  await chat.shows(/still in [^]*Type a prompt/u);
  chat.type("\u001B[Z");
  await chat.shows(/changing[^]*mortal.* Code/u);
  expect(chat.everything).not.toContain("Mode:");
});

describe("an agent that dies", () => {
  test.each([
    ["resumes its session", { sessionCapabilities: { resume: {} } }, true],
    ["loads its session, without showing its history again", { loadSession: true }, true],
    ["opens a new session if it can do neither", {}, false],
  ] as const)("is started again, and %s", async (_, capabilities, isSame) => {
    using directory = temporaryDirectory();
    using chat = new ChatScreen(mortalAgent(directory.path, capabilities), {
      cwd: directory.path,
      columns: 200,
      rows: 50,
    });
    await chat.shows(ready);
    await chat.say("hello");
    const [, first = ""] = /still in (s\d+)/u.exec(await chat.shows(/still in s\d+[^]*Type a prompt/u)) ?? [];
    await chat.say("die");
    await chat.shows(/ouch[^]*exited with code 3[^]*out of luck[^]*The next prompt starts the agent again/u);
    await chat.say("again");
    const after = await chat.shows(/❯ again\n\nstill in s\d+[^]*Type a prompt/u);
    const [, second = ""] = /❯ again\n\nstill in (s\d+)/u.exec(after) ?? [];
    expect(second === first).toBe(isSame);
    expect(after).toContain(isSame ? "the session goes on" : "This is a new session");
    expect(chat.everything).not.toContain("the history");
    // The failure is told once.
    expect(chat.everything.match(/exited with code 3/gu)).toHaveLength(1);
  });
});

test("new sessions get the mode that the user has chosen", async () => {
  using directory = temporaryDirectory();
  const agent = mortalAgent(directory.path, {});
  using chat = new ChatScreen(agent, { cwd: directory.path, columns: 200, rows: 50 });
  await chat.shows(/mortal · Ask/u);
  await chat.say("/mode code");
  await chat.shows(/mortal · Code/u);
  await chat.say("zero");
  await chat.shows(/still in s\d+-1 as code[^]*Type a prompt/u);
  await chat.say("/new");
  await chat.shows(/── Session s\d+-2/u);
  await chat.say("one");
  await chat.shows(/still in s\d+-2 as code[^]*Type a prompt/u);
  await chat.say("die");
  await chat.shows(/The next prompt starts the agent again/u);
  await chat.say("two");
  await chat.shows(/❯ two\n\nstill in s\d+-1 as code[^]*Type a prompt/u);
});

describe("an agent that does not start", () => {
  test.each([
    ["cannot be found", ["--", "no-such-program-of-anybody"], 6],
    ["ends at once", ["--", process.execPath, "-e", "console.error('no luck'); process.exit(4)"], 6],
  ] as const)("ends the program with a line if it %s", async (_, agent, code) => {
    using directory = temporaryDirectory();
    using chat = new ChatScreen(agent, { cwd: directory.path });
    expect(await chat.ended).toBe(code);
    expect(chat.everything).toMatch(/^acp: /mu);
    expect(chat.everything).not.toMatch(ready);
  });

  test("is awaited for --start-timeout when it opens a session, too", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(directory.path, "", ["session/new"]);
    // Long enough for a program to start.
    using chat = new ChatScreen(agent, { cwd: directory.path, options: ["--start-timeout", "10"] });
    await chat.shows(/ · ACP 1[^]*did not answer session\/new within 10 seconds/u);
    await chat.shows(ready);
  });

  test("lets the user type, and quit with Ctrl-C, while it takes its time", async () => {
    using directory = temporaryDirectory();
    const silent = ["--", process.execPath, "-e", "setInterval(() => {}, 1000)"];
    using chat = new ChatScreen(silent, { cwd: directory.path });
    await chat.shows(ready);
    await chat.say("early");
    await chat.shows(/⋯ early/u);
    chat.type(control("C"));
    expect(await chat.ended).toBe(130);
  });
});

test("AUTH-14: a login in the terminal gets the terminal, and the prompt continues after it", async () => {
  using directory = temporaryDirectory();
  const login = join(directory.path, "login");
  const agent = [...referenceAgent, "--require-login", login];
  using chat = new ChatScreen(agent, { cwd: directory.path });
  await chat.shows(/With a name, in a terminal/u);
  chat.type("2");
  await chat.shows(/Your name, or nothing to cancel:/u);
  chat.type("Ada\r");
  await chat.shows(/Hello Ada\.[^]*Type a prompt/u);
  expect(existsSync(login)).toBe(true);
  await chat.say("plan");
  await chat.shows(/Plan 0\/5[^]*Type a prompt/u);
});
