// How chains end: by their client, by a component that ends, or by one that never gets there.
import { type ConnectedAgent, createAgent, createClient, type Diagnostic, type Transport } from "@acp/core";
import { describe, expect, test } from "vitest";
import type { ChainComponent } from "../src/chain/index.ts";
import { connectByHand } from "./support/by-hand.ts";
import { createChainProxy, createConductor } from "../src/chain/index.ts";
import { conduct, type Conducted, local, type LocalComponent } from "./support/chain.ts";
import { isCall, rawComponent } from "./support/raw.ts";

const info = { name: "test", version: "1.0.0" };
const client = createClient({ info });

const worker = createAgent({
  info,
  handlers: {
    "session/prompt": async (_, { turn, signal }) => {
      await turn.message("waiting");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { stopReason: "cancelled" };
    },
  },
});

const chainOf = (): [first: LocalComponent, second: LocalComponent, last: LocalComponent] => [
  local(createChainProxy({}), "one"),
  local(createChainProxy({}), "two"),
  local(worker, "three"),
];

const connected = ({ client: transport }: Conducted): Promise<ConnectedAgent> =>
  client.connect(transport, { startTimeout: 5000 });

/** Settles when all of them have ended. */
const allEnded = (parts: readonly LocalComponent[]): Promise<unknown> =>
  Promise.all(parts.map(({ served }) => served().closed));

/** The diagnostics that tell of an end, as sentences. */
const endings = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.flatMap(({ type, message }) => (type === "closed" ? [message] : []));

/** What a client is told when it begins. */
async function refusal(chain: Conducted): Promise<unknown> {
  const error: unknown = await connected(chain).catch((thrown: unknown) => thrown);
  await chain.conductor.closed;
  return (error as { wire?: unknown }).wire;
}

describe("a chain", () => {
  test.each([0, 1, 2])(
    "ends when component %d ends in a turn: the client learns which one, all are closed",
    async (index) => {
      const parts = chainOf();
      const chain = conduct(parts.slice(0, 2), parts[2]);
      const agent = await connected(chain);
      const turn = (await agent.newSession({ cwd: "/" })).prompt("Hello");
      for await (const update of turn.updates) {
        expect(update.sessionUpdate).toBe("agent_message_chunk");
        parts[index]?.cut();
        break;
      }
      const name = parts[index]?.name;
      const message = `The component "${name}" has ended; the chain is closed`;
      await expect(turn.response).rejects.toMatchObject({ wire: { code: -32603, message, data: { component: name } } });
      await agent.closed;
      await chain.conductor.closed;
      await allEnded(parts);
      expect(endings(chain.diagnostics)).toEqual([message]);
    },
  );

  test.each([
    ["the answer", true],
    ["an error for what it has not answered", false],
  ])("passes on its agent's last messages, and %s, although the agent has ended since", async (_, isAnswered) => {
    const last = rawComponent("agent");
    const proxies = [local(createChainProxy({})), local(createChainProxy({}))];
    const { client: raw, closed } = connectByHand(createConductor({ proxies, agent: last }));
    raw.send({ jsonrpc: "2.0", id: 0, method: "initialize" });
    const { id: first } = await last.peer.next(isCall("initialize"));
    last.peer.send({ jsonrpc: "2.0", id: first, result: {} });
    raw.send({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s" } });
    const { id } = await last.peer.next(isCall("session/prompt"));
    const updates = [0, 1, 2].map((index) => ({
      jsonrpc: "2.0",
      method: "session/update",
      params: { sessionId: "s", index },
    }));
    for (const update of updates) last.peer.send(update);
    const result = { stopReason: "end_turn" };
    if (isAnswered) last.peer.send({ jsonrpc: "2.0", id, result });
    void last.peer.close();
    await closed;
    await allEnded(proxies);
    const message = 'The component "agent" has ended; the chain is closed';
    const error = { code: -32603, message, data: { component: "agent" } };
    const answer = isAnswered ? { result } : { error };
    expect(raw.received.slice(1)).toEqual([...updates, { jsonrpc: "2.0", id: 1, ...answer }]);
  });

  test("answers for a proxy that keeps the error to itself", async () => {
    const keeping = createChainProxy({
      fromClient: (message, forward) =>
        message.method === "session/prompt" ? forward(message).catch(() => new Promise(() => {})) : forward(message),
    });
    const parts = [local(keeping), local(worker, "three")];
    const chain = conduct(parts.slice(0, 1), parts[1]);
    const agent = await connected(chain);
    const turn = (await agent.newSession({ cwd: "/" })).prompt("Hello");
    for await (const _ of turn.updates) {
      parts[1]?.cut();
      break;
    }
    await expect(turn.response).rejects.toMatchObject({ wire: { data: { component: "three" } } });
    await allEnded(parts);
  });

  test("ends with its client, and with its server", async () => {
    for (const end of ["client", "server"]) {
      const parts = chainOf();
      const chain = conduct(parts.slice(0, 2), parts[2]);
      const agent = await connected(chain);
      const turn = (await agent.newSession({ cwd: "/" })).prompt("Hello");
      await (end === "client" ? agent.close() : chain.conductor.close());
      await expect(turn.response).rejects.toThrow();
      await chain.conductor.closed;
      await allEnded(parts);
      expect(endings(chain.diagnostics)).toEqual([]);
    }
  });

  test("tells its client which component never answers its initialize, and closes all", async () => {
    const [one, , three] = chainOf();
    // It passes it on, but never answers.
    const two = local(
      createChainProxy({
        fromClient: async (message, forward) => {
          await forward(message);
          return new Promise(() => {});
        },
      }),
      "two",
    );
    const chain = conduct([one, two], three, 300);
    const message = `The component "two" did not answer proxy/initialize within 300 ms; the chain is closed`;
    expect(await refusal(chain)).toEqual({ code: -32603, message, data: { component: "two" } });
    await allEnded([one, two, three]);
    expect(endings(chain.diagnostics)).toEqual([message]);
  });

  test("tells its client that the agent never answers its initialize", async () => {
    const [one, two] = chainOf();
    const silent: ChainComponent = { connect: () => silentTransport() };
    expect(await refusal(conduct([one, two], silent, 300))).toMatchObject({
      message: `The component "agent" did not answer initialize within 300 ms; the chain is closed`,
    });
    await allEnded([one, two]);
  });

  test("tells its client which component cannot be started", async () => {
    const [one, , three] = chainOf();
    const two: ChainComponent = { connect: () => Promise.reject(new Error("no such program")) };
    const chain = conduct([one, two], three);
    const message = `The component "proxy 2" could not be started; the chain is closed`;
    expect(await refusal(chain)).toEqual({ code: -32603, message, data: { component: "proxy 2" } });
    expect(endings(chain.diagnostics)).toEqual([`${message}: no such program`]);
    expect(chain.diagnostics).toMatchObject([{ type: "closed", error: { cause: { message: "no such program" } } }]);
    await allEnded([one, three]);
  });

  test("passes the system's reason to its client when a component does not start", async () => {
    const error = Object.assign(new Error("secret"), { reason: "ENOENT", command: "two" });
    const wire = await refusal(conduct([], { name: "two", connect: () => Promise.reject(error) }));
    expect(wire).toMatchObject({
      message: 'The component "two" could not be started (ENOENT: two); the chain is closed',
    });
  });

  test("passes on the rest of a turn to a client that only sends no more", async () => {
    const last = rawComponent("agent");
    const {
      client: raw,
      endInput,
      closed,
    } = connectByHand(
      createConductor({ proxies: [local(createChainProxy({})), local(createChainProxy({}))], agent: last }),
    );
    raw.send({ jsonrpc: "2.0", id: 0, method: "initialize" });
    const { id: first } = await last.peer.next(isCall("initialize"));
    last.peer.send({ jsonrpc: "2.0", id: first, result: {} });
    raw.send({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s" } });
    const { id } = await last.peer.next(isCall("session/prompt"));
    endInput();
    const updates = [0, 1, 2].map((index) => ({
      jsonrpc: "2.0",
      method: "session/update",
      params: { sessionId: "s", index },
    }));
    for (const update of updates) last.peer.send(update);
    last.peer.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
    await closed;
    expect(raw.received.slice(1)).toEqual([...updates, { jsonrpc: "2.0", id: 1, result: { stopReason: "end_turn" } }]);
  });

  test("abandons a component that does not connect in time, and closes it when it connects later", async () => {
    const [, , three] = chainOf();
    let signal: AbortSignal | undefined;
    let arrive: (transport: Transport) => void = () => {};
    const late: ChainComponent = {
      connect: (options) => {
        ({ signal } = options);
        return new Promise((resolve) => (arrive = resolve));
      },
    };
    expect(await refusal(conduct([late], three, 300))).toMatchObject({
      message: `The component "proxy 1" did not start within 300 ms; the chain is closed`,
    });
    expect(signal?.aborted).toBe(true);
    await new Promise<void>((resolve) => arrive({ ...silentTransport(), close: async () => resolve() }));
  });

  test("closes the components of a client that has left before they were there", async () => {
    let isClosed = false;
    let arrive: ((transport: Transport) => void) | undefined;
    const slow: ChainComponent = { connect: () => new Promise((resolve) => (arrive = resolve)) };
    const chain = conduct([], slow);
    const connecting = connected(chain).catch(() => {});
    await expect.poll(() => arrive).toBeDefined();
    await chain.client.close();
    await chain.conductor.closed;
    arrive?.({ ...silentTransport(), close: async () => void (isClosed = true) });
    await connecting;
    await expect.poll(() => isClosed).toBe(true);
    expect(chain.diagnostics).toEqual([]);
  });

  test("tells its client that a component is not a proxy", async () => {
    const [one, , three] = chainOf();
    const chain = conduct([one, local(worker, "two")], three);
    await expect(connected(chain)).rejects.toMatchObject({
      wire: { code: -32603, message: 'The component "two" is no proxy: it does not know proxy/initialize' },
    });
    await chain.conductor.close();
  });

  test("tells its client that its agent is a proxy", async () => {
    const [one, two] = chainOf();
    const chain = conduct([one], two);
    await expect(connected(chain)).rejects.toMatchObject({
      wire: { code: -32600, message: expect.stringContaining("This program is a proxy") as string },
    });
    await chain.conductor.close();
  });
});

/** Takes all, says nothing. */
function silentTransport(): Transport {
  return { start: () => {}, send: () => {}, pause: () => {}, resume: () => {}, close: () => Promise.resolve() };
}
