// What a journal is worth when its process ends at any moment: the files are copied whenever the client has seen something.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { serveModel } from "../../../../../packages/ai/test/support/model-server.ts";
import type { Json } from "../../../../../packages/ai/test/support/replies.ts";
import { createProject } from "../../tools/testing/project.ts";
import { createCoder } from "../create-coder.ts";
import { connect, type Shown, type TestSession } from "../testing/connect.ts";
import { calls, info, play, type Stage, stages, toConfigured } from "../testing/models.ts";

function createFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "acp-agent-sessions-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

interface Moment {
  readonly folder: string;
  readonly text: string;
  readonly calls: readonly Shown[];
}

const textOf = (session: TestSession): string =>
  session
    .shown("agent_message")
    .map(({ text }) => text)
    .join("");

/** Opens a session with another agent. Returns it, and what its model is asked. */
async function reopen({ format, version }: Stage, folder: string, sessionId: string, cwd: string) {
  const server = await serveModel(format, [{ text: "I am back." }]);
  const problems: string[] = [];
  const onProblem = (problem: string): void => void problems.push(problem);
  const agent = createCoder({ info, models: [toConfigured("main", server)], sessionsFolder: folder, onProblem });
  const client = await connect(version, agent, { cwd });
  const session = await client.reopen(sessionId, { replay: true });
  return { client, session, problems, server };
}

/** The results that the model gets, by the ids of their calls. */
function resultsIn(request: Json | undefined): ReadonlyMap<string, string> {
  const results = new Map<string, string>();
  for (const { role, content, tool_call_id: id } of (request?.["messages"] ?? []) as readonly Json[]) {
    if (role === "tool") results.set(String(id), JSON.stringify(content));
    for (const part of Array.isArray(content) ? (content as readonly Json[]) : [])
      if (part["type"] === "tool_result") results.set(String(part["tool_use_id"]), JSON.stringify(part["content"]));
  }
  return results;
}

describe.each(stages)("a turn that ends with its process, $name", (stage) => {
  test("leaves the seen part to the model and to the next client, at any moment", async () => {
    const project = createProject({ "a.txt": "Ada" });
    const folder = createFolder();
    const moments: Moment[] = [];
    let current: TestSession | undefined;
    const look = (): void => {
      if (current === undefined) return;
      const copy = createFolder();
      cpSync(folder, copy, { recursive: true, filter: (path) => !path.endsWith("lock") });
      moments.push({ folder: copy, text: textOf(current), calls: current.shown("tool_call") });
    };
    const replies = [
      { text: "I look first.", ...calls(["list", {}], ["read", { path: project.at("a.txt") }]) },
      {
        text: "Now two commands.",
        ...calls(["run", { command: "echo one; echo two" }], ["run", { command: "exit 3" }]),
      },
      { ...calls(["write", { path: project.at("b.txt"), text: "a line\n".repeat(20) }]) },
      { text: "This is the end." },
    ].map((reply, step) => ({
      ...reply,
      calls: reply.calls?.map((call) => ({ ...call, id: `${call.id}_of_${step}` })),
    }));
    const scene = await play(stage, replies, {
      cwd: project.path,
      coder: { sessionsFolder: folder },
      answer: () => {
        look();
        return "allow_once";
      },
      onUpdate: look,
    });
    current = scene.session;
    expect(await scene.session.prompt("Do the task")).toMatchObject({ stopReason: "end_turn" });
    expect(moments.length).toBeGreaterThan(20);
    let open = 0;
    for (const [index, moment] of moments.entries()) {
      // Opening one takes a while: every third, and all at which a call was open.
      const openCalls = moment.calls.filter(({ status }) => status !== "completed" && status !== "failed");
      if (openCalls.length === 0 && index % 3 !== 0) continue;
      if (openCalls.length > 0 && open++ % 2 === 1) continue;
      const { session, server, problems, client } = await reopen(stage, moment.folder, scene.session.id, project.path);
      expect(problems).toEqual([]);
      expect(textOf(session).startsWith(moment.text), `${textOf(session)} is behind ${moment.text}`).toBe(true);
      const shown = new Map(session.shown("tool_call").map((call) => [idOf(call), call]));
      for (const call of moment.calls) {
        const now = shown.get(idOf(call));
        const isOver = call.status === "completed" || call.status === "failed";
        if (isOver) expect(now?.status, idOf(call)).toBe(call.status);
        else expect(["completed", "failed"], idOf(call)).toContain(now?.status);
      }
      const text = textOf(session);
      await session.prompt("And now?");
      const asked = JSON.stringify(server.requests[0]?.["messages"]);
      expect(asked).toContain("Do the task");
      for (const part of ["I look first.", "Now two commands.", "This is the end."]) {
        if (text.includes(part)) expect(asked).toContain(part);
      }
      const results = resultsIn(server.requests[0]);
      for (const call of moment.calls.filter(({ status }) => status === "completed")) {
        expect(results.get(idOf(call)), idOf(call)).toBeDefined();
        expect(results.get(idOf(call))).not.toContain("interrupted");
      }
      await client.close();
    }
  });
});

const idOf = (call: Shown): string => ("toolCallId" in call ? String(call.toolCallId) : "");

describe.each(stages.filter(({ version }) => version === 1))("a journal with a broken line, $name", (stage) => {
  const bad: readonly (readonly [string, string])[] = [
    ["a shown record without its update", '{"type":"shown","version":1}'],
    ["an update without its content", '{"type":"shown","version":1,"update":{"sessionUpdate":"agent_message_chunk"}}'],
    ["another version", '{"type":"shown","version":7,"update":{"sessionUpdate":"plan","entries":[]}}'],
    ["messages that are null", '{"type":"messages","messages":[null]}'],
    ["messages that are no list", '{"type":"messages","messages":{}}'],
    ["a message of nobody", '{"type":"messages","messages":[{"role":"nobody","content":"x"}]}'],
    [
      "a result of no call",
      '{"type":"messages","messages":[{"role":"tool","content":[{"type":"tool-result","toolCallId":"x","toolName":"x","output":{"type":"text","value":"ORPHAN"}}]}]}',
    ],
    ["settings that are null", '{"type":"settings","settings":null}'],
    ["costs that are a list", '{"type":"costs","costs":[1]}'],
    ["a type of the future", '{"type":"dream"}'],
    ["no object", "[]"],
    ["half a line", '{"type":"mess'],
  ];
  test.each(bad)("loads without that line: %s", async (name, line) => {
    const folder = createFolder();
    const { path: cwd } = createProject();
    const first = await play(stage, [{ text: "Hello." }], { cwd, coder: { sessionsFolder: folder } });
    await first.session.prompt("Hi");
    await first.client.close();
    const journal = join(folder, first.session.id, "journal.jsonl");
    const lines = readFileSync(journal, "utf8").split("\n");
    writeFileSync(journal, [lines[0], line, ...lines.slice(1)].join("\n"));
    const { session, server, problems } = await reopen(stage, folder, first.session.id, cwd);
    expect(textOf(session)).toBe("Hello.");
    expect(await session.prompt("And now?")).toMatchObject({ stopReason: "end_turn" });
    expect(JSON.stringify(server.requests[0])).toMatch(/Hi.*Hello\..*And now/su);
    expect(JSON.stringify(server.requests[0])).not.toContain("ORPHAN");
    if (name === "a result of no call") return;
    expect(problems).toEqual([expect.stringContaining(`${journal}, line 2: `)]);
    expect(session.shown("notice")).toMatchObject([{ title: problems[0] }]);
  });

  test("is shown in a few parts, however many the model has sent", async () => {
    const folder = createFolder();
    const { path: cwd } = createProject();
    const text = "A few words of it. ".repeat(500);
    const first = await play(stage, [{ text }], { cwd, coder: { sessionsFolder: folder } });
    await first.session.prompt("Hi");
    await first.client.close();
    expect(readFileSync(join(folder, first.session.id, "journal.jsonl"), "utf8").split("\n").length).toBeLessThan(15);
    const { session, client } = await reopen(stage, folder, first.session.id, cwd);
    expect(textOf(session)).toBe(text);
    expect(client.received().split("agent_message_chunk")).toHaveLength(2);
  });
});

describe("a folder that cannot be written", () => {
  const stage = stages[0] ?? expect.fail("There is no stage");

  test("costs the history but not the session, and warns the user once", async () => {
    const { path: cwd } = createProject({ file: "" });
    const problems: string[] = [];
    const coder = {
      sessionsFolder: join(cwd, "file", "sessions"),
      onProblem: (problem: string) => void problems.push(problem),
    };
    const { client, session } = await play(stage, [{ text: "One." }, { text: "Two." }, { text: "Three." }], {
      cwd,
      coder,
    });
    await session.prompt("Hi");
    await session.prompt("Hi again");
    expect(session.shown("notice")).toMatchObject([{ title: expect.stringContaining("--no-sessions") }]);
    expect(await client.list()).toMatchObject([{ sessionId: session.id, title: "Hi" }]);
    const again = await client.reopen(session.id, { replay: true });
    expect(textOf(again)).toContain("Two.");
    const fork = await client.fork(session.id);
    await fork.prompt("In the fork");
    expect(await client.list()).toHaveLength(2);
    await client.delete(fork.id);
    expect(await client.list()).toHaveLength(1);
    expect(problems.length).toBeGreaterThan(0);
  });

  test("that is a file does not hide the sessions in memory", async () => {
    const { path: cwd } = createProject({ file: "" });
    const { client } = await play(stage, [], { cwd, coder: { sessionsFolder: join(cwd, "file") } });
    expect(await client.list()).toEqual([]);
    expect(readdirSync(cwd)).toEqual(["file"]);
  });
});
