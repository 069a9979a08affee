// Sessions of `acp exec` by name: opened again, remembered, listed, shown, exported and deleted, by several processes at once.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { eventsOf, ofType } from "../support/exec-events.ts";
import { type Ended, clientProgram, Program, run, temporaryDirectory, waitFor } from "../support/main-job-programs.ts";

/** An agent that keeps the prompts of its sessions in a file, and answers with those of the session. */
function remembering(directory: string, capabilities: string): readonly string[] {
  const file = join(directory, "agent.mjs");
  writeFileSync(
    file,
    `import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
const path = ${JSON.stringify(join(directory, "sessions.json"))};
const load = () => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {});
const save = (sessions) => writeFileSync(path, JSON.stringify(sessions));
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const update = (sessionId, update) => send({ method: "session/update", params: { sessionId, update } });
const say = (sessionId, text) => update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const methods = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: ${capabilities} }),
  "session/new"() {
    const sessions = load();
    const sessionId = "s" + Object.keys(sessions).length;
    save({ ...sessions, [sessionId]: [] });
    return { sessionId };
  },
  "session/resume": ({ sessionId }) => load()[sessionId] && {},
  "session/load"({ sessionId }) {
    for (const text of load()[sessionId] ?? []) say(sessionId, "replayed " + text);
    return load()[sessionId] && {};
  },
  "session/list": () => ({ sessions: Object.keys(load()).map((sessionId) => ({ sessionId, cwd: "/", title: "T" + sessionId })) }),
  "session/delete"({ sessionId }) {
    const { [sessionId]: _, ...rest } = load();
    save(rest);
    return {};
  },
  "session/prompt"({ sessionId, prompt }) {
    const sessions = load();
    sessions[sessionId].push(prompt[0].text);
    save(sessions);
    update(sessionId, { sessionUpdate: "session_info_update", title: "About " + sessions[sessionId][0] });
    if (prompt[0].text !== "wait") say(sessionId, sessions[sessionId].join(", "));
    else say(sessionId, "waiting");
    return prompt[0].text === "wait" ? undefined : { stopReason: "end_turn" };
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = methods[method]?.(params);
  if (result !== undefined) send({ id, result });
  else if (method !== "session/prompt") send({ id, error: { code: -32002, message: "Not there" } });
}`,
  );
  return ["--", process.execPath, file];
}

const resuming = "{ sessionCapabilities: { resume: {}, list: {}, delete: {} } }";

class Place {
  readonly #directory = temporaryDirectory();
  readonly env: Readonly<Record<string, string>> = { XDG_STATE_HOME: join(this.#directory.path, "state") };
  readonly store: string = join(this.#directory.path, "state", "acp", "sessions");

  get path(): string {
    return this.#directory.path;
  }

  exec(...args: readonly string[]): Promise<Ended> {
    return run([clientProgram, "exec", "--cwd", this.path, ...args], "", this.env);
  }

  sessions(...args: readonly string[]): Promise<Ended> {
    const [command = "", ...rest] = args;
    return run([clientProgram, "sessions", command, "--cwd", this.path, ...rest], "", this.env);
  }

  [Symbol.dispose](): void {
    this.#directory[Symbol.dispose]();
  }
}

test.each([
  ["resumed", resuming],
  ["loaded", "{ loadSession: true }"],
])("a name continues in its session, which is %s, and knows its agent", async (opened, capabilities) => {
  using place = new Place();
  const agent = remembering(place.path, capabilities);
  expect(await place.exec("--session", "one", "first", ...agent)).toEqual({ code: 0, stdout: "first\n", stderr: "" });
  const { code, stdout } = await place.exec("--session", "one", "--format", "json", "second");
  const events = eventsOf(stdout);
  expect(code).toBe(0);
  expect(ofType(events, "session")).toEqual([{ type: "session", sessionId: "s0", opened, name: "one" }]);
  expect(ofType(events, "message").map(({ text }) => text)).toEqual(["first, second"]);
  expect((await place.exec("--session", "two", "third", ...agent)).stdout).toBe("third\n");
});

test("its files are for the user alone", async () => {
  using place = new Place();
  await place.exec("--session", "one", "first", ...remembering(place.path, resuming));
  const [folder = ""] = readdirSync(place.store);
  expect(readdirSync(join(place.store, folder)).toSorted()).toEqual(["events.jsonl", "session.json"]);
  const modes = ["session.json", "events.jsonl"].map((name) => statSync(join(place.store, folder, name)).mode & 0o777);
  expect([...modes, statSync(join(place.store, folder)).mode & 0o777]).toEqual([0o600, 0o600, 0o700]);
  expect(eventsOf(readFileSync(join(place.store, folder, "events.jsonl"), "utf8"))).toHaveLength(7);
});

test("list, show and export need no agent", async () => {
  using place = new Place();
  const agent = remembering(place.path, resuming);
  await place.exec("--session", "one", "first", ...agent);
  await place.exec("--session", "one", "second");
  await place.exec("--session", "other", "third", ...agent);
  // The agent is there no longer.
  writeFileSync(agent.at(-1) ?? "", "process.exit(1)");
  const list = await place.sessions("list");
  expect([list.code, list.stderr]).toEqual([0, ""]);
  expect(list.stdout).toMatch(/^other .*About third\none {3}.*About first\n$/u);
  const json: unknown = JSON.parse((await place.sessions("list", "--json")).stdout);
  expect(json).toMatchObject({ sessions: [{ name: "other" }, { name: "one", sessionId: "s0", cwd: place.path }] });
  const show = (await place.sessions("show", "one")).stdout;
  expect(show).toContain("Title      About first\n");
  expect(show).toMatch(/first {2}\(end_turn, exit code 0\)\n.*second {2}\(end_turn, exit code 0\)\n$/u);
  const markdown = (await place.sessions("export", "one")).stdout;
  expect(markdown).toMatch(
    /^# one: About first\n[^]*## first\n\n> first\n\nfirst\n\n## second\n\n> second\n\nfirst, second\n$/u,
  );
  const exported = (await place.sessions("export", "one", "--format", "json")).stdout;
  expect(ofType(eventsOf(exported), "start")).toHaveLength(2);
});

test("list names the program of an agent, and show its command without keys", async () => {
  using place = new Place();
  const [, ...command] = remembering(place.path, resuming);
  const key = "abc123def456ghi789";
  await place.exec("--session", "one", "first", "--", "env", `API_KEY=${key}`, ...command);
  const list = (await place.sessions("list")).stdout;
  expect(list).toMatch(/^one {2}[\d-]+ [\d:]+ {2}\S+ {2}About first\n$/u);
  expect(list).not.toMatch(/env|agent\.mjs/u);
  const shown = [await place.sessions("show", "one"), await place.sessions("export", "one")];
  for (const { stdout } of shown) {
    expect(stdout).toMatch(/-- env "?API_KEY=.*agent\.mjs/u);
    expect(stdout).not.toContain(key);
  }
});

test("list shows the agent's own sessions with --agent or its command", async () => {
  using place = new Place();
  const agent = remembering(place.path, resuming);
  await place.exec("--session", "one", "first", ...agent);
  const { stdout } = await place.sessions("list", "--json", ...agent);
  expect(JSON.parse(stdout)).toMatchObject({ ofAgent: [{ sessionId: "s0", title: "Ts0" }] });
});

test("delete deletes it at the agent, too, unless that is not wanted", async () => {
  using place = new Place();
  const agent = remembering(place.path, resuming);
  const kept = (): string[] => Object.keys(JSON.parse(readFileSync(join(place.path, "sessions.json"), "utf8")));
  await place.exec("--session", "one", "first", ...agent);
  await place.exec("--session", "two", "first", ...agent);
  expect((await place.sessions("delete", "one")).stdout).toBe("Deleted one, also at the agent\n");
  expect(kept()).toEqual(["s1"]);
  expect((await place.sessions("delete", "two", "--local")).stdout).toBe("Deleted two\n");
  expect(kept()).toEqual(["s1"]);
  expect(readdirSync(place.store)).toEqual([]);
});

test("one process at a time has a session, and one that was killed keeps it from nobody", async () => {
  using place = new Place();
  const agent = remembering(place.path, resuming);
  await place.exec("--session", "one", "first", ...agent);
  const args = [clientProgram, "exec", "--cwd", place.path, "--session", "one", "wait"];
  const holder = new Program(args, "", place.env);
  await waitFor(() => holder.stdout, /waiting/u);
  const refused = await place.exec("--session", "one", "second");
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining(`✗ The session 'one' is in use by the process ${holder.child.pid}\n`),
  ]);
  expect((await place.sessions("delete", "one")).code).toBe(1);
  holder.child.kill("SIGKILL");
  await holder.ended;
  expect((await place.exec("--session", "one", "second")).stdout).toBe("first, wait, second\n");
});

test("of several that start a name at once, one gets it, and all that is written is whole", async () => {
  using place = new Place();
  const agent = remembering(place.path, resuming);
  const ends = await Promise.all([1, 2, 3, 4].map((number) => place.exec("--session", "one", `p${number}`, ...agent)));
  for (const { code, stderr } of ends) {
    if (code !== 0) expect(stderr).toContain("is in use by the process");
  }
  const [folder = ""] = readdirSync(place.store);
  for (const line of readFileSync(join(place.store, folder, "events.jsonl"), "utf8")
    .trimEnd()
    .split("\n"))
    expect(() => JSON.parse(line)).not.toThrow();
  expect((await place.exec("--session", "one", "last", ...agent)).code).toBe(0);
});
