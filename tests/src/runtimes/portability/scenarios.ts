/**
 * What has to work wherever there is JavaScript and the web's globals. Bundled and run in a context that has nothing
 * else, so nothing here may touch a runtime either.
 */
import {
  CapabilityError,
  type ConnectedAgent,
  createAgent,
  createClient,
  createMemoryTransportPair,
  createStreamTransport,
  RequestError,
  type Transport,
} from "@acp/core";
import { contentLength, type FramingIssue, ndjson } from "@acp/framing";
import { decode, type Decoder, formatIssue } from "@acp/schema";
import * as v1 from "@acp/schema/v1";
import * as v1Unstable from "@acp/schema/v1/unstable";
import * as v2 from "@acp/schema/v2";
import * as v2Unstable from "@acp/schema/v2/unstable";

const diagnostics: string[] = [];
const onDiagnostic = (diagnostic: { readonly type: string; readonly message: string }): void => {
  diagnostics.push(`${diagnostic.type}: ${diagnostic.message}`);
};

const agent = createAgent({
  info: { name: "portable-agent", version: "1" },
  session: ({ cwd }) => ({ cwd, turns: 0 }),
  onDiagnostic,
  handlers: {
    "session/prompt": async ({ prompt }, { client, session, signal, turn }) => {
      session.state.turns += 1;
      const [block] = prompt;
      if (block?.type !== "text") throw RequestError.invalidParams("Only text is understood");
      if (block.text === "wait") {
        await turn.message("waiting");
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      }
      await turn.plan([{ content: "Read", priority: "high", status: "in_progress" }]);
      const call = await turn.toolCall({ title: "Read the file", kind: "read" });
      const allowed = await call.requestPermission();
      const { content } = await client.request("fs/read_text_file", { path: `${session.state.cwd}/file` });
      await call.complete(content);
      await turn.message(`${allowed.outcome}, turn ${session.state.turns}: ${content}`);
      return { stopReason: "end_turn" };
    },
    "session/close": () => ({}),
  },
});

const client = createClient({
  info: { name: "portable-client", version: "1" },
  onDiagnostic,
  handlers: {
    "session/request_permission": ({ options }) => ({
      outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" },
    }),
    "fs/read_text_file": ({ path }) => ({ content: `the text of ${path} — ☃` }),
  },
});

/** What runtimes without the symbol of their own are given instead. */
const disposal = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose");

/** A session from its beginning to its end; returns what the client saw of it. */
async function runSession([ours, theirs]: readonly [Transport, Transport]): Promise<unknown> {
  diagnostics.length = 0;
  const serving = agent.connect(theirs);
  const connected: ConnectedAgent = await client.connect(ours);
  const opened = await connected.newSession({ cwd: "/project" });
  const turn = opened.prompt("go");
  const updates: string[] = [];
  for await (const update of turn.updates) {
    const text =
      update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? ` ${update.content.text}` : "";
    updates.push(update.sessionUpdate + text);
  }
  const { stopReason } = await turn.response;
  const cancelled = opened.prompt("wait");
  for await (const update of cancelled.updates) if (update.sessionUpdate === "agent_message_chunk") cancelled.cancel();
  const afterCancel = await cancelled.response;
  const gated = await connected.loadSession({ cwd: "/project", sessionId: "x" }).catch((error: unknown) => error);
  await opened.close();
  await connected.close();
  await serving.closed;
  return {
    agent: connected.info?.name,
    updates,
    stopReasons: [stopReason, afterCancel.stopReason],
    gate: gated instanceof CapabilityError ? gated.capability : String(gated),
    ended: opened.signal.aborted && connected.signal.aborted,
    disposable: [connected, turn, serving].every((object) => typeof Reflect.get(object, disposal) === "function"),
    diagnostics,
  };
}

function streamPair(framing: typeof ndjson): [Transport, Transport] {
  const there = new TransformStream<Uint8Array, Uint8Array>();
  const back = new TransformStream<Uint8Array, Uint8Array>();
  return [
    createStreamTransport({ readable: back.readable, writable: there.writable }, { framing }),
    createStreamTransport({ readable: there.readable, writable: back.writable }, { framing }),
  ];
}

/** Frames texts, decodes them byte by byte, and says what came out. */
function framed(framing: typeof ndjson, texts: readonly string[]): unknown {
  const out: string[] = [];
  const issues: FramingIssue[] = [];
  const decoder = framing.createDecoder({ message: (text) => out.push(text), issue: (issue) => issues.push(issue) });
  for (const byte of framing.encode(texts)) decoder.push(Uint8Array.of(byte));
  decoder.end();
  return { same: JSON.stringify(out) === JSON.stringify(texts), issues };
}

function read<T>(decoder: Decoder<T>, value: unknown): unknown {
  const decoded = decode(decoder, value);
  if (!decoded.ok) return formatIssue(decoded);
  return { same: decoded.value === value, issues: decoded.issues.map(formatIssue) };
}

/** Every scenario by name. What it returns can be written as JSON. */
export const scenarios: { readonly [name: string]: () => unknown } = {
  "a session in memory": () => runSession(createMemoryTransportPair()),
  "a session over Web Streams, ndjson": () => runSession(streamPair(ndjson)),
  "a session over Web Streams, content-length": () => runSession(streamPair(contentLength)),
  framing: () => [ndjson, contentLength].map((framing) => framed(framing, ['{"a":"☃"}', "[]"])),
  decoding: () => [
    read(v1.decodeInitializeRequest, { protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true } } }),
    read(v1.decodeContentBlock, { type: "text" }),
    read(v1Unstable.decodeInitializeRequest, { protocolVersion: 1 }),
    read(v2.decodeContentBlock, { type: "text", text: "hello" }),
    read(v2Unstable.decodeContentBlock, { type: "text", text: "hello" }),
  ],
};
