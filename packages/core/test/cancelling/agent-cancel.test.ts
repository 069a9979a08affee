// How an agent's turn ends that is cancelled or taken back, and what is left of a connection that closes.
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { RequestError } from "../../src/base/errors.ts";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";
import { createAgent } from "../../src/v1/agent.ts";
import type { AgentTurnContext } from "../../src/v1/agent-handlers.ts";
import type { AgentConnection } from "../../src/v1/agent.ts";
import type { PermissionOutcome } from "../../src/v1/agent-turn.ts";

interface Started {
  readonly peer: RawPeer;
  readonly connection: AgentConnection;
  readonly sessionId: string;
  /** Sends a prompt. */
  start(id?: string): void;
  /** The answer to it. */
  answer(id?: string): Promise<Record<string, unknown>>;
  cancel(): void;
  takeBack(id?: string): void;
}

/** An agent whose turns do as they are told, and its client, played by hand. */
async function connect(
  prompt: (context: AgentTurnContext) => unknown,
  more: Omit<Partial<Parameters<typeof createAgent>[0]>, "session"> = {},
): Promise<Started> {
  const agent = createAgent({
    info: { name: "agent", version: "1.0.0" },
    ...more,
    handlers: {
      ...more.handlers,
      "session/prompt": (_params: unknown, context: unknown) => prompt(context as AgentTurnContext) as never,
    },
  });
  let connection: AgentConnection | undefined;
  const peer = createRawPeer((transport) => {
    connection = agent.connect(transport);
  });
  if (connection === undefined) throw new Error("not connected");
  await peer.call("initialize", { protocolVersion: 1 });
  const opened = await peer.call("session/new", { cwd: "/project", mcpServers: [] });
  const { sessionId } = opened["result"] as { sessionId: string };
  return {
    peer,
    connection,
    sessionId,
    start: (id = "p") => peer.send({ jsonrpc: "2.0", id, method: "session/prompt", params: { sessionId, prompt: [] } }),
    answer: (id = "p") => peer.next((message) => message["id"] === id && message["method"] === undefined),
    cancel: () => peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } }),
    takeBack: (requestId = "p") => peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } }),
  };
}

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener("abort", resolve));

describe("a turn whose handler returns as if nothing was", () => {
  const done = async ({ signal }: AgentTurnContext) => {
    await aborted(signal);
    return { stopReason: "end_turn", _meta: { spent: 3 } };
  };

  it("is answered cancelled after session/cancel, with its other members (CANC-05)", async () => {
    const turn = await connect(done);
    turn.start();
    turn.cancel();
    expect(await turn.answer()).toMatchObject({ result: { stopReason: "cancelled", _meta: { spent: 3 } } });
  });

  it("is answered cancelled even if its result cannot be read (CANC-05)", async () => {
    const { start, cancel, answer } = await connect(async ({ signal }) => {
      await aborted(signal);
      return {
        get stopReason(): never {
          throw new Error("unreadable");
        },
      };
    });
    start();
    cancel();
    expect((await answer())["result"]).toEqual({ stopReason: "cancelled" });
  });

  it("is answered cancelled after session/close (SESS-15)", async () => {
    const turn = await connect(done, {
      handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), "session/close": () => {} },
    });
    turn.start();
    turn.peer.send({ jsonrpc: "2.0", id: "c", method: "session/close", params: { sessionId: turn.sessionId } });
    expect(await turn.answer()).toMatchObject({ result: { stopReason: "cancelled" } });
    expect(await turn.answer("c")).toMatchObject({ result: {} });
  });

  it("is answered before the session/close that cancels it, though its handler takes its time (SESS-15)", async () => {
    const { peer, sessionId, start } = await connect(
      async ({ signal }) => {
        await aborted(signal);
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { stopReason: "end_turn" };
      },
      { handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), "session/close": () => {} } },
    );
    start();
    await peer.settle();
    await peer.call("session/close", { sessionId });
    expect(peer.received.slice(-2)).toMatchObject([{ id: "p", result: { stopReason: "cancelled" } }, { result: {} }]);
  });

  it.each(["end_turn", "max_tokens", "refusal"])(
    "is answered cancelled when the prompt is cancelled and it returns %s, with its other members",
    async (stopReason) => {
      const turn = await connect(async ({ signal }) => {
        await aborted(signal);
        return { stopReason, _meta: { spent: 3 } };
      });
      turn.start();
      turn.takeBack();
      expect((await turn.answer())["result"]).toEqual({ stopReason: "cancelled", _meta: { spent: 3 } });
    },
  );

  it("is answered cancelled when the prompt is cancelled, before or after a cancel", async () => {
    const turn = await connect(done);
    turn.start();
    turn.takeBack();
    expect(await turn.answer()).toMatchObject({ result: { stopReason: "cancelled" } });
    turn.start("q");
    turn.cancel();
    turn.takeBack("q");
    expect(await turn.answer("q")).toMatchObject({ result: { stopReason: "cancelled" } });
  });
});

describe("a turn whose handler throws -32800 after session/cancel", () => {
  it("is answered cancelled, and has not failed (CANC-05)", async () => {
    const onDiagnostic = vi.fn();
    const turn = await connect(
      async ({ signal }) => {
        await aborted(signal);
        throw new RequestError({ code: -32800, message: "Request cancelled" });
      },
      { onDiagnostic },
    );
    turn.start();
    turn.cancel();
    expect(await turn.answer()).toMatchObject({ result: { stopReason: "cancelled" } });
    expect(onDiagnostic).not.toHaveBeenCalled();
  });
});

describe("call.requestPermission() in a turn that ends", () => {
  async function asking(): Promise<Started & { readonly outcomes: PermissionOutcome[]; readonly question: unknown }> {
    const outcomes: PermissionOutcome[] = [];
    const turn = await connect(async (context) => {
      const call = await context.turn.toolCall({ title: "Write" });
      outcomes.push(await call.requestPermission(), await call.requestPermission());
      return { stopReason: "end_turn" };
    });
    turn.start();
    const { id } = await turn.peer.next(({ method }) => method === "session/request_permission");
    return { ...turn, outcomes, question: id };
  }

  it.each([
    ["the outcome cancelled", { result: { outcome: { outcome: "cancelled" } } }],
    ["-32800", { error: { code: -32800, message: "Request cancelled" } }],
  ])("is cancelled when its client answers %s, and asks no second time", async (_what, answer) => {
    const { peer, cancel, outcomes, question, ...turn } = await asking();
    cancel();
    peer.send({ jsonrpc: "2.0", id: question, ...answer });
    expect(await turn.answer()).toMatchObject({ result: { stopReason: "cancelled" } });
    expect(outcomes).toEqual([{ outcome: "cancelled" }, { outcome: "cancelled" }]);
    const methods = peer.received.map(({ method }) => method);
    expect(methods.filter((method) => method === "session/request_permission")).toHaveLength(1);
    expect(methods).not.toContain("$/cancel_request");
  });

  it("takes its question back from a client that has not answered a second after the cancel (RCAN-08)", async () => {
    const { peer, cancel, outcomes, question, ...turn } = await asking();
    const before = performance.now();
    cancel();
    expect(await turn.answer()).toMatchObject({ result: { stopReason: "cancelled" } });
    expect(performance.now() - before).toBeGreaterThan(900);
    expect(outcomes).toEqual([{ outcome: "cancelled" }, { outcome: "cancelled" }]);
    expect(peer.received).toContainEqual({
      jsonrpc: "2.0",
      method: "$/cancel_request",
      params: { requestId: question },
    });
  });

  it("takes its question back at once with the prompt (RCAN-02/agent)", async () => {
    const { peer, takeBack, outcomes, question, ...turn } = await asking();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    takeBack();
    // Less than the second that a cancel waits for the client's answer.
    await vi.advanceTimersByTimeAsync(900);
    expect(await peer.next(({ method }) => method === "$/cancel_request")).toMatchObject({
      params: { requestId: question },
    });
    expect(await turn.answer()).toMatchObject({ result: { stopReason: "cancelled" } });
    expect(outcomes).toEqual([{ outcome: "cancelled" }, { outcome: "cancelled" }]);
  });

  it("still rejects for an error that has nothing to do with an end", async () => {
    const failures: unknown[] = [];
    const turn = await connect(async (context) => {
      const call = await context.turn.toolCall({ title: "Write" });
      await call.requestPermission().catch((error: unknown) => failures.push(error));
      return { stopReason: "end_turn" };
    });
    turn.start();
    const { id } = await turn.peer.next(({ method }) => method === "session/request_permission");
    turn.peer.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "Broken" } });
    expect(await turn.answer()).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(failures).toMatchObject([{ wire: { code: -32603 } }]);
  });
});

describe("a connection that closes", () => {
  it("starts nothing that arrives while its handlers may still answer", async () => {
    const begun: string[] = [];
    const turn = await connect(
      async ({ signal }) => {
        await aborted(signal);
        await new Promise((resolve) => setTimeout(resolve, 30));
        return { stopReason: "end_turn" };
      },
      {
        handlers: {
          "session/prompt": () => ({ stopReason: "end_turn" }),
          _work: () => void begun.push("request"),
          _note: () => void begun.push("notification"),
        },
      },
    );
    turn.start();
    await turn.peer.settle();
    const closing = turn.connection.close();
    turn.peer.send({ jsonrpc: "2.0", id: "w", method: "_work" });
    turn.peer.send({ jsonrpc: "2.0", method: "_note" });
    await closing;
    await expect.poll(() => turn.peer.closed).toBe(true);
    expect([begun, turn.peer.received.some(({ id }) => id === "p")]).toEqual([[], true]);
  });
});

describe("a client that goes", () => {
  it("ends sessions and running work, waits for all handlers, and receives no more requests", async () => {
    const told: unknown[] = [];
    const onDiagnostic = vi.fn();
    let goOn = (): void => {};
    const { peer, connection, start, sessionId } = await connect(
      async ({ signal, client, session }) => {
        session.signal.addEventListener("abort", () => told.push("session"));
        await aborted(signal);
        const { reason } = signal;
        const asked = client.request("_ask", {} as never).catch((error: unknown) => error === reason);
        const asking = session.client.request("_ask", {} as never).catch((error: unknown) => error === reason);
        told.push(await asked, await asking);
        return { stopReason: "end_turn" };
      },
      {
        handlers: {
          "session/prompt": () => ({ stopReason: "end_turn" }),
          _work: () => new Promise<void>((resolve) => (goOn = resolve)),
          _note: (_params, { client }) => client.request("_answer", {} as never),
        },
        onDiagnostic,
      },
    );
    start();
    peer.send({ jsonrpc: "2.0", id: "w", method: "_work", params: { sessionId } });
    peer.send({ jsonrpc: "2.0", method: "_note" });
    await peer.settle();
    await peer.close();
    await expect.poll(() => told).toEqual(["session", true, true]);
    let hasClosed = false;
    void connection.closed.then(() => (hasClosed = true));
    await peer.settle();
    expect(hasClosed).toBe(false);
    goOn();
    await connection.closed;
    expect(peer.received.some(({ method }) => method === "_ask")).toBe(false);
    // All of it comes of the end, which nobody minds.
    expect(onDiagnostic).not.toHaveBeenCalled();
  });
});

it("a notification of one's own cancels no turn, though it names the session", async () => {
  const noted: unknown[] = [];
  const { peer, start, answer, cancel, sessionId } = await connect(
    async ({ signal }) => {
      await aborted(signal);
      return { stopReason: "end_turn", _meta: { noted: noted.length } };
    },
    { handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), _note: (params) => void noted.push(params) } },
  );
  start();
  peer.send({ jsonrpc: "2.0", method: "_note", params: { sessionId } });
  await peer.settle();
  peer.send({ jsonrpc: "2.0", method: "_note", params: { sessionId } });
  await peer.settle();
  cancel();
  expect(await answer()).toMatchObject({ result: { stopReason: "cancelled", _meta: { noted: 2 } } });
});

it("the connection of an agent is closed at the end of the block that uses it", async () => {
  const { peer, connection } = await connect(() => ({ stopReason: "end_turn" }));
  {
    await using used = connection;
    expect(used.closed).toBeInstanceOf(Promise);
  }
  await expect.poll(() => peer.closed).toBe(true);
});

describe("a request that is cancelled while initialize is answered", () => {
  it("does not start (RCAN-02/agent, RCAN-04/agent)", async () => {
    let goOn = (): void => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const begun: string[] = [];
    const agent = createAgent({
      info: { name: "agent", version: "1.0.0" },
      authMethods: () => gate.then(() => []),
      handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), _work: () => void begun.push("request") },
    });
    const peer = createRawPeer((transport) => agent.connect(transport));
    peer.send({ jsonrpc: "2.0", id: "i", method: "initialize", params: { protocolVersion: 1 } });
    peer.send({ jsonrpc: "2.0", id: "w", method: "_work" });
    peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "w" } });
    await peer.settle();
    goOn();
    expect(await peer.next(({ id }) => id === "w")).toMatchObject({ error: { code: -32800 } });
    expect(begun).toEqual([]);
  });
});
