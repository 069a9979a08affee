// The types that authors of clients of version 2 rely on. Checked by `tsc`; a stale line fails it.
import { unknownVariant } from "@acp/schema";
import { createClient as createClient1 } from "../v1/index.ts";
import type { Transport } from "../transport/transport.ts";
import {
  type ClientSession,
  clientOfVersions,
  type ConnectedAgent,
  createClient,
  createClientFor,
  extend,
  type IdleStateOf,
  notification,
  request,
  type SessionActivity,
  type Turn,
  v2,
} from "./entry.ts";

const info = { name: "x", version: "1" };
declare const transport: Transport;

// Params, context and results infer; a misspelt member does not compile.
const client = createClient({
  info,
  capabilities: { elicitation: { form: {} } },
  handlers: {
    "session/request_permission": ({ title, subject, options }, { session, signal }) => {
      title.toUpperCase();
      if (subject?.type === "command") subject.command.trim();
      // @ts-expect-error no such member
      subject?.toolCal;
      signal.throwIfAborted();
      const state: SessionActivity = session.state;
      const optionId = state === "idle" ? undefined : options[0]?.optionId;
      return { outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
    },
    "session/update": ({ update }) => {
      if (update.sessionUpdate === "state_update" && update.state === "requires_action") update.background?.length;
      if (update.sessionUpdate === unknownVariant) update.received;
      // @ts-expect-error version 1 has it
      if (update.sessionUpdate === "tool_call") return;
    },
    "elicitation/create": () => ({ action: "cancel" }),
  },
});

createClient({
  info,
  handlers: {
    // @ts-expect-error version 2 has no files of the client
    "fs/read_text_file": () => ({ content: "" }),
  },
});

export async function run(): Promise<void> {
  const agent: ConnectedAgent = await client.connect(transport, { startTimeout: 1 });
  const session: ClientSession = await agent.newSession({ cwd: "/" });
  await agent.resumeSession({ sessionId: session.id, cwd: "/", replayFrom: { type: "start" } });
  // @ts-expect-error version 2 has no load
  agent.loadSession;
  const turn: Turn = session.prompt("hello", { cancelGrace: 1 });
  const { messageId } = await turn.accepted;
  messageId.trim();
  const end: IdleStateOf = await turn.finished;
  if (end.stopReason === "error") end.error?.message;
  if (end.stopReason === unknownVariant) end.received;
  // However it has ended.
  end.background?.length;
  // @ts-expect-error a turn is not a promise
  turn.then;
  for await (const update of turn.updates) if (update.sessionUpdate === "agent_message_chunk") update.messageId.trim();
  await session.setConfigOption("model", "fast");
  // @ts-expect-error a value is an id, or a boolean
  await session.setConfigOption("model", 1);
  // The session id is filled in.
  await session.agent.request("tool_call/cancel", { toolCallId: "c" });
  // @ts-expect-error no such method
  await session.agent.request("session/set_mode", { modeId: "m" });
  await agent.request("auth/logout", {});
}

const acme = extend(v2, {
  agent: { "_acme/ping": request<{ text: string }, { text: string }>() },
  client: { "_acme/pong": notification<{ text: string }>() },
});

export async function extended(): Promise<string> {
  const agent = await createClientFor(acme)({
    info,
    handlers: { "_acme/pong": ({ text }) => void text.trim() },
  }).connect(transport);
  const { text } = await agent.request("_acme/ping", { text: "x" });
  return text;
}

// The version tells what can be asked.
export async function either(): Promise<unknown> {
  const connected = await clientOfVersions({ v1: createClient1({ info }), v2: client }).connect(transport);
  // @ts-expect-error only version 1 has it
  connected.agent.loadSession;
  if (connected.version === 1) return connected.agent.loadSession({ sessionId: "s", cwd: "/" });
  return connected.agent.resumeSession({ sessionId: "s", cwd: "/", replayFrom: { type: "start" } });
}
