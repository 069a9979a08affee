import { readdirSync, readFileSync } from "node:fs";

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { canonical, json as anyJson, members } from "../../../../packages/proxy/test/support/arbitrary-json.ts";
import type { LineEnd, Message } from "./line-end.ts";
import { type Proxied, startProxied } from "./proxied.ts";

interface Example {
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

const folder = new URL("../../../../schema/v1/examples/", import.meta.url);
const examples = readdirSync(folder).flatMap((file) => {
  const all = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as readonly Example[];
  // A cancellation names a request: what is passed on has another id.
  const named = all.filter(({ method }) => method !== undefined && method !== "$/cancel_request");
  return named.map(({ method, params, result }) => ({ method, params, result }));
});

let proxied: Proxied;
beforeAll(async () => {
  proxied = await startProxied("proxy");
});
afterAll(async () => expect(await proxied.stop()).toBe(0));

const directions = [
  ["from the client to the agent", () => [proxied.client, proxied.agent] as const],
  ["from the agent to the client", () => [proxied.agent, proxied.client] as const],
] as const;

let ids = 0;

/** As it is after one trip: without what JSON has not, such as a negative zero. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Sends a request through the proxy, has it answered, and expects both to arrive as they were sent. */
async function expectRequest([from, to]: readonly [LineEnd, LineEnd], request: object, answer: object): Promise<void> {
  const id = `request ${++ids}`;
  from.send({ id, ...request });
  const { id: passedOn, jsonrpc: _, ...arrived } = await to.next();
  expect(arrived).toStrictEqual(plain(request));
  to.send({ id: passedOn, ...answer });
  expect(await from.next()).toStrictEqual({ jsonrpc: "2.0", id, ...(plain(answer) as object) });
}

async function expectNotification([from, to]: readonly [LineEnd, LineEnd], notification: object): Promise<void> {
  from.send(notification);
  expect(await to.next()).toStrictEqual({ jsonrpc: "2.0", ...(plain(notification) as object) });
}

/** Changes an example in ways that a newer peer might: other values, more members, other variants. */
function mutated(value: unknown, choices: Iterator<number>): unknown {
  const choice = (): number => choices.next().value as number;
  if (typeof value === "string") return choice() % 4 === 0 ? `_unknown_${value}` : value;
  if (typeof value === "number" || typeof value === "boolean") return choice() % 6 === 0 ? [value, null] : value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mutated(item, choices));
    return choice() % 4 === 0 ? [...items, { type: "_acme", wild: [1, { a: null }] }, 5] : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, mutated(member, choices)]);
  const more = choice() % 3 === 0 ? [["_meta", { "acme.dev/x": [null, { deep: true }], traceparent: 7 }]] : [];
  const unknown = choice() % 3 === 0 ? [["newMember", { of: ["a", "later", "version"] }]] : [];
  return Object.fromEntries([...entries, ...more, ...unknown]);
}

function* endlessly(numbers: readonly number[]): Generator<number, never> {
  for (let index = 0; ; index++) yield numbers[index % numbers.length] ?? 0;
}

const numbers = fc.array(fc.nat(100), { minLength: 5, maxLength: 30 });
const json = fc.jsonValue({ maxDepth: 4 });
const method = fc.oneof(
  fc.constantFrom("session/teleport", "_acme.dev/thing", "constructor", "__proto__", "x", "session/update"),
  fc.string({ minLength: 1, maxLength: 20 }).filter((name) => name !== "$/cancel_request"),
);

const envelope = new Set(["jsonrpc", "id", "method", "params", "result", "error"]);
/** Members beside those that JSON-RPC gives a call. */
const besideCall = members(anyJson).map((all) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !envelope.has(name))),
);
/** The same of an answer, for which `params` is one of them. */
const besideAnswer = fc
  .tuple(besideCall, fc.option(anyJson))
  .map(([more, given]) => (given === null ? more : { ...more, params: given }));
/** Params that name no request: what they name is each side's own. */
const anyParams = anyJson.filter((value) => !canonical([value]).includes('"requestId"'));

describe.each(directions)("a proxy of our two halves, %s", (_, ends) => {
  test.each(examples.map((example) => [example.method, example] as const))(
    "EXT-01/both: passes on the example of %s as it is",
    async (_name, example) => {
      const message = { method: example.method, params: example.params };
      if (example.result === undefined) await expectNotification(ends(), message);
      else await expectRequest(ends(), message, { result: example.result });
    },
  );

  test("EXT-01/both, EXT-03, ELIC-31: passes on unknown members, variants and values", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...examples), numbers, async (example, chosen) => {
        const choices = endlessly(chosen);
        const message = { method: example.method, params: mutated(example.params, choices) };
        if (example.result === undefined) await expectNotification(ends(), message);
        else await expectRequest(ends(), message, { result: mutated(example.result, choices) });
      }),
      { numRuns: 300 },
    );
  });

  test("EXT-07/both, EXT-08/both, EXT-09/both: passes on unknown methods, with any params, results and errors", async () => {
    const error = fc.record({ code: fc.integer(), message: fc.string(), data: fc.option(json, { nil: undefined }) });
    const answer = fc.oneof(
      json.map((result) => ({ result })),
      error.map((one) => ({ error: one })),
    );
    await fc.assert(
      fc.asyncProperty(
        method,
        fc.option(json, { nil: undefined }),
        fc.option(answer),
        async (name, params, answered) => {
          const message = { method: name, ...(params === undefined ? {} : { params }) };
          await (answered === null ? expectNotification(ends(), message) : expectRequest(ends(), message, answered));
        },
      ),
      { numRuns: 300 },
    );
  });

  test("passes on all extra members next to params, results and errors, and in errors", async () => {
    const [from, to] = ends();
    const call = fc.tuple(method, besideCall, fc.option(anyParams)).map(([name, more, given]) => {
      return given === null ? { ...more, method: name } : { ...more, method: name, params: given };
    });
    const answer = fc.oneof(
      fc.tuple(besideAnswer, anyJson).map(([more, result]) => ({ ...more, result })),
      fc
        .tuple(besideAnswer, members(anyJson), fc.integer(), fc.string())
        .map(([more, known, code, message]) => ({ ...more, error: { ...known, code, message } })),
    );
    await fc.assert(
      fc.asyncProperty(call, fc.option(answer), async (called, answered) => {
        const id = answered === null ? undefined : `beside ${++ids}`;
        from.send({ id, ...called });
        const { id: passedOn, ...arrived } = await to.next();
        expect(canonical(arrived)).toBe(canonical({ jsonrpc: "2.0", ...called }));
        if (answered === null) return;
        to.send({ id: passedOn, ...answered });
        expect(canonical(await from.next())).toBe(canonical({ jsonrpc: "2.0", id, ...answered }));
      }),
      { numRuns: 300 },
    );
  });

  test("RCAN-01/both: passes on a cancellation with the id that the other side knows, and the answer that comes in spite of it", async () => {
    const [from, to] = ends();
    from.send({ id: "to be cancelled", method: "_acme/slow", params: {} });
    const { id } = await to.next();
    // An id that is not under way here may be that of another request there.
    for (const requestId of [id, "never sent"]) from.send({ method: "$/cancel_request", params: { requestId } });
    from.send({ method: "$/cancel_request", params: { requestId: "to be cancelled", _meta: { why: "bored" } } });
    expect(await to.next()).toStrictEqual({
      jsonrpc: "2.0",
      method: "$/cancel_request",
      params: { requestId: id, _meta: { why: "bored" } },
    });
    to.send({ id, error: { code: -32800, message: "Request cancelled", data: { after: 3 } } });
    expect(await from.next()).toMatchObject({ id: "to be cancelled", error: { code: -32800, data: { after: 3 } } });
  });

  test("UPD-08: keeps the order of a turn, including unknown updates", async () => {
    const [from, to] = ends();
    from.send({ id: "turn", method: "session/prompt", params: { sessionId: "s", prompt: [] } });
    const { id } = await to.next();
    const updates = Array.from({ length: 200 }, (__, index) => ({
      method: "session/update",
      params: {
        sessionId: "s",
        update: { sessionUpdate: index % 2 === 0 ? "_unknown" : "agent_message_chunk", index },
      },
    }));
    for (const update of updates) to.send(update);
    to.send({ id, result: { stopReason: "_bored" } });
    const seen: Message[] = [];
    for (let index = 0; index <= updates.length; index++) seen.push(await from.next());
    expect(seen.map(({ params }) => params).slice(0, -1)).toStrictEqual(updates.map(({ params }) => params));
    expect(seen.at(-1)).toStrictEqual({ jsonrpc: "2.0", id: "turn", result: { stopReason: "_bored" } });
  });
});

test("ELIC-05: a question that belongs to a request names it by the id that the client knows", async () => {
  const { client, agent } = proxied;
  client.send({ id: 77, method: "authenticate", params: { methodId: "m" } });
  const { id } = await agent.next();
  agent.send({ id: "q", method: "elicitation/create", params: { mode: "_x", requestId: id, message: "m" } });
  const question = await client.next();
  expect(question).toMatchObject({ method: "elicitation/create", params: { mode: "_x", requestId: 77 } });
  client.send({ id: question["id"], result: { action: "_maybe" } });
  expect(await agent.next()).toMatchObject({ id: "q", result: { action: "_maybe" } });
  agent.send({ id, result: {} });
  expect(await client.next()).toStrictEqual({ jsonrpc: "2.0", id: 77, result: {} });
});
