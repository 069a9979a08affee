// Walks at random through what an agent and a client may do with sessions, by the public API and a peer that is played by
// hand, and checks after each step what must always hold.
import fc from "fast-check";
import { expect, it } from "vitest";
import { type ClientSession, type ConnectedAgent, createClient } from "../../src/v1/unstable/entry.ts";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";

const ids = ["x", "y", "z"] as const;
type Id = (typeof ids)[number];

const question = { toolCall: { toolCallId: "t" }, options: [{ optionId: "a", name: "A", kind: "allow_once" }] };

interface Asked {
  readonly session: ClientSession;
  readonly signal: AbortSignal;
  readonly reply: (outcome: object) => void;
}

interface Call {
  readonly method: string;
  readonly wireId: unknown;
  readonly of: Id | undefined;
}

class Walk {
  readonly seen: Set<ClientSession>;
  readonly asked: ReadonlyMap<string, Asked>;
  /** The calls of the client that have no answer. */
  readonly calls: Call[] = [];
  readonly #peer: RawPeer;
  readonly #agent: ConnectedAgent;
  readonly #results: Promise<unknown>[] = [];
  #questions = 0;
  #read = 0;

  private constructor(
    peer: RawPeer,
    agent: ConnectedAgent,
    seen: Set<ClientSession>,
    asked: ReadonlyMap<string, Asked>,
  ) {
    this.seen = seen;
    this.asked = asked;
    this.#peer = peer;
    this.#agent = agent;
  }

  static async start(): Promise<Walk> {
    const [seen, asked] = [new Set<ClientSession>(), new Map<string, Asked>()];
    const client = createClient({
      info: { name: "test", version: "1" },
      capabilities: { subagents: {} },
      handlers: {
        "session/update": (_params, { session }) => void seen.add(session),
        "session/request_permission": ({ toolCall }, { session, signal }) =>
          new Promise((reply) => void asked.set(toolCall.toolCallId, { session, signal, reply: reply as never })),
      },
    });
    let connecting: Promise<ConnectedAgent> | undefined;
    const peer = createRawPeer((transport) => void (connecting = client.connect(transport)));
    const { id } = await peer.next(({ method }) => method === "initialize");
    const agentCapabilities = { loadSession: true, sessionCapabilities: { close: {}, resume: {} } };
    peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1, agentCapabilities } });
    return new Walk(peer, await connecting!, seen, asked);
  }

  #keep(result: Promise<unknown>): void {
    this.#results.push(result.catch(() => {}));
  }

  new(): void {
    this.#keep(this.#agent.newSession({ cwd: "/p" }));
  }

  load(of: Id): void {
    this.#keep(this.#agent.loadSession({ sessionId: of, cwd: "/p" }));
  }

  resume(of: Id): void {
    this.#keep(this.#agent.resumeSession({ sessionId: of, cwd: "/p" }));
  }

  claim(of: Id): void {
    try {
      this.#agent.claimSession({ sessionId: of, cwd: "/p" });
    } catch {
      // It is open.
    }
  }

  close(of: Id): void {
    const session = this.#agent.session(of);
    if (session !== undefined) this.#keep(session.close());
  }

  prompt(of: Id): void {
    const turn = this.#agent.session(of)?.prompt("hi");
    if (turn !== undefined) this.#keep(turn.response);
  }

  ask(of: Id): void {
    const toolCallId = `q${++this.#questions}`;
    const params = { sessionId: of, ...question, toolCall: { toolCallId } };
    this.#peer.send({ jsonrpc: "2.0", id: toolCallId, method: "session/request_permission", params });
  }

  file(of: Id): void {
    const id = `f${++this.#questions}`;
    this.#peer.send({ jsonrpc: "2.0", id, method: "fs/read_text_file", params: { sessionId: of, path: "/p/a" } });
  }

  update(of: Id): void {
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "a" } };
    this.#peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: of, update } });
  }

  subagent(of: Id, pick: number): void {
    const update = { sessionUpdate: "subagent_update", sessionId: ids[pick % ids.length], state: { state: "running" } };
    this.#peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: of, update } });
  }

  reply(_of: Id, pick: number): void {
    const waiting = [...this.asked.values()];
    waiting[pick % waiting.length]?.reply({ outcome: { outcome: "selected", optionId: "a" } });
  }

  answer(of: Id, pick: number): void {
    const call = this.#take(pick);
    if (call === undefined) return;
    const results: Record<string, object> = {
      "session/new": { sessionId: of },
      "session/prompt": { stopReason: "end_turn" },
    };
    this.#peer.send({ jsonrpc: "2.0", id: call.wireId, result: results[call.method] ?? {} });
  }

  fail(_of: Id, pick: number): void {
    const call = this.#take(pick);
    if (call !== undefined)
      this.#peer.send({ jsonrpc: "2.0", id: call.wireId, error: { code: -32603, message: "no" } });
  }

  #take(pick: number): Call | undefined {
    return this.calls.length === 0 ? undefined : this.calls.splice(pick % this.calls.length, 1)[0];
  }

  /** Lets everything arrive, and checks what must hold. */
  async check(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    for (; this.#read < this.#peer.received.length; this.#read++) {
      const { id, method, params } = this.#peer.received[this.#read]!;
      if (typeof method !== "string" || id === undefined) continue;
      this.calls.push({ method, wireId: id, of: (params as { readonly sessionId?: Id }).sessionId });
    }
    for (const of of ids) {
      const session = this.#agent.session(of);
      if (session !== undefined) this.seen.add(session);
    }
    for (const { session } of this.asked.values()) this.seen.add(session);
    this.#checkQuestions();
    for (const of of ids) this.#checkId(of);
  }

  /** A question is answered once, or pending in a session that lives. */
  #checkQuestions(): void {
    for (const [id, { session, signal }] of this.asked) {
      const answers = this.#peer.received.filter((message) => message["id"] === id && message["method"] === undefined);
      expect([id, answers.length <= 1]).toEqual([id, true]);
      if (answers.length > 0 || signal.aborted) continue;
      // Asked while a call opened the session anew, it goes on in the one that was there before if that call fails.
      const goesOn = [...this.seen].some((other) => other.id === session.id && !other.signal.aborted);
      expect([id, !session.signal.aborted || goesOn]).toEqual([id, true]);
    }
  }

  /** An id has one session, and another one while a call opens it anew. */
  #checkId(of: Id): void {
    const live = [...this.seen].filter((session) => session.id === of && !session.signal.aborted);
    const opening = this.calls.filter(
      ({ method, of: named }) => named === of && (method === "session/load" || method === "session/resume"),
    );
    expect([of, live.length <= 1 + opening.length]).toEqual([of, true]);
    const open = this.#agent.session(of);
    if (open === undefined) return;
    expect([of, live.includes(open)]).toEqual([of, true]);
    expect([of, open.unclaimed]).toEqual([of, false]);
    if (opening.length === 0) expect([of, live.some(({ unclaimed }) => unclaimed)]).toEqual([of, false]);
  }

  async end(): Promise<void> {
    await this.#agent.close();
    await Promise.all(this.#results);
    for (const session of this.seen) expect([session.id, session.signal.aborted]).toEqual([session.id, true]);
    for (const [id, { signal }] of this.asked) {
      const answers = this.#peer.received.filter((message) => message["id"] === id && message["method"] === undefined);
      expect([id, answers.length === 1 || signal.aborted]).toEqual([id, true]);
    }
    for (const of of ids) expect(this.#agent.session(of) === undefined).toBe(true);
  }
}

const acts = [
  ...([
    "new",
    "load",
    "resume",
    "claim",
    "close",
    "prompt",
    "ask",
    "ask",
    "file",
    "update",
    "subagent",
    "reply",
  ] as const),
  ...(["answer", "answer", "answer", "fail"] as const),
];

/** Walks that were found at random, and left a session or a question behind. */
const found: readonly (readonly (readonly [act: (typeof acts)[number], of: Id, pick?: number])[])[] = [
  // The new session is made last, and names another id than the one that was asked in and loaded.
  [
    ["new", "z"],
    ["ask", "x"],
    ["load", "x"],
    ["answer", "x", 1],
    ["answer", "y"],
    ["close", "x"],
    ["answer", "x"],
  ],
  // A session that ends with its parent, which could not be opened.
  [
    ["load", "z"],
    ["subagent", "z"],
    ["ask", "x"],
    ["fail", "z"],
  ],
  // A session that was closed while it was being opened, and is asked in again.
  [
    ["load", "z"],
    ["close", "z"],
    ["new", "x"],
    ["fail", "z"],
    ["ask", "z"],
  ],
  // A session that was asked in and could not be opened, and was closed meanwhile, is opened again.
  [
    ["new", "y"],
    ["ask", "x"],
    ["load", "x"],
    ["close", "x"],
    ["fail", "x", 2],
    ["answer", "x", 2],
    ["load", "x"],
  ],
];

it("keeps one receiver for an id, and each question pending or answered once, in any order of events", async () => {
  const step = fc.record({ act: fc.constantFrom(...acts), of: fc.constantFrom(...ids), pick: fc.nat(20) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30, size: "max" }), async (steps) => {
      const walk = await Walk.start();
      for (const { act, of, pick } of steps) {
        walk[act](of, pick);
        await walk.check();
      }
      await walk.end();
    }),
    { numRuns: 150, examples: found.map((steps) => [steps.map(([act, of, pick = 0]) => ({ act, of, pick }))]) },
  );
});
