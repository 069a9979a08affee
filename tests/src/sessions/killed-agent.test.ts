// An agent that is killed while it works: what the user has seen is what the next client and the model get.
import { join } from "node:path";

import { at, expectTurn, fakeClient, type Message, textAt } from "@acp/testing";
import { startProgram } from "@acp/testing/process";
import { expect, test } from "vitest";

import { type ModelServer, serveModel } from "../../../packages/ai/test/support/model-server.ts";
import { anthropic, type Json, openAi, type Reply } from "../../../packages/ai/test/support/replies.ts";
import { agentProgram, temporaryDirectory } from "../support/main-job-programs.ts";

const stages = [
  { version: 1, format: openAi, model: "openai/stand-in", url: "OPENAI_BASE_URL", key: "OPENAI_API_KEY" },
  { version: 2, format: anthropic, model: "anthropic/stand-in", url: "ANTHROPIC_BASE_URL", key: "ANTHROPIC_API_KEY" },
] as const;
type Stage = (typeof stages)[number];

interface Kill {
  readonly name: string;
  /** What the model says; it hangs where nothing else keeps the turn at its place. */
  readonly replies: readonly Reply[];
  /** How often the model is asked before the kill. */
  readonly asked: number;
  /** The message of the agent behind which it is killed. Without it: when the model is asked for the last time. */
  readonly at?: (message: Message) => boolean;
  readonly text: string;
  readonly completed: readonly string[];
  readonly open: readonly string[];
  /** The arguments of the open call have not all come: it is none for the model. */
  readonly isCut?: boolean;
}

const call = (id: string, name: string, args: object) => ({ id, name, args: JSON.stringify(args) });
const updateOf = ({ params }: Message): unknown => at(params, "update");
const isUpdate = (message: Message, part: string): boolean => JSON.stringify(updateOf(message) ?? {}).includes(part);
/** Ends when the other command runs, which goes on as long as its agent lives. */
const waiting = "until [ -e started ]; do sleep 0.05; done";
const lasting = "touch started; while kill -0 $PPID; do sleep 0.05; done";
const first: Reply = { text: "I look first.", calls: [call("c1", "list", {})] };

const kills: readonly Kill[] = [
  {
    name: "before the model says anything",
    replies: [{ hangsAfter: 0 }],
    asked: 1,
    text: "",
    completed: [],
    open: [],
  },
  {
    name: "while a text streams",
    replies: [first, { text: "This is the second text.", hangsAfter: 4 }],
    asked: 2,
    at: (message) => JSON.stringify(at(updateOf(message), "content") ?? "").includes("This i"),
    text: "I look first.This i",
    completed: ["c1"],
    open: [],
  },
  {
    name: "while arguments arrive",
    replies: [
      first,
      { text: "I write.", calls: [call("c2", "write", { path: "/a.txt", text: "x".repeat(99) })], hangsAfter: 10 },
    ],
    asked: 2,
    at: (message) => isUpdate(message, '"c2"'),
    text: "I look first.I write.",
    completed: ["c1"],
    open: ["c2"],
    isCut: true,
  },
  {
    name: "at a question",
    replies: [first, { text: "I run it.", calls: [call("c2", "run", { command: "echo two" })] }],
    asked: 2,
    at: ({ method }) => method === "session/request_permission",
    text: "I look first.I run it.",
    completed: ["c1"],
    open: ["c2"],
  },
  {
    name: "in a command, as another one ends",
    replies: [
      {
        text: "I run two.",
        calls: [call("c1", "run", { command: waiting }), call("c2", "run", { command: lasting })],
      },
    ],
    asked: 1,
    at: (message) => at(updateOf(message), "toolCallId") === "c1" && at(updateOf(message), "status") === "completed",
    text: "I run two.",
    completed: ["c1"],
    open: ["c2"],
  },
  {
    name: "between two steps",
    replies: [first, { hangsAfter: 0 }],
    asked: 2,
    text: "I look first.",
    completed: ["c1"],
    open: [],
  },
];

async function start({ version, model, url, key }: Stage, server: ModelServer, home: string, cwd: string) {
  const program = await startProgram({
    command: process.execPath,
    args: [agentProgram, "--model", model, "--sessions", join(home, "sessions")],
    env: { [url]: server.url, [key]: "key", HOME: home, XDG_CONFIG_HOME: home },
    grace: 60_000,
  });
  return { program, client: fakeClient(program, { protocol: version, cwd, timeout: 60_000 }) };
}

interface Seen {
  text: string;
  /** The newest state of each call, and all that was told of it. */
  readonly calls: Map<string, { readonly status: unknown; readonly told: string }>;
}

/** What a user sees of updates. */
function seen(updates: readonly unknown[]): Seen {
  const all: Seen = { text: "", calls: new Map() };
  for (const update of updates) {
    const kind = textAt(update, "sessionUpdate");
    if (kind === "agent_message_chunk") all.text += textAt(update, "content", "text") ?? "";
    if (kind?.startsWith("tool_call") !== true) continue;
    const id = String(at(update, "toolCallId"));
    const { status, told } = all.calls.get(id) ?? { status: "pending", told: "" };
    all.calls.set(id, { status: at(update, "status") ?? status, told: told + JSON.stringify(update) });
  }
  return all;
}

/** What the model knows: what it has said, its calls, and their results by their ids. */
function known(request: Json) {
  let text = "";
  const calls: unknown[] = [];
  const results = new Map<string, string>();
  for (const { role, content, tool_call_id: id, tool_calls: ofOpenAi = [] } of request["messages"] as readonly Json[]) {
    calls.push(...(ofOpenAi as readonly Json[]).map((one) => one["id"]));
    if (role === "tool") results.set(String(id), JSON.stringify(content));
    const parts = Array.isArray(content) ? (content as readonly Json[]) : [{ type: "text", text: content } as Json];
    for (const part of parts) {
      if (role === "assistant" && typeof part["text"] === "string") text += part["text"];
      if (part["type"] === "tool_use") calls.push(part["id"]);
      if (part["type"] === "tool_result") results.set(String(part["tool_use_id"]), JSON.stringify(part["content"]));
    }
  }
  return { text, calls, results };
}

/** Runs a turn and kills its agent. Returns what the user has seen of it. */
async function runAndKill(stage: Stage, { at: isPlace, replies, asked }: Kill, home: string, cwd: string) {
  const server = await serveModel(stage.format, replies);
  const { program, client } = await start(stage, server, home, cwd);
  const sessionId = await client.newSession();
  let shown: readonly unknown[] = [];
  const kill = (): void => {
    // Of what is on its way nobody has seen anything.
    shown = [...client.updates];
    process.kill(program.pid, "SIGKILL");
  };
  client.prompt("Do the task");
  if (isPlace === undefined) {
    await expect.poll(() => server.requests.length).toBe(asked);
    kill();
  } else {
    await client.peer.until(() => {
      const last = client.peer.received.at(-1);
      const isThere = last !== undefined && isPlace(last);
      if (isThere) kill();
      return isThere;
    }, "the place of the kill");
  }
  await program.exited;
  expect(server.requests).toHaveLength(asked);
  return { sessionId, ...seen(shown) };
}

/** Opens the session in another process. Returns what that shows, and what the model is asked there. */
async function reopen(stage: Stage, sessionId: string, home: string, cwd: string) {
  const server = await serveModel(stage.format, [{ text: "Back." }]);
  const { program, client } = await start(stage, server, home, cwd);
  const [method, more] =
    stage.version === 1 ? ["session/load", {}] : ["session/resume", { replayFrom: { type: "start" } }];
  await client.call(method, { sessionId, cwd, mcpServers: [], ...more });
  const updates = [...client.updates];
  await expectTurn(client.prompt("And now?", sessionId)).toShow("Back.");
  await client.close();
  await program.exited;
  expect(program.stderr()).toBe("");
  return { updates, request: server.requests[0] ?? expect.fail("The model was not asked") };
}

const cases = stages.flatMap((stage) =>
  kills.map((kill) => ({ stage, kill, name: kill.name, version: stage.version })),
);

test.each(cases)("an agent killed $name loses nothing that was seen, version $version", async ({ stage, kill }) => {
  using home = temporaryDirectory();
  using project = temporaryDirectory();
  const { sessionId, ...before } = await runAndKill(stage, kill, home.path, project.path);
  // The kill has met the turn where it should.
  expect(before.text).toBe(kill.text);
  const ended = [...before.calls].filter(([, { status }]) => status === "completed").map(([id]) => id);
  expect(ended).toEqual(kill.completed);
  expect([...before.calls.keys()]).toEqual([...kill.completed, ...kill.open]);

  const { updates, request } = await reopen(stage, sessionId, home.path, project.path);
  const after = seen(updates);
  const model = known(request);
  // The journal may be ahead of the screen, and never behind it.
  expect(after.text.startsWith(before.text), after.text).toBe(true);
  expect(model.text).toBe(after.text);
  for (const place of [updates, request["messages"]]) expect(JSON.stringify(place)).toContain("Do the task");
  expect([...after.calls.keys()]).toEqual([...before.calls.keys()]);
  for (const id of kill.completed) {
    expect(after.calls.get(id)?.status).toBe("completed");
    expect(model.results.get(id) ?? "interrupted").not.toContain("interrupted");
  }
  for (const id of kill.open) {
    expect(after.calls.get(id)).toEqual({ status: "failed", told: expect.stringContaining("interrupted") });
    if (kill.isCut !== true) expect(model.results.get(id)).toContain("interrupted");
  }
  // A model refuses a call without a result, and a result without its call.
  expect(model.calls).toEqual([...kill.completed, ...(kill.isCut === true ? [] : kill.open)]);
  expect([...model.results.keys()]).toEqual(model.calls);
});
