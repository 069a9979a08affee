/** A directed agent, written with the official SDK. */
import { Readable, Writable } from "node:stream";

import * as acp from "@agentclientprotocol/sdk";

import { AgentDesk, desk } from "../agent-desk.ts";
import { CallFailure, ChosenFailure } from "../failure.ts";
import { asObject, type Json } from "../json.ts";
import { agentInfo, profileArgument } from "../profile.ts";
import { scoped, type TurnPort } from "../steps.ts";

const { capabilities, authMethods, protocolVersion = acp.PROTOCOL_VERSION } = profileArgument();
const mind = new AgentDesk();
const turns = new Map<string, AbortController>();
const directories = new Map<string, string>();
let peer: Json = {};

/** Methods whose handlers only log and answer, and what makes an agent have them. */
const handled: Readonly<Record<string, unknown>> = {
  authenticate: authMethods.length > 0 || undefined,
  logout: capabilities.auth?.logout,
  "session/new": true,
  "session/load": capabilities.loadSession || undefined,
  "session/resume": capabilities.sessionCapabilities?.resume,
  "session/list": capabilities.sessionCapabilities?.list,
  "session/close": capabilities.sessionCapabilities?.close,
  "session/delete": capabilities.sessionCapabilities?.delete,
  "session/set_mode": true,
  "session/set_config_option": true,
};

const app = acp.agent({ name: "official-agent" });
app.onRequest("initialize", ({ params }) => {
  peer = { capabilities: params.clientCapabilities, info: params.clientInfo, protocolVersion: params.protocolVersion };
  const terminal = params.clientCapabilities?.auth?.terminal === true;
  return {
    protocolVersion,
    agentCapabilities: capabilities,
    agentInfo,
    authMethods: authMethods.filter((method) => terminal || !("type" in method)),
  };
});
for (const [method, wanted] of Object.entries(handled)) {
  if (wanted === undefined || wanted === null) continue;
  onAnyRequest(method, async ({ params, client, signal }) => {
    if (method === "session/close") turns.get(String(asObject(params)["sessionId"]))?.abort();
    const result = await mind
      .answer(method, params, {
        signal,
        update: (sessionId, update) => client.notify("session/update", { sessionId, update }),
      })
      .catch(rethrow);
    if (method === "session/new") directories.set(String(result["sessionId"]), String(asObject(params)["cwd"]));
    return result;
  });
}
app.onRequest("session/prompt", async ({ params, client, signal }) => {
  const turn = new AbortController();
  turns.set(params.sessionId, turn);
  signal.addEventListener("abort", () => turn.abort(signal.reason), { once: true });
  try {
    const result = await mind.turn(params, turnPort(params.sessionId, client, turn.signal));
    return result as acp.PromptResponse;
  } catch (error) {
    if (signal.aborted) throw new DOMException("The request was cancelled", "AbortError");
    if (turn.signal.aborted) return { stopReason: "cancelled" };
    return rethrow(error);
  } finally {
    turns.delete(params.sessionId);
  }
});
app.onNotification("session/cancel", ({ params }) => {
  mind.record("session/cancel", params);
  turns.get(params.sessionId)?.abort(new DOMException("The turn was cancelled", "AbortError"));
});
for (const method of [desk.arrange, desk.log, desk.peer, desk.echo]) {
  app.onRequest(method, asObject, ({ params }) => mind.direct(method, params, peer));
}
app.onNotification(desk.note, asObject, ({ params }) => mind.record(desk.note, params));

const connection = app.connect(
  acp.ndJsonStream(
    Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
    Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
  ),
);
await connection.closed;

function turnPort(sessionId: string, client: acp.AgentContext, signal: AbortSignal): TurnPort {
  const update = (body: Json): Promise<void> => client.notify("session/update", { sessionId, update: body });
  return {
    signal,
    update,
    call: (method, params, cancellationSignal) => {
      const options = cancellationSignal === undefined ? {} : { cancellationSignal };
      return client.request(method, scoped(method, sessionId, params), options);
    },
    notify: (method, params) => client.notify(method, params),
    async outcome(promise) {
      try {
        return { result: await promise };
      } catch (error) {
        if (error instanceof CallFailure) return { failure: error.failure };
        if (!(error instanceof acp.RequestError)) throw error;
        return { failure: { code: error.code, message: error.message, data: error.data } };
      }
    },
    story: () => tellStory(sessionId, client),
    print: (text) => process.stdout.write(text),
  };
}

/** A whole turn, the way an agent author writes it with this SDK. */
async function tellStory(sessionId: string, client: acp.AgentContext): Promise<void> {
  const update = (body: acp.SessionUpdate): Promise<void> =>
    client.notify("session/update", { sessionId, update: body });
  const cwd = directories.get(sessionId) ?? "/";
  await update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Reading. " } });
  await update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } });
  await update({ sessionUpdate: "plan", entries: [{ content: "Edit", priority: "high", status: "in_progress" }] });
  await update({
    sessionUpdate: "tool_call",
    toolCallId: "edit",
    title: "Edit a.txt",
    kind: "edit",
    status: "pending",
  });
  const { outcome } = await client.request("session/request_permission", {
    sessionId,
    toolCall: { toolCallId: "edit" },
    options: [
      { optionId: "yes", name: "Allow", kind: "allow_once" },
      { optionId: "no", name: "Reject", kind: "reject_once" },
    ],
  });
  if (outcome.outcome !== "selected" || outcome.optionId !== "yes") throw new Error("not allowed");
  const path = `${cwd}/a.txt`;
  const { content } = await client.request("fs/read_text_file", { sessionId, path });
  await client.request("fs/write_text_file", { sessionId, path, content: content.toUpperCase() });
  await update({
    sessionUpdate: "tool_call_update",
    toolCallId: "edit",
    status: "completed",
    content: [{ type: "diff", path, oldText: content, newText: content.toUpperCase() }],
  });
  const terminal = await client.createTerminal({ sessionId, command: "cat", args: ["a.txt"], cwd });
  await update({
    sessionUpdate: "tool_call",
    toolCallId: "run",
    title: "Run cat",
    kind: "execute",
    status: "in_progress",
    content: [{ type: "terminal", terminalId: terminal.id }],
  });
  const { exitCode } = await terminal.waitForExit();
  const { output } = await terminal.currentOutput();
  await terminal.release();
  await update({ sessionUpdate: "tool_call_update", toolCallId: "run", status: "completed" });
  await update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: `${exitCode}: ${output}` } });
}

/** Registers by a name that is only known at run time. */
function onAnyRequest(method: string, handler: (context: acp.AgentRequestContext<unknown>) => Promise<unknown>): void {
  const register = app.onRequest as (name: string, handler: unknown) => unknown;
  register.call(app, method, handler);
}

function rethrow(error: unknown): never {
  if (!(error instanceof ChosenFailure)) throw error;
  const { code, message, data } = error.failure;
  throw new acp.RequestError(code, message, data);
}
