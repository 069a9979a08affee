// Going on in a session of another day: of an agent that loads it, of one that has forgotten it, and of one that nobody uses.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { type ChatOptions, ChatScreen, homeOf, ready } from "../support/terminal/chat-screen.ts";
import { agentProgram, clientProgram, type Ended, run, temporaryDirectory } from "../support/main-job-programs.ts";
import { control } from "../support/terminal/terminal.ts";

const rightToLeft = "\u202E";

/**
 * An agent that keeps nothing. `wait` is never answered; other prompts are repeated, `loud` with a title that reverses its text
 * and rings. With `{ list: … }` it can list, and load, the session `theirs`.
 */
function forgetfulAgent(directory: string, capabilities = "{}"): readonly string[] {
  const file = join(directory, "forgetful.mjs");
  writeFileSync(
    file,
    `import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const title = "The ${rightToLeft}latot\\u0007 of \\u001B[31mtheirs";
const methods = {
  initialize: () => ({ protocolVersion: 1, agentInfo: { name: "forgetful", version: "1" }, agentCapabilities: ${capabilities} }),
  "session/new": () => ({ sessionId: "s" + process.pid }),
  "session/list": () => ({ sessions: [{ sessionId: "theirs", cwd: process.cwd(), title }] }),
  "session/load"({ sessionId }) {
    if (sessionId === "lost") return undefined;
    send({ method: "session/update", params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Loaded " + sessionId } } } });
    return {};
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "session/prompt") {
    const { sessionId, prompt: [{ text }] } = params;
    if (text === "die") process.exit(3);
    const update = (update) => send({ method: "session/update", params: { sessionId, update } });
    update({ sessionUpdate: "tool_call", toolCallId: "c" + id, title: "Read \\u001B[31mtotal.js", kind: "read", status: "pending" });
    update({ sessionUpdate: "tool_call_update", toolCallId: "c" + id, status: "completed" });
    if (text === "loud") update({ sessionUpdate: "session_info_update", title });
    for (const part of ["You said ", JSON.stringify(text)])
      update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: part } });
    if (text !== "wait") send({ id, result: { stopReason: "end_turn" } });
  } else if (id !== undefined) {
    const result = methods[method]?.(params);
    send(result === undefined ? { id, error: { code: -32002, message: "No such session" } } : { id, result });
  }
}
`,
  );
  return ["--", process.execPath, file];
}

/** A directory with sessions in it. */
class Place {
  readonly #directory = temporaryDirectory();
  readonly env: Readonly<Record<string, string>> = homeOf(this.#directory.path);
  readonly store: string = join(this.#directory.path, "state", "acp", "sessions");

  get path(): string {
    return this.#directory.path;
  }

  chat(args: readonly string[], more: Partial<ChatOptions> = {}): ChatScreen {
    return new ChatScreen(args, { cwd: this.path, env: this.env, ...more });
  }

  acp(...args: readonly string[]): Promise<Ended> {
    const end = args.includes("--") ? args.indexOf("--") : args.length;
    return run([clientProgram, ...args.toSpliced(end, 0, "--cwd", this.path)], "", this.env);
  }

  /** Says something in a session, and quits. Returns what the program says at its end. */
  async talk(args: readonly string[], prompt?: string): Promise<string> {
    using chat = this.chat(args);
    await chat.shows(ready);
    if (prompt !== undefined) {
      await chat.say(prompt);
      await chat.shows(/^■ /mu);
      await chat.shows(ready);
    }
    chat.type(control("D"));
    expect(await chat.ended).toBe(0);
    return /^Resume with: acp (.*)$/mu.exec(chat.everything)?.[1] ?? "";
  }

  [Symbol.dispose](): void {
    this.#directory[Symbol.dispose]();
  }
}

const reference: readonly string[] = ["--", process.execPath, agentProgram, "--no-model", "--pace", "0"];

test("the line at the end is a command that goes on in the session, which the agent loads", async () => {
  using place = new Place();
  const line = await place.talk(forgetfulAgent(place.path, "{ loadSession: true }"), "hello");
  expect(line).toMatch(/^resume [a-f][\da-f]{5}$/u);
  using chat = place.chat(line.split(" "));
  await chat.shows(/Loaded s\d+[^]*Type a prompt/u);
  expect(chat.everything).not.toContain("does not remember");
  chat.type(control("D"));
  await chat.ended;
  expect(chat.everything).toContain(`Resume with: acp ${line}`);
});

test.each(["bun", "deno"] as const)("a session of Node.js goes on in %s", async (runtime) => {
  using place = new Place();
  const line = await place.talk(forgetfulAgent(place.path), "hello");
  using chat = place.chat(["--continue"], { runtime });
  await chat.shows(/You said "hello"[^]*does not remember this session[^]*Type a prompt/u);
  chat.type(control("D"));
  expect(await chat.ended).toBe(0);
  expect(chat.everything).toContain(`Resume with: acp ${line}`);
});

test("a session whose agent has died and started again is one session still", async () => {
  using place = new Place();
  using chat = place.chat(forgetfulAgent(place.path, "{ loadSession: true }"));
  await chat.shows(ready);
  await chat.say("before");
  await chat.shows(/You said "before"[^]*■/u);
  await chat.say("die");
  // What was not answered is given back.
  await chat.shows(/exited with code 3[^]*^> die/mu);
  chat.type(control("U"));
  await chat.shows(ready);
  await chat.say("after");
  await chat.shows(/You said "after"[^]*■/u);
  chat.type(control("D"));
  expect(await chat.ended).toBe(0);
  const names = (await place.acp("sessions", "list", "--names")).stdout.trim();
  expect((await place.acp("sessions", "export", names)).stdout).toMatch(/> before[^]*> die[^]*> after/u);
});

test("where nothing can be remembered, a session goes on without that", async () => {
  using place = new Place();
  const state = join(place.path, "no-folder");
  writeFileSync(state, "");
  using chat = place.chat(forgetfulAgent(place.path), { env: { ...place.env, XDG_STATE_HOME: state } });
  await chat.shows(ready);
  await chat.say("hello");
  await chat.shows(/You said "hello"[^]*■/u);
  chat.type(control("D"));
  expect(await chat.ended).toBe(0);
  expect(chat.everything).not.toContain("Resume with");
});

test("a session without a prompt is not remembered, and there is no line about it", async () => {
  using place = new Place();
  expect(await place.talk(reference)).toBe("");
  expect(await place.acp("resume")).toMatchObject({ code: 10 });
  expect(await place.acp("--continue", "-p", "hi")).toMatchObject({
    code: 10,
    stderr: expect.stringContaining("There is no session to continue in"),
  });
});

test.each([["--prompt", "hi"], ["--plain"]])(
  "a single prompt (%s) is remembered only under a name",
  async (...options) => {
    using place = new Place();
    const { code, stdout } = await place.acp(...options, ...forgetfulAgent(place.path));
    expect(code).toBe(options.length === 1 ? 2 : 0);
    expect(stdout).not.toContain("Resume with");
    expect(existsSync(place.store) ? readdirSync(place.store) : []).toEqual([]);
    expect(await place.acp("--session", "mine", "--prompt", "hi", ...forgetfulAgent(place.path))).toMatchObject({
      code: 0,
    });
    expect(readdirSync(place.store)).toHaveLength(1);
  },
);

describe("an agent that cannot load", () => {
  test("shows what was said before the client was killed, and is reminded only if the user wants that", async () => {
    using place = new Place();
    const agent = forgetfulAgent(place.path);
    using killed = place.chat(agent);
    await killed.shows(ready);
    await killed.say("before");
    await killed.shows(/You said "before"[^]*■/u);
    await killed.say("wait");
    await killed.shows(/You said "wait"/u);
    const file = (): string => {
      const [folder = ""] = existsSync(place.store) ? readdirSync(place.store) : [];
      return readFileSync(join(place.store, folder, "events.jsonl"), "utf8");
    };
    await expect.poll(file).toContain(String.raw`You said \"wait\"`);
    process.kill(
      Number(readFileSync(join(place.store, readdirSync(place.store)[0] ?? "", "lock"), "utf8").split(" ")[0]),
      "SIGKILL",
    );
    await killed.ended;

    using chat = place.chat(["--continue"]);
    await chat.shows(/You said "before"[^]*You said "wait"[^]*The agent does not remember this session/u);
    // Its titles are as it wrote them only in the file.
    expect(chat.everything).toContain("Read total.js");
    expect(chat.raw).not.toContain("\u001B[31mtotal");
    await chat.shows(ready);
    await chat.say("plain");
    await chat.shows(/You said "plain"/u);
    await chat.shows(ready);
    await chat.say("/recall");
    await chat.shows(/goes along with the next prompt/u);
    await chat.say("reminded");
    // The prompt comes first: an agent that makes a title of it makes the right one.
    await chat.shows(/You said "reminded\\n\\nThis was said[^]*You said\s+"before[^]*You said\s+"wait""\s+■/u);
    // Of what is on the screen already, the prompt shows only how much it is.
    expect(chat.everything).toMatch(/❯ reminded\s+\[what was said before: \d+ lines\]/u);
    await chat.shows(ready);
    await chat.say("/recall");
    await chat.shows(/There is nothing that the agent does not remember/u);
    chat.type(control("D"));
    expect(await chat.ended).toBe(0);
    // It is one session still, with all of its journal.
    expect(readdirSync(place.store)).toHaveLength(1);
    const [name = ""] = (await place.acp("sessions", "list", "--names")).stdout.trim().split("\n");
    expect((await place.acp("sessions", "export", name)).stdout).toMatch(
      /> before[^]*> wait[^]*> plain[^]*> reminded/u,
    );
  });

  test("is an agent that says it can, and has lost the session", async () => {
    using place = new Place();
    // Without a model, it keeps its sessions only while it runs.
    const line = await place.talk(reference, "hello");
    using chat = place.chat(line.split(" "));
    await chat.shows(/Explain what I can do[^]*The agent does not remember this session/u);
  });

  test("shows it in plain lines, too", async () => {
    using place = new Place();
    await place.talk(forgetfulAgent(place.path), "before");
    using chat = place.chat(["--continue", "--plain"]);
    await chat.shows(/> before[^]*You said "before"[^]*The agent does not remember[^]*Commands:/u);
    chat.type("/quit\r");
    expect(await chat.ended).toBe(0);
    expect(chat.everything).toMatch(/^Resume with: acp resume [a-f][\da-f]{5}$/mu);
  });
});

test("a name of exec goes on in the user interface, and one of the user interface in exec", async () => {
  using place = new Place();
  const agent = forgetfulAgent(place.path, "{ loadSession: true }");
  await place.acp("exec", "--session", "my work", "hello", ...agent);
  expect(await place.talk(["resume", "my work"], "again")).toBe("resume 'my work'");
  expect((await place.acp("sessions", "export", "my work")).stdout).toMatch(/> hello[^]*> again/u);
  const line = await place.talk(agent, "hi");
  const [, name = ""] = line.split(" ");
  expect(await place.acp("exec", "--session", name, "once more")).toMatchObject({
    code: 0,
    stdout: 'You said "once more"\n',
  });
  expect((await place.acp("sessions")).stdout).toContain(name);
});

test("two in one directory have a session each, which nobody else can take meanwhile", async () => {
  using place = new Place();
  const agent = forgetfulAgent(place.path);
  using one = place.chat(agent);
  using other = place.chat(agent);
  await Promise.all([one.shows(ready), other.shows(ready)]);
  await Promise.all([one.say("first"), other.say("second")]);
  await Promise.all([one.shows(/You said "first"[^]*■/u), other.shows(/You said "second"[^]*■/u)]);
  expect(readdirSync(place.store)).toHaveLength(2);
  expect(await place.acp("--continue", "-p", "third")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^acp: The session '([a-f][\da-f]{5})' is in use by the process \d+\n.* acp resume (?!\1)[a-f][\da-f]{5}\n/u,
    ),
  });
  one.type(control("D"));
  other.type(control("D"));
  await Promise.all([one.ended, other.ended]);
  const journals = (await place.acp("sessions", "list", "--names")).stdout.trim().split("\n");
  const exported = await Promise.all(
    journals.map(async (name) => (await place.acp("sessions", "export", name)).stdout),
  );
  expect(exported.filter((text) => text.includes("first"))).toHaveLength(1);
  expect(exported.filter((text) => text.includes("second"))).toHaveLength(1);
});

describe.each([
  [80, 24],
  [40, 12],
])("acp resume at %i×%i", (columns, rows) => {
  test("lists the sessions of all agents used here, and gives the terminal back", async () => {
    using place = new Place();
    await place.talk(forgetfulAgent(place.path, "{ loadSession: true, sessionCapabilities: { list: {} } }"), "loud");
    await place.talk(reference, "hello");
    using chat = place.chat(["resume"], { columns, rows });
    const shown = await chat.shows(/Resume a session {2}type[^]*Sessions of [^]*<U\+202E>[^]*Esc quit/u);
    expect(shown.split("\n").length).toBeLessThan(rows);
    expect(chat.raw).not.toContain(rightToLeft);
    expect(chat.raw).not.toContain("\u001B[31mtheirs");
    chat.type("theirs");
    await chat.shows(/theirs▏/u);
    chat.resize(60, 16);
    await chat.shows(/^Resume a session[^\n]*theirs▏[^]*Esc quit$/u);
    chat.type("\u001B");
    expect(await chat.ended).toBe(130);
    expect(chat.everything).not.toContain("Resume a session");
    expect(chat.raw.lastIndexOf("\u001B[?25h")).toBeGreaterThan(chat.raw.lastIndexOf("\u001B[?25l"));
  });
});

test("acp resume opens what is chosen: one that is remembered, and one that only the agent knows", async () => {
  using place = new Place();
  await place.talk(forgetfulAgent(place.path, "{ loadSession: true, sessionCapabilities: { list: {} } }"), "mine");
  using own = place.chat(["resume"]);
  await own.shows(/❯ 1 {3}mine/u);
  own.type("\r");
  await own.shows(ready);
  using theirs = place.chat(["resume"]);
  await theirs.shows(/Sessions of /u);
  theirs.type("theirs");
  await theirs.shows(/❯ .*theirs/u);
  theirs.type("\r");
  await theirs.shows(/forgetful 1 · ACP 1[^]*Type a prompt/u);
  using byId = place.chat(["resume", "theirs", ...forgetfulAgent(place.path, "{ loadSession: true }")]);
  await byId.shows(/forgetful 1 · ACP 1[^]*Type a prompt/u);
});

test("acp resume without a user interface says which sessions there are", async () => {
  using place = new Place();
  await place.talk(forgetfulAgent(place.path), "mine");
  expect(await place.acp("resume")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Name one: acp resume <name>\n1 {2}mine {2}\S+ · [a-f][\da-f]{5} · /u),
  });
  expect(await place.acp("resume", "nothing")).toMatchObject({
    code: 10,
    stderr: expect.stringContaining("There is no session 'nothing' in "),
  });
  using chat = place.chat(["resume", "--plain"]);
  await chat.shows(/1 {2}mine[^]*Your choice \[1-1\]:/u);
  chat.type("1\r");
  await chat.shows(/You said "mine"[^]*Commands:/u);
});

test("a broken file of a session keeps nobody from the others", async () => {
  using place = new Place();
  const line = await place.talk(forgetfulAgent(place.path), "mine");
  const [folder = ""] = readdirSync(place.store);
  const broken = await place.talk(forgetfulAgent(place.path), "other");
  for (const one of readdirSync(place.store))
    if (one !== folder) writeFileSync(join(place.store, one, "session.json"), '{"ver');
  using chat = place.chat(["--continue"]);
  await chat.shows(/You said "mine"[^]*does not remember/u);
  chat.type(control("D"));
  await chat.ended;
  expect(chat.everything).toContain(`Resume with: acp ${line}`);
  expect(await place.acp(...broken.split(" "))).toMatchObject({
    code: 11,
    stderr: expect.stringContaining("is broken"),
  });
});
