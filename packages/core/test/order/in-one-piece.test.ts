// Requests of a session that come in one piece, and wait for the same: for `initialize`, or for a handler.
import { describe, expect, it } from "vitest";
import { createAgent, createStreamTransport, type Diagnostic } from "../../src/v1/index.ts";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";

type Options = Parameters<typeof createAgent>[0];

const initialize = { id: "initialize", method: "initialize", params: { protocolVersion: 1 } };
const slow = { method: "_slow", params: { sessionId: "s" } };
const opening = (id: string, method = "session/load"): object => ({
  id,
  method,
  params: { sessionId: "s", cwd: "/", mcpServers: [] },
});
const prompt = (id: string): object => ({ id, method: "session/prompt", params: { sessionId: "s", prompt: [] } });
const ofSession = (id: string, method: string): object => ({ id, method, params: { sessionId: "s" } });

const info = { name: "test", version: "1" };

/** A client of an agent whose turns say the ids of their prompts, and end when they are aborted, or a little later. */
function connect(more: Partial<Options> = {}): { peer: RawPeer; diagnostics: Diagnostic[]; log(): unknown[] } {
  const diagnostics: Diagnostic[] = [];
  const agent = createAgent({
    info,
    authMethods: [{ id: "a", name: "A" }],
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...more,
    handlers: {
      authenticate: () => {},
      "session/load": async (_params, { session }) => {
        await session.update({ sessionUpdate: "session_info_update", title: "replayed" });
      },
      "session/resume": () => {},
      "session/close": () => {},
      "session/prompt": async (_params, { turn, requestId, signal }) => {
        await turn.message(String(requestId));
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve());
          setTimeout(resolve, 3);
        });
        return { stopReason: "end_turn" };
      },
      _slow: () => new Promise<void>((resolve) => setTimeout(resolve, 5)),
    },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  return {
    peer,
    diagnostics,
    log: () =>
      peer.received.map(({ id, result, error, params }) => {
        const { content, title } =
          (params as { update: { content?: { text: string }; title?: string } } | undefined)?.update ?? {};
        if (params !== undefined) return content?.text ?? title;
        const { stopReason } = (result ?? {}) as { stopReason?: string };
        return `${String(id)} = ${stopReason ?? (error as { code?: number } | undefined)?.code ?? "done"}`;
      }),
  };
}

async function sendAll(peer: RawPeer, messages: readonly object[]): Promise<void> {
  for (const message of messages) peer.send({ jsonrpc: "2.0", ...message });
  await peer.next(({ id }) => id === "last");
}

describe("a message right after initialize", () => {
  it.each(["session/load", "session/resume"])("is prompted in the session that %s opens", async (method) => {
    const { peer, diagnostics, log } = connect();
    await sendAll(peer, [initialize, opening("open", method), prompt("last")]);
    expect(log()[0]).toBe("initialize = done");
    expect(log()).toEqual(expect.arrayContaining(["open = done", "last", "last = end_turn"]));
    expect(diagnostics).toEqual([]);
  });

  it("goes in its order, with notifications and a login between", async () => {
    const { peer, diagnostics, log } = connect();
    const login = { id: "login", method: "authenticate", params: { methodId: "a" } };
    await sendAll(peer, [initialize, login, opening("open"), slow, prompt("last")]);
    expect(log()).toEqual(["initialize = done", "login = done", "replayed", "open = done", "last", "last = end_turn"]);
    expect(diagnostics).toEqual([]);
  });

  it("is cancelled by session/cancel, during any wait", async () => {
    const { peer, log } = connect();
    const cancel = { method: "session/cancel", params: { sessionId: "s" } };
    await sendAll(peer, [initialize, opening("open"), prompt("first"), cancel, prompt("last")]);
    expect(log()).toContain("first = cancelled");
    expect(log()).not.toContain("first");
    expect(log().at(-1)).toBe("last = end_turn");
  });
});

describe("a message that arrives while a handler runs", () => {
  it.each([
    ["session/load", []],
    ["session/close and session/load", [ofSession("close", "session/close")]],
  ])("is prompted in the session that %s opens again", async (_methods, before) => {
    const { peer, log } = connect();
    await sendAll(peer, [initialize, opening("last")]);
    await sendAll(peer, [slow, ...before, opening("again"), prompt("last")]);
    expect(log()).toEqual(expect.arrayContaining(["again = done", "last", "last = end_turn"]));
  });

  it("is replaced only by prompts that come later", async () => {
    const { peer, log } = connect({ overlappingPrompts: "replace" });
    await sendAll(peer, [initialize, opening("last")]);
    await sendAll(peer, [slow, prompt("1"), prompt("2"), prompt("last")]);
    expect(log().slice(-5)).toEqual(["1", "2 = cancelled", "1 = cancelled", "last", "last = end_turn"]);
  });
});

describe("a message at the end of the input", () => {
  it.each(["\n", ""])("is answered as usual, with %j after the last message", async (last) => {
    const { answers } = await answered(async () => {}, last);
    expect(answers).toHaveLength(5);
    for (const answer of answers) expect(answer).toHaveProperty("result");
  });

  it("is answered even if initialize takes until after the end", async () => {
    const { answers, signals } = await answered(
      (_client, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
    );
    expect(answers).toHaveLength(5);
    for (const answer of answers) expect(answer).toHaveProperty("result");
    // What sessions clean up on.
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });
});

/** What an agent answers whose input ends behind the last message, and the signals of its sessions. */
async function answered(
  connected: NonNullable<Parameters<typeof createAgent>[0]["connected"]>,
  last = "\n",
): Promise<{ readonly answers: readonly unknown[]; readonly signals: readonly AbortSignal[] }> {
  const signals: AbortSignal[] = [];
  const agent = createAgent({
    info,
    connected,
    session: ({ signal }) => void signals.push(signal),
    handlers: {
      "session/load": async () => {},
      "session/prompt": async () => ({ stopReason: "end_turn" }),
      _ask: async () => ({}),
    },
  });
  const another = { id: "new", method: "session/new", params: { cwd: "/", mcpServers: [] } };
  const messages = [initialize, another, opening("open"), prompt("prompt"), ofSession("ask", "_ask")];
  const lines = messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message })).join("\n") + last;
  let written = "";
  const connection = agent.connect(
    createStreamTransport({
      readable: new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode(lines));
          controller.close();
        },
      }),
      writable: new WritableStream({
        write: (chunk: Uint8Array) => {
          written += new TextDecoder().decode(chunk);
        },
      }),
    }),
  );
  await connection.closed;
  const answers = written.trim().split("\n");
  return { answers: answers.map((line): unknown => JSON.parse(line)), signals };
}
