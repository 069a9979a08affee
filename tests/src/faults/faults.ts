import { frame, type RawMessage, type RawPeer } from "./raw/raw-peer.ts";
import type { FramingName, Side, Version } from "./steps.ts";

/** A request of the attacked side that waits for its answer, with the answer that is right. */
export interface OpenRequest {
  readonly id: unknown;
  readonly result: object;
}

/** What a fault finds when it strikes. */
export interface Scene {
  readonly peer: RawPeer;
  readonly side: Side;
  readonly version: Version;
  readonly framing: FramingName;
  readonly open: OpenRequest | undefined;
  /** The session that is open by then. */
  readonly sessionId: string | undefined;
  /** The ids of requests that this peer has sent and that have no answer yet. */
  readonly asked: readonly unknown[];
  /** Reads nothing any more. */
  stopReading(): void;
  /** Says nothing any more; what was said before arrives. */
  endOutput(): void;
  /** Reads nothing for a moment, as a process does that is stopped. */
  pause(): Promise<void>;
  /** Ends this process: raw agents only. */
  end(how: number | "SIGKILL"): void;
  writeStderr(text: string): Promise<void>;
}

/**
 * What a fault costs. `nothing`: everything goes on, and nothing fails. `answer`: what waits for an answer fails, and the
 * rest goes on. `refusal`: it may. `end`: the connection ends, and what waits fails. `deaf`: it ends as soon as something is
 * written.
 */
export type Effect = "nothing" | "answer" | "refusal" | "end" | "deaf";

type Struck = "answered" | undefined | void;

export interface Fault {
  readonly name: string;
  readonly effect: Effect | Readonly<Record<Side, Effect>>;
  readonly only?: {
    readonly side?: Side;
    readonly framing?: FramingName;
    /** It is an answer, so that a request has to be open. */
    readonly isAnswer?: true;
    /** Not at these steps. */
    readonly notAt?: Partial<Readonly<Record<Side, readonly string[]>>>;
  };
  /** It is about bytes, so that the framing matters. */
  readonly isBytes?: true;
  /** What the error of whoever waits must say. */
  readonly names?: RegExp;
  /** `answered` if the open request has got its answer with it. */
  readonly strike: (scene: Scene) => Struck | Promise<Struck>;
}

/** Largest message that the attacked side takes, in bytes. */
export const maxMessageBytes = 1_000_000;

/** A notification that nobody handles. */
export const padding = { jsonrpc: "2.0", method: "_padding" };
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const text = (content: string): object => ({
  sessionUpdate: "agent_message_chunk",
  messageId: "m",
  content: { type: "text", text: content },
});

/** A fault of bytes that stand where a message should. */
function bytes(name: string, make: (scene: Scene) => Uint8Array | string, only: Fault["only"] = {}): Fault {
  return { name, effect: "nothing", only, isBytes: true, strike: (scene) => scene.peer.write(make(scene)) };
}

/** A fault of a message. */
function message(name: string, make: (scene: Scene) => object): Fault {
  return {
    name,
    effect: "nothing",
    strike: ({ peer, ...scene }) => peer.write(frame(peer.framing, make({ peer, ...scene }))),
  };
}

/** A fault of the answer to the open request. */
function answer(name: string, effect: Effect, make: (open: OpenRequest) => readonly object[]): Fault {
  return {
    name,
    effect,
    only: { isAnswer: true },
    strike: ({ peer, open }) => {
      for (const each of make(open!)) peer.send(each);
      return "answered";
    },
  };
}

/** A request of a known method with its params, which the attacked side has to answer. */
function knownRequest(
  { side, version, sessionId = "none" }: Scene,
  isRight: boolean,
): { method: string; params: object } {
  if (side === "agent") return { method: "session/new", params: { cwd: isRight ? "/" : 5, mcpServers: [] } };
  return version === 1
    ? { method: "fs/read_text_file", params: { sessionId, path: isRight ? "/probe" : 5 } }
    : {
        method: "session/request_permission",
        params: isRight
          ? { sessionId, title: "Probe", options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }] }
          : { sessionId, title: 5 },
      };
}

/** A message with a union whose variant nobody knows. */
function unknownVariant({ side, sessionId = "none" }: Scene): object {
  if (side === "agent") {
    return {
      id: "variant",
      method: "session/prompt",
      params: { sessionId, prompt: [{ type: "_smell", smell: "smoke" }] },
    };
  }
  return { method: "session/update", params: { sessionId, update: { sessionUpdate: "_weather", sky: "grey" } } };
}

function floodOf({ side, sessionId }: Scene): object {
  if (side === "agent" || sessionId === undefined) return padding;
  return { method: "session/update", params: { sessionId, update: text("flood ") } };
}

async function dribble(peer: RawPeer, whole: Uint8Array): Promise<void> {
  // Each byte by itself: the next one is written when the pipe has taken the one before.
  for (const byte of whole) await peer.written(Uint8Array.of(byte));
}

export const faults: readonly Fault[] = [
  {
    name: "reads no more",
    effect: "deaf",
    // A request that is on its way then gets no answer and no error, as with any agent that is silent: callers have a signal
    // for that.
    only: { notAt: { client: ["after initialize"] } },
    strike: (scene) => scene.stopReading(),
  },
  { name: "writes no more", effect: "end", strike: (scene) => scene.endOutput() },
  {
    name: "closes both pipes and lives on",
    effect: "end",
    strike: (scene) => {
      scene.stopReading();
      scene.endOutput();
    },
  },
  {
    name: "is killed",
    effect: "end",
    only: { side: "client" },
    names: /SIGKILL/u,
    strike: (scene) => scene.end("SIGKILL"),
  },
  {
    name: "exits with 0",
    effect: "end",
    only: { side: "client" },
    names: /(?:code|status) 0|exit/u,
    strike: (scene) => scene.end(0),
  },
  {
    name: "exits with 1 and last words",
    effect: "end",
    only: { side: "client" },
    names: /last words/u,
    strike: async (scene) => {
      await scene.writeStderr("these are last words\n");
      scene.end(1);
    },
  },
  {
    name: "exits within a message",
    effect: "end",
    only: { side: "client" },
    strike: async (scene) => {
      await scene.peer.written(frame(scene.framing, padding).subarray(0, -9));
      scene.end(1);
    },
  },
  { name: "is stopped for a while", effect: "nothing", strike: (scene) => scene.pause() },
  bytes("a line of garbage", () => "garbage: { not a message\n"),
  bytes("a message that is cut off", ({ framing }) => frame(framing, padding).subarray(0, -9)),
  bytes("invalid UTF-8", ({ framing }) => {
    const whole = frame(framing, { ...padding, params: { text: "????" } });
    return whole.fill(0xff, whole.indexOf("????"), whole.indexOf("????") + 4);
  }),
  bytes("NUL bytes", () => "\0".repeat(64) + "\n"),
  bytes("the other framing", ({ framing }) => frame(framing === "ndjson" ? "content-length" : "ndjson", padding)),
  bytes("a Content-Length that is too large", () => `Content-Length: 60\r\n\r\n${JSON.stringify(padding)}`, {
    framing: "content-length",
  }),
  bytes("a Content-Length that is too small", () => `Content-Length: 9\r\n\r\n${JSON.stringify(padding)}`, {
    framing: "content-length",
  }),
  bytes("a header without Content-Length", () => `Content-Type: application/json\r\n\r\n${JSON.stringify(padding)}`, {
    framing: "content-length",
  }),
  message("a message over the limit", () => ({ ...padding, params: { text: "x".repeat(maxMessageBytes) } })),
  answer("an answer over the limit", "answer", ({ id, result }) => [
    { id, result: { ...result, _meta: { text: "x".repeat(maxMessageBytes) } } },
  ]),
  message("an answer to an id that was never used", () => ({ jsonrpc: "2.0", id: 987_654, result: {} })),
  answer("an answer twice", "nothing", ({ id, result }) => [
    { id, result },
    { id, result },
  ]),
  answer("an answer that is taken back", "nothing", ({ id, result }) => [
    { id, result },
    { id, error: { code: -32603, message: "Changed my mind" } },
  ]),
  answer("an answer with a result and an error", "answer", ({ id, result }) => [
    { id, result, error: { code: -32603, message: "Both" } },
  ]),
  answer("an answer with neither", "answer", ({ id }) => [{ id }]),
  answer("an answer of another type", "answer", ({ id }) => [{ id, result: "yes" }]),
  answer("an answer of JSON-RPC 1.0", "answer", ({ id, result }) => [{ id, result, jsonrpc: "1.0" }]),
  message("an answer under null", () => ({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "What?" } })),
  message("a request of JSON-RPC 1.0", () => ({ jsonrpc: "1.0", id: "old", method: "_padding" })),
  message("a batch", () => [padding, { ...padding, id: "batched" }]),
  message("a request under null", () => ({ ...padding, id: null })),
  {
    name: "a request with wrong params",
    effect: "nothing",
    strike: async (scene) => {
      const { method, params } = knownRequest(scene, false);
      await scene.peer.request(method, params);
    },
  },
  {
    name: "an unknown method",
    effect: "nothing",
    strike: async ({ peer }) => {
      await peer.request("session/fly", {});
    },
  },
  message("an unknown variant", (scene) => ({ jsonrpc: "2.0", ...unknownVariant(scene) })),
  {
    name: "a flood of notifications",
    effect: "nothing",
    strike: async (scene) => {
      const one = frame(scene.framing, { jsonrpc: "2.0", ...floodOf(scene) });
      await scene.peer.written(Buffer.concat(times(2_000, () => one)));
    },
  },
  {
    name: "a flood of requests",
    effect: "nothing",
    strike: async (scene) => {
      const { method, params } = knownRequest(scene, true);
      await Promise.all(times(200, (index) => scene.peer.request(index % 2 === 0 ? method : "session/fly", params)));
    },
  },
  {
    name: "a flood of stderr",
    effect: "nothing",
    only: { side: "client" },
    strike: (scene) => scene.writeStderr(`${"noise ".repeat(20)}\n`.repeat(20_000)),
  },
  {
    name: "a cancel of everything",
    effect: { client: "nothing", agent: "refusal" },
    strike: ({ peer, side, asked, sessionId = "none" }) => {
      for (const requestId of [...asked, ...times(20, (index) => index), "never used"]) {
        peer.send({ method: "$/cancel_request", params: { requestId } });
      }
      if (side === "agent") peer.send({ method: "session/cancel", params: { sessionId } });
    },
  },
  {
    name: "answers in reverse order",
    effect: "nothing",
    // An agent may ask only what comes after its answer to initialize.
    only: { notAt: { agent: ["before initialize", "during initialize"] } },
    // The attacked side asks three things, which are answered once all of them have come.
    strike: ({ peer }) => peer.send({ method: "_ask", params: { count: reversed } }),
  },
  {
    name: "bytes one by one",
    effect: "nothing",
    isBytes: true,
    strike: async ({ peer, framing, open }) => {
      await dribble(peer, frame(framing, padding));
      if (open === undefined) return undefined;
      await dribble(peer, frame(framing, { jsonrpc: "2.0", id: open.id, result: open.result }));
      return "answered";
    },
  },
];

/** How many requests are answered in reverse order. */
const reversed = 3;

/** Collects `_echo` requests, and answers all of them, the last one first, when they are complete. */
export function answerReversed(peer: RawPeer): (message: RawMessage) => void {
  const held: RawMessage[] = [];
  return (request) => {
    held.push(request);
    if (held.length < reversed) return;
    for (const { id, params } of held.splice(0).toReversed()) peer.send({ id, result: params });
  };
}
