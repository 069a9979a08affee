// An agent of both versions on stdio, of the official SDK with its router. In version 2 a prompt names what it is to do; with
// `--v1` or `--v2` it speaks only that version.
import { randomUUID } from "node:crypto";
import { Readable, Writable } from "node:stream";

import * as v1 from "@agentclientprotocol/sdk";
import * as v2 from "@agentclientprotocol/sdk/experimental/v2";

type Send = (update: v2.SessionUpdate) => Promise<void>;

interface Context {
  readonly send: Send;
  readonly client: v2.AgentContext;
  readonly sessionId: string;
  /** Aborts when the session is cancelled. */
  readonly signal: AbortSignal;
}

interface Session {
  readonly cwd: string;
  /** What a replay tells. */
  readonly history: v2.SessionUpdate[];
  running: AbortController | undefined;
  /** Settles when it is idle. */
  done: Promise<void>;
}

const sessions = new Map<string, Session>();
const info = { name: "official-agent", version: "1.0.0" };
const text = (content: string): v2.ContentBlock => ({ type: "text", text: content });
const model = (currentValue: string): v2.SessionConfigOption => ({
  type: "select",
  configId: "model",
  name: "Model",
  currentValue,
  options: [
    { value: "fast", name: "Fast" },
    { value: "deep", name: "Deep" },
  ],
});

const deeds: Readonly<Record<string, (context: Context) => Promise<void>>> = {
  async work({ send, client, sessionId }) {
    await send({ sessionUpdate: "agent_thought_chunk", messageId: "thought", content: text("Let me see") });
    const entries = [{ content: "Edit", priority: "high", status: "in_progress" } as const];
    await send({ sessionUpdate: "plan_update", plan: { type: "items", planId: "plan", entries } });
    const call = { sessionUpdate: "tool_call_update", toolCallId: "call" } as const;
    await send({ ...call, title: "Edit", kind: "edit", status: "pending" });
    await send({ sessionUpdate: "state_update", state: "requires_action" });
    const { outcome } = await client.request("session/request_permission", {
      sessionId,
      title: "Edit a file?",
      subject: { type: "tool_call", toolCall: { toolCallId: "call" } },
      options: [
        { optionId: "allow", name: "Allow", kind: "allow_once" },
        { optionId: "reject", name: "Reject", kind: "reject_once" },
      ],
    });
    await send({ sessionUpdate: "state_update", state: "running" });
    const isAllowed = outcome.outcome === "selected" && outcome["optionId"] === "allow";
    await send({
      sessionUpdate: "tool_call_content_chunk",
      toolCallId: "call",
      content: { type: "content", content: text("Edited") },
    });
    await send({ ...call, status: isAllowed ? "completed" : "cancelled" });
    await send({ sessionUpdate: "agent_message_chunk", messageId: "answer", content: text("Done") });
  },
  wait: ({ signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
  async fail() {
    throw new v2.RequestError(-32603, "No model today");
  },
};

async function prompt(session: Session, context: Context, deed: string, messageId: string): Promise<void> {
  const { send, signal } = context;
  await send({ sessionUpdate: "user_message", messageId, content: [text(deed)] });
  await send({ sessionUpdate: "state_update", state: "running" });
  let end: v2.IdleStateUpdate = { stopReason: "end_turn" };
  try {
    await deeds[deed]?.(context);
    if (signal.aborted) end = { stopReason: "cancelled" };
  } catch (error) {
    const { code, message } = error as v2.RequestError;
    end = signal.aborted ? { stopReason: "cancelled" } : { stopReason: "error", error: { code, message } };
  }
  session.running = undefined;
  await send({ sessionUpdate: "state_update", state: "idle", ...end });
}

function found(sessionId: string): Session {
  const session = sessions.get(sessionId);
  if (session === undefined) throw new v2.RequestError(-32002, "Resource not found", { sessionId });
  return session;
}

const newer = v2
  .agent({ name: "official-agent" })
  .onRequest("initialize", () => ({ protocolVersion: 2, info, capabilities: { session: { delete: {} } } }))
  .onRequest("session/new", ({ params: { cwd } }) => {
    const sessionId = randomUUID();
    sessions.set(sessionId, { cwd, history: [], running: undefined, done: Promise.resolve() });
    return { sessionId, configOptions: [model("fast")] };
  })
  .onRequest("session/set_config_option", (context) => ({ configOptions: [model(String(context.params["value"]))] }))
  .onRequest("session/list", () => ({ sessions: [...sessions].map(([sessionId, { cwd }]) => ({ sessionId, cwd })) }))
  .onRequest("session/delete", ({ params }) => void sessions.delete(params.sessionId))
  .onRequest("session/close", async ({ params }) => {
    const session = found(params.sessionId);
    session.running?.abort();
    await session.done;
  })
  .onRequest("session/resume", async ({ params: { sessionId, replayFrom }, client }) => {
    const { history, running } = found(sessionId);
    for (const update of replayFrom == null ? [] : history)
      await client.notify("session/update", { sessionId, update });
    const state = running === undefined ? "idle" : "running";
    const update = { sessionUpdate: "state_update", state } as v2.SessionUpdate;
    await client.notify("session/update", { sessionId, update });
    return {};
  })
  .onRequest(
    "session/prompt",
    ({
      params: {
        sessionId,
        prompt: [block],
      },
      client,
    }) => {
      const session = found(sessionId);
      const messageId = randomUUID();
      const running = new AbortController();
      session.running = running;
      const send: Send = async (update) => {
        if (update.sessionUpdate !== "state_update") session.history.push(update);
        await client.notify("session/update", { sessionId, update });
      };
      const deed = block?.type === "text" ? String(block["text"]) : "";
      if (deed === "refuse") throw new v2.RequestError(-32602, "Nothing of that kind");
      session.done = prompt(session, { send, client, sessionId, signal: running.signal }, deed, messageId);
      return { messageId };
    },
  )
  .onNotification("session/cancel", ({ params }) => found(params.sessionId).running?.abort());

const older = v1
  .agent({ name: "official-agent" })
  .onRequest("initialize", () => ({ protocolVersion: 1, agentInfo: info }))
  .onRequest("session/new", () => ({ sessionId: "old" }))
  .onRequest("session/prompt", () => ({ stopReason: "end_turn" as const }));

const router = v2.agentProtocolRouter();
if (!process.argv.includes("--v2")) router.withV1(older);
if (!process.argv.includes("--v1")) router.withV2(newer);
const stream = v2.ndJsonStream(
  Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
  Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
);
await router.connect(stream).closed;
