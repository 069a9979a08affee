// What becomes of an agent's sessions that are closed, opened again, taken back or lost while they are being opened.
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";
import { createAgent } from "../../src/v1/agent.ts";
import type { SessionSetup } from "../../src/session/agent/agent-options.ts";
import type { AgentSession } from "../../src/v1/agent-session.ts";

const setup = { cwd: "/project", mcpServers: [] };
const load = { sessionId: "s", ...setup };
const prompt = { sessionId: "s", prompt: [{ type: "text", text: "Hello" }] };

interface Opening {
  readonly method: string;
  readonly signal: AbortSignal;
  finish(): void;
  fail(error: unknown): void;
}

/** An agent whose sessions the test sets up, and in the end has. */
async function connect(
  more: object = {},
): Promise<{ peer: RawPeer; diagnostics: Diagnostic[]; openings: Opening[]; open(): Promise<void> }> {
  const diagnostics: Diagnostic[] = [];
  const openings: Opening[] = [];
  const agent = createAgent({
    info: { name: "test-agent", version: "1.0.0" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    sessionId: () => "s",
    session: ({ method, signal }: SessionSetup) =>
      new Promise<void>((finish, fail) => openings.push({ method, signal, finish, fail })),
    handlers: {
      "session/prompt": async (_params, { turn }) => {
        await turn.message("Hello");
        return { stopReason: "end_turn" };
      },
      "session/load": () => {},
      "session/close": () => {},
      ...more,
    },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", { protocolVersion: 1 });
  const open = async (): Promise<void> => {
    const opened = peer.call("session/load", load);
    await peer.settle();
    openings[0]?.finish();
    await opened;
  };
  return { peer, diagnostics, openings, open };
}

const endsOf = (openings: readonly Opening[]): unknown => openings.map(({ signal }) => signal.aborted);

describe("a session that an agent is asked to open again", () => {
  it("ends with the connection, even if the handler never returns", async () => {
    const { peer, openings, open } = await connect();
    await open();
    void peer.call("session/load", load);
    await peer.settle();
    expect(endsOf(openings)).toEqual([false, false]);
    await peer.close();
    await expect.poll(() => endsOf(openings)).toEqual([true, true]);
  });

  it("ends with the other one where that is closed, even if the other one fails", async () => {
    const { peer, openings, open } = await connect();
    await open();
    const again = peer.call("session/load", load);
    await peer.settle();
    expect(await peer.call("session/close", { sessionId: "s" })).toHaveProperty("result");
    openings[1]?.fail(new Error("disk"));
    expect(await again).toHaveProperty("error");
    expect(endsOf(openings)).toEqual([true, true]);
    expect(await peer.call("session/prompt", prompt)).toMatchObject({ error: { code: -32002 } });
  });

  it("ends where the other one fails while it is being closed", async () => {
    let close = (): void => {};
    const { peer, openings, open } = await connect({
      "session/close": () => new Promise<void>((resolve) => (close = resolve)),
    });
    await open();
    const again = peer.call("session/load", load);
    await peer.settle();
    const closing = peer.call("session/close", { sessionId: "s" });
    await peer.settle();
    openings[1]?.fail(new Error("disk"));
    expect(await again).toHaveProperty("error");
    close();
    expect(await closing).toHaveProperty("result");
    expect(endsOf(openings)).toEqual([true, true]);
    expect(await peer.call("session/prompt", prompt)).toMatchObject({ error: { code: -32002 } });
  });

  it.each([
    ["in order", [1, 2]],
    ["the last one first", [2, 1]],
  ])("continues where two requests open it again, and both fail, %s", async (_how, order) => {
    const { peer, openings, open } = await connect();
    await open();
    const both = [peer.call("session/load", load), peer.call("session/load", load)];
    await peer.settle();
    for (const index of order) openings[index]?.fail(new Error("disk"));
    for (const answer of await Promise.all(both)) expect(answer).toHaveProperty("error");
    expect(endsOf(openings)).toEqual([false, true, true]);
    expect(await peer.call("session/prompt", prompt)).toMatchObject({ result: { stopReason: "end_turn" } });
  });

  it("continues at once where that is cancelled", async () => {
    const { peer, openings, open } = await connect();
    await open();
    peer.send({ jsonrpc: "2.0", id: 1, method: "session/load", params: load });
    await peer.settle();
    peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 1 } });
    await peer.settle();
    expect(endsOf(openings)).toEqual([false, true]);
    expect(await peer.call("session/prompt", prompt)).toMatchObject({ result: { stopReason: "end_turn" } });
    openings[1]?.finish();
    expect(await peer.next(({ id }) => id === 1)).toMatchObject({ error: { code: -32800 } });
    expect(endsOf(openings)).toEqual([false, true]);
  });

  it("is left alone by a new one that gets its id", async () => {
    const { peer, openings, open } = await connect();
    await open();
    const made = peer.call("session/new", setup);
    await peer.settle();
    openings[1]?.finish();
    expect(await made).toMatchObject({ error: { code: -32603 } });
    expect(endsOf(openings)).toEqual([false, true]);
    expect(await peer.call("session/prompt", prompt)).toMatchObject({ result: { stopReason: "end_turn" } });
  });
});

describe("a session that an agent is opening", () => {
  it.each([
    ["resolves", ({ finish }: Opening): void => finish()],
    ["rejects with the reason", ({ fail, signal }: Opening): void => fail(signal.reason)],
  ])("is answered -32800 if it is closed meanwhile, and its handler %s", async (_how, end) => {
    const { peer, diagnostics, openings } = await connect();
    const opening = peer.call("session/load", load);
    await peer.settle();
    expect(await peer.call("session/close", { sessionId: "s" })).toHaveProperty("result");
    end(openings[0] as Opening);
    expect(await opening).toMatchObject({ error: { code: -32800 } });
    expect(await peer.call("session/prompt", prompt)).toMatchObject({ error: { code: -32002 } });
    expect(diagnostics.filter(({ type }) => type === "handler-failed")).toEqual([]);
  });

  it.each(["session/new", "session/load"])("ends when %s is cancelled, and is not open then", async (method) => {
    const { peer, openings } = await connect();
    peer.send({ jsonrpc: "2.0", id: 1, method, params: load });
    await peer.settle();
    peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 1 } });
    await peer.settle();
    expect(endsOf(openings)).toEqual([true]);
    openings[0]?.finish();
    expect(await peer.next(({ id }) => id === 1)).toMatchObject({ error: { code: -32800 } });
    expect(await peer.call("session/prompt", prompt)).toMatchObject({ error: { code: -32002 } });
  });

  it.each(["session/new", "session/load"])("ends with the connection, by %s", async (method) => {
    const { peer, openings } = await connect();
    void peer.call(method, load);
    await peer.settle();
    await peer.close();
    await expect.poll(() => endsOf(openings)).toEqual([true]);
  });
});

describe("updates of a session that ends meanwhile", () => {
  const speak = async (_params: unknown, { session }: { session: AgentSession }): Promise<never> => {
    for (;;) {
      await session.update({ sessionUpdate: "session_info_update", title: "Title" });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  const failures = (diagnostics: readonly Diagnostic[]): unknown =>
    diagnostics.filter(({ type }) => type === "handler-failed");

  it.each([
    ["closed", { id: 2, method: "session/close", params: { sessionId: "s" } }],
    ["taken back", { method: "$/cancel_request", params: { requestId: 1 } }],
    ["opened again", { id: 2, method: "session/load", params: load }],
  ])("do not fail the handler that opens it, where that is %s", async (_how, message) => {
    const { peer, diagnostics, openings } = await connect({ "session/load": speak });
    peer.send({ jsonrpc: "2.0", id: 1, method: "session/load", params: load });
    await peer.settle();
    openings[0]?.finish();
    await peer.settle();
    peer.send({ jsonrpc: "2.0", ...message });
    expect(await peer.next(({ id }) => id === 1)).toMatchObject({ error: { code: -32800 } });
    expect(failures(diagnostics)).toEqual([]);
  });

  it("cause no unhandled rejection where nobody waits for them", async () => {
    const said: Promise<void>[] = [];
    const { peer, open } = await connect({
      "session/prompt": (_params: unknown, { session, signal }: { session: AgentSession; signal: AbortSignal }) => {
        signal.addEventListener("abort", () => {
          said.push(session.update({ sessionUpdate: "session_info_update", title: "Title" }));
        });
        return new Promise(() => {});
      },
    });
    await open();
    void peer.call("session/prompt", prompt);
    void peer.call("session/load", load);
    // The test runner takes one for an error.
    await peer.settle();
    await expect(said[0]).rejects.toThrow("is being opened again");
  });

  it("do not fail a prompt, where the session is opened again", async () => {
    const { peer, diagnostics, open } = await connect({ "session/prompt": speak });
    await open();
    const answer = peer.call("session/prompt", prompt);
    await peer.settle();
    void peer.call("session/load", load);
    expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
    expect(failures(diagnostics)).toEqual([]);
  });
});
