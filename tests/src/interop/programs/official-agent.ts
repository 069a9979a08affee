/** A directed agent, written with the official SDK: with its stable entry, or with `--unstable` with the other one. */
import { Readable, Writable } from "node:stream";

import * as stable from "@agentclientprotocol/sdk";
import type * as acp from "@agentclientprotocol/sdk/unstable";
import * as unstable from "@agentclientprotocol/sdk/unstable";

import { AgentDesk, desk } from "../agent-desk.ts";
import { CallFailure, ChosenFailure } from "../failure.ts";
import { handledRequests } from "../handled-requests.ts";
import { asObject, type Json } from "../json.ts";
import { agentInfo, entryArgument, profileArgument } from "../profile.ts";
import { scoped, type TurnPort } from "../steps.ts";
import { tellStory, tellUnstableStory } from "./official-stories.ts";

const profile = profileArgument();
const entry = entryArgument();
// A row's profile fits its entry.
const sdk = (entry === "unstable" ? unstable : stable) as typeof unstable;
const { capabilities, authMethods, protocolVersion = sdk.PROTOCOL_VERSION } = profile;
const mcp = new unstable.McpOverAcpCaller();
const mind = new AgentDesk();
const turns = new Map<string, AbortController>();
const setups = new Map<string, acp.NewSessionRequest>();
let peer: Json = {};

const app = sdk.agent({ name: "official-agent" });
app.onRequest("initialize", ({ params }) => {
  peer = { capabilities: params.clientCapabilities, info: params.clientInfo, protocolVersion: params.protocolVersion };
  const hasTerminal = params.clientCapabilities?.auth?.terminal === true;
  return {
    protocolVersion,
    agentCapabilities: capabilities,
    agentInfo,
    authMethods: authMethods.filter((method) => hasTerminal || !("type" in method)),
  };
});
for (const method of handledRequests(profile, entry)) {
  onAnyRequest(method, async ({ params, client, signal }) => {
    if (method === "session/close") turns.get(String(asObject(params)["sessionId"]))?.abort();
    const result = await mind
      .answer(method, params, {
        signal,
        update: (sessionId, update) => client.notify("session/update", { sessionId, update }),
      })
      .catch(rethrow);
    if (method === "session/new") setups.set(String(result["sessionId"]), params as acp.NewSessionRequest);
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
if (entry === "unstable") {
  app.onNotification("mcp/message", (context) => {
    mind.record("mcp/message", context.params);
    mcp.handleNotification(context);
  });
}
// Its SDK has types for what a proxy handles, and no side that does: the methods go by the names of custom ones.
for (const method of Object.values(unstable.PROXY_METHODS)) {
  app.onRequest(method, asObject, ({ params, signal }) => mind.answer(method, params, { signal, update: noUpdate }));
  app.onNotification(method, asObject, ({ params }) => mind.record(method, params));
}
// So that a row sees whatever came.
app.onRequest("*", ({ method, params }) => {
  mind.record(method, params);
  throw sdk.RequestError.methodNotFound(method);
});
app.onNotification("*", ({ method, params }) => mind.record(method, params));

const connection = app.connect(
  sdk.ndJsonStream(
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
        if (!(error instanceof sdk.RequestError)) throw error;
        return { failure: { code: error.code, message: error.message, data: error.data } };
      }
    },
    story: (kind) => {
      const setup = setups.get(sessionId);
      if (setup === undefined) throw new Error(`No session ${sessionId}`);
      return (kind === "unstable" ? tellUnstableStory(mcp) : tellStory)(sessionId, client, setup);
    },
    print: (text) => process.stdout.write(text),
  };
}

/** Registers by a name that is only known at run time. */
function onAnyRequest(method: string, handler: (context: acp.AgentRequestContext<unknown>) => Promise<unknown>): void {
  const register = app.onRequest as (name: string, handler: unknown) => unknown;
  register.call(app, method, handler);
}

function noUpdate(): Promise<void> {
  return Promise.reject(new Error("No session to send an update to"));
}

function rethrow(error: unknown): never {
  if (!(error instanceof ChosenFailure)) throw error;
  const { code, message, data } = error.failure;
  throw new sdk.RequestError(code, message, data);
}
