// An agent that is killed while it works: what the user has seen is what the next client and the model get.
import { join } from "node:path";

import { expect, test } from "vitest";

import { type ModelServer, serveModel } from "../../../packages/ai/test/support/model-server.ts";
import { anthropic, type Json, openAi, type Reply } from "../../../packages/ai/test/support/replies.ts";
import { agentProgram, temporaryDirectory } from "../support/main-job-programs.ts";
import { type Message, RawAgent, type Update } from "../support/raw-agent.ts";

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
const isUpdate = ({ params }: Message, part: string): boolean => JSON.stringify(params?.update ?? {}).includes(part);
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
    at: ({ params }) => JSON.stringify(params?.update?.["content"] ?? "").includes("This i"),
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
    at: ({ params }) => params?.update?.["toolCallId"] === "c1" && params.update["status"] === "completed",
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

function start({ model, url, key }: Stage, server: ModelServer, home: string): RawAgent {
  const command = [process.execPath, agentProgram, "--model", model, "--sessions", join(home, "sessions")];
  return new RawAgent(command, { [url]: server.url, [key]: "key", HOME: home, XDG_CONFIG_HOME: home });
}

interface Seen {
  text: string;
  /** The newest state of each call, and all that was told of it. */
  readonly calls: Map<string, { readonly status: unknown; readonly told: string }>;
}

/** What a user sees of updates. */
function seen(updates: readonly Update[]): Seen {
  const all: Seen = { text: "", calls: new Map() };
  for (const update of updates) {
    if (update.sessionUpdate === "agent_message_chunk") all.text += (update["content"] as { text: string }).text;
    if (!update.sessionUpdate.startsWith("tool_call")) continue;
    const id = String(update["toolCallId"]);
    const { status, told } = all.calls.get(id) ?? { status: "pending", told: "" };
    all.calls.set(id, { status: update["status"] ?? status, told: told + JSON.stringify(update) });
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

const prompt = (text: string): object => ({ prompt: [{ type: "text", text }] });

/** Runs a turn and kills its agent. Returns what the user has seen of it. */
async function runAndKill(stage: Stage, kill: Kill, home: string, cwd: string) {
  const server = await serveModel(stage.format, kill.replies);
  const agent = start(stage, server, home);
  await agent.initialize(stage.version);
  const { result } = await agent.request("session/new", { cwd, mcpServers: [] });
  const sessionId = result?.sessionId ?? expect.fail(agent.stderr);
  const reached = new Promise<void>((resolve) => {
    agent.onMessage = (message) => {
      if (kill.at?.(message) !== true) return;
      agent.child.kill("SIGKILL");
      resolve();
    };
  });
  const answered = agent.request("session/prompt", { sessionId, ...prompt("Do the task") }).catch(() => {});
  if (kill.at === undefined) await expect.poll(() => server.requests.length).toBe(kill.asked);
  else await reached;
  await agent.kill();
  await answered;
  expect(server.requests).toHaveLength(kill.asked);
  return { sessionId, ...seen(agent.updates) };
}

/** Opens the session in another process. Returns what that shows, and what the model is asked there. */
async function reopen(stage: Stage, sessionId: string, home: string, cwd: string) {
  const server = await serveModel(stage.format, [{ text: "Back." }]);
  const agent = start(stage, server, home);
  await agent.initialize(stage.version);
  const [method, more] =
    stage.version === 1 ? ["session/load", {}] : ["session/resume", { replayFrom: { type: "start" } }];
  expect(await agent.request(method, { sessionId, cwd, mcpServers: [], ...more })).not.toHaveProperty("error");
  const { updates } = agent;
  const answered = new Promise<void>((resolve) => {
    agent.onMessage = (message) => {
      if (isUpdate(message, "Back.")) resolve();
    };
  });
  expect(await agent.request("session/prompt", { sessionId, ...prompt("And now?") })).not.toHaveProperty("error");
  await answered;
  await agent.end();
  expect(agent.stderr).toBe("");
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
