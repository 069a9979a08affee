import { RequestError } from "@acp/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RawPeer } from "../../core/test/support/raw-peer.ts";
import { canonical, json, members } from "../test/support/arbitrary-json.ts";
import { connect, type Proxied } from "../test/support/by-hand.ts";

type Message = Record<string, unknown>;

const hasMethod = (message: Message): boolean => "method" in message;
const isAnswer = (message: Message): boolean => !("method" in message);

const directions = [
  ["from the client to the agent", ({ client, agent }: Proxied) => [client, agent] as const],
  ["from the agent to the client", ({ client, agent }: Proxied) => [agent, client] as const],
] as const;

let ids = 0;

/** Sends a request, has it answered, and gives both as they arrived: under ids of their own. */
async function exchange(
  [from, to]: readonly [RawPeer, RawPeer],
  request: object,
  answer: object,
): Promise<readonly [Message, Message]> {
  from.send({ jsonrpc: "2.0", id: `q${++ids}`, ...request });
  const { id, ...asked } = await to.next(hasMethod);
  to.send({ jsonrpc: "2.0", id, ...answer });
  const { id: own, ...answered } = await from.next(isAnswer);
  expect(own).toBe(`q${ids}`);
  return [asked, answered];
}

async function expectExchange(ends: readonly [RawPeer, RawPeer], request: object, answer: object): Promise<void> {
  const [asked, answered] = await exchange(ends, request, answer);
  expect(canonical(asked)).toBe(canonical({ jsonrpc: "2.0", ...request }));
  expect(canonical(answered)).toBe(canonical({ jsonrpc: "2.0", ...answer }));
}

const method = fc.constantFrom(
  "session/prompt",
  "session/update",
  "session/teleport",
  "_acme/thing",
  "elicitation/create",
);
/** Params that name no request: what they name is each side's own. */
const params = fc.option(json, { nil: undefined }).filter((value) => !canonical([value]).includes('"requestId"'));
const error = fc
  .tuple(members(json), fc.integer(), fc.string())
  .map(([more, code, message]) => ({ ...more, code, message }));

/** Members beside those that JSON-RPC gives a message. */
const beside = (...own: string[]): fc.Arbitrary<Message> =>
  members(json).map((all) => Object.fromEntries(Object.entries(all).filter(([name]) => !own.includes(name))));
const besideCall = beside("jsonrpc", "id", "method", "params", "result", "error");
const besideAnswer = fc
  .tuple(beside("jsonrpc", "id", "method", "result", "error"), fc.option(json))
  .map(([all, also]) => (also === null ? all : { ...all, params: also }));

describe.each(directions)("createProxy(), %s", (_, endsOf) => {
  test("passes on any message with all extra members next to params, result and error", async () => {
    const proxied = connect();
    const ends = endsOf(proxied);
    const call = fc.tuple(method, params, besideCall).map(([name, held, more]) => {
      return held === undefined ? { ...more, method: name } : { ...more, method: name, params: held };
    });
    const answer = fc.oneof(
      fc.tuple(json, besideAnswer).map(([result, more]) => ({ ...more, result })),
      fc.tuple(error, besideAnswer).map(([held, more]) => ({ ...more, error: held })),
    );
    await fc.assert(
      fc.asyncProperty(call, fc.option(answer), async (called, answered) => {
        if (answered !== null) return expectExchange(ends, called, answered);
        ends[0].send({ jsonrpc: "2.0", ...called });
        expect(canonical(await ends[1].next(hasMethod))).toBe(canonical({ jsonrpc: "2.0", ...called }));
      }),
      { numRuns: 500 },
    );
    await proxied.close();
    expect(proxied.diagnostics).toEqual([]);
  });

  test("keeps extra members next to the params of a session in order, and with their own message", async () => {
    const proxied = connect();
    const [from, to] = endsOf(proxied);
    const sent = Array.from({ length: 100 }, (__, index) => ({
      jsonrpc: "2.0",
      method: "session/update",
      params: { sessionId: "s", index },
      ...(index % 3 === 0 && { trace: index }),
    }));
    for (const message of sent) from.send(message);
    const seen: Message[] = [];
    for (const __ of sent) seen.push(await to.next(hasMethod));
    expect(seen).toEqual(sent);
    await proxied.close();
  });
});

describe("createProxy() with a program in it", () => {
  test("sends a message's extra members along with the program's version of it", async () => {
    const proxied = connect({
      fromClient: async ({ method: name, params: held }, forward) => [
        await forward({ method: name, params: [held] }),
        "changed",
      ],
    });
    const ends = [proxied.client, proxied.agent] as const;
    expect(await exchange(ends, { method: "_a", params: 1, more: 2 }, { result: 3, most: 4 })).toEqual([
      { jsonrpc: "2.0", method: "_a", params: [1], more: 2 },
      { jsonrpc: "2.0", result: [3, "changed"], most: 4 },
    ]);
    await proxied.close();
  });

  test("gives an error of the program's own no extra members of the agent's", async () => {
    const proxied = connect({
      fromClient: async (message, forward) => {
        try {
          return await forward(message);
        } catch {
          throw new RequestError({ code: 1, message: "Mine" });
        }
      },
    });
    const ends = [proxied.client, proxied.agent] as const;
    const [, answered] = await exchange(ends, { method: "_a" }, { error: { code: 2, message: "Theirs" }, more: 1 });
    expect(answered).toEqual({ jsonrpc: "2.0", error: { code: 1, message: "Mine" } });
    await proxied.close();
  });

  test("attaches nothing to the next message when one cannot be sent", async () => {
    const circular: unknown[] = [];
    circular.push(circular);
    const proxied = connect({
      fromClient: ({ method: name, params: held }, forward) =>
        forward({ method: name, params: name === "_bad" ? circular : held }),
    });
    proxied.client.send({ jsonrpc: "2.0", id: 1, method: "_bad", more: 2 });
    expect(await proxied.client.next(isAnswer)).toMatchObject({ id: 1, error: { code: -32603 } });
    // What the proxy says by itself.
    proxied.agent.send({ jsonrpc: "2.0", id: 7, method: 8 });
    const refusal = await proxied.agent.next(() => true);
    expect([refusal["id"], Object.keys(refusal)]).toEqual([7, ["jsonrpc", "id", "error"]]);
    await proxied.close();
  });

  test("shows diagnostics a message as it came", async () => {
    const proxied = connect();
    const answer = { jsonrpc: "2.0", id: 99, result: 1, more: { deep: [2] } };
    proxied.agent.send(answer);
    await proxied.agent.settle();
    expect(proxied.diagnostics).toMatchObject([{ type: "unexpected-response", received: answer }]);
    await proxied.close();
  });
});
