import { isDeepStrictEqual } from "node:util";

import { parseSchemaDocument } from "@acp/codegen";
import { agentTable, clientTable } from "@acp/schema/v1/unstable";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { canonical, json, members } from "../../../../packages/proxy/test/support/arbitrary-json.ts";
import { examples } from "./examples.ts";
import { planted } from "./planting.ts";
import { agentInitialized, type Exchange, senderOf, TypedProxied } from "./typed-proxied.ts";
import { otherValues, refusedValues, unknownValues } from "./unknown-values.ts";

let proxy: TypedProxied;
beforeAll(async () => {
  proxy = await TypedProxied.start();
});
afterAll(async () => expect(await proxy.stop()).toBe(0));

/** Expects a message, and its answer, to arrive equal. */
async function expectPassed(exchange: Exchange): Promise<void> {
  const { from: _, result, error, ...sent } = exchange;
  const { asked, answer } = await proxy.prepared(exchange, () => proxy.pass(exchange));
  expect(canonical(asked)).toBe(canonical({ jsonrpc: "2.0", ...sent }));
  if (answer === undefined) return;
  expect(canonical(answer)).toBe(canonical({ jsonrpc: "2.0", ...(error === undefined ? { result } : { error }) }));
}

/** What each side says for itself. */
const own = new Set(["initialize", "$/cancel_request"]);
/** Without data, this error is one that the agent fills in: see below. */
const isAuthRequired = ({ error }: Exchange): boolean =>
  isDeepStrictEqual(error, { code: -32000, message: "Log in first" });
const passed = examples.filter(
  ([, exchange]) => senderOf(exchange) !== undefined && !own.has(exchange.method) && !isAuthRequired(exchange),
);

describe("a proxy of a typed agent and a typed client", () => {
  test("gives the client everything the agent sent, unknown capabilities and members included", () => {
    expect(canonical(proxy.initialized)).toBe(canonical({ jsonrpc: "2.0", id: 0, result: agentInitialized }));
  });

  test("is tried with every method of the protocol", () => {
    const all = [agentTable, clientTable].flatMap(({ handles: { requests, notifications } }) => [
      ...Object.keys(requests),
      ...Object.keys(notifications),
    ]);
    expect(new Set(passed.map(([, { method }]) => method))).toEqual(new Set(all.filter((method) => !own.has(method))));
  });

  test.each(passed)("passes on the example of %s as it is, with nothing to tell", async (_, exchange) => {
    await expectPassed(exchange);
    expect(await proxy.diagnostics()).toEqual([]);
  });

  test("passes on unknown members, wherever the schema leaves an object open", async () => {
    const unknown = JSON.parse(
      '{ "newMember": [1e21, { "of": "later" }, null], "__proto__": { "toJSON": "no" } }',
    ) as Readonly<Record<string, unknown>>;
    const closed = new Set<string>();
    for (const [, exchange] of passed) {
      const example = planted(exchange, unknown);
      expect(example.open).not.toEqual([]);
      for (const place of example.closed) closed.add(`${exchange.method} ${place}`);
      await expectPassed(example.exchange);
    }
    expect(await proxy.diagnostics()).toEqual([]);
    // Maps, whose members all have to be of one kind.
    expect([...closed]).toEqual([
      "providers/set /params/headers",
      "elicitation/create /params/requestedSchema/properties",
      "elicitation/create /result/content",
    ]);
  });

  test("passes on such members of any name and value", async () => {
    const schema = readFileSync(new URL("../../../../schema/v1/schema.unstable.json", import.meta.url), "utf8");
    const known = namesIn(parseSchemaDocument(schema, "schema.unstable.json"));
    const unknown = members(json).map((all) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !known.has(name))),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...passed), unknown, async ([, exchange], more) => {
        await expectPassed(planted(exchange, more).exchange);
      }),
      { numRuns: 150 },
    );
    expect(await proxy.diagnostics()).toEqual([]);
  });

  test.each(unknownValues)("passes on %s, and reports it", async (_, exchange) => {
    await expectPassed(exchange);
    expect(await proxy.diagnostics()).toMatchObject([{ type: "tolerated" }]);
  });

  test.each(otherValues)("passes on %s, which is valid, and has nothing to tell", async (_, exchange) => {
    await expectPassed(exchange);
    expect(await proxy.diagnostics()).toEqual([]);
  });

  test.each(refusedValues)("refuses %s, which must not be misread: %i", async (_, code, exchange) => {
    const answer = await proxy.prepared({ ...exchange, result: undefined }, () =>
      exchange.result === undefined
        ? proxy.refusal(exchange)
        : proxy.pass(exchange).then((both) => both.answer?.["error"]),
    );
    expect(answer).toMatchObject({ code });
    await proxy.diagnostics();
  });

  test("passes on extension methods that it names, both ways, with any params, results and errors", async () => {
    const error = fc
      .tuple(
        members(json),
        fc.integer().filter((code) => code !== -32000),
        fc.string(),
      )
      .map(([more, code, message]) => ({ ...more, code, message }));
    // What names a session waits until it is open.
    const anyParams = json.filter((value) => !(value instanceof Object && "sessionId" in value));
    const outcome = fc.oneof(
      fc.constant({}),
      json.map((result) => ({ result })),
      error.map((one) => ({ error: one })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("client", "agent"),
        fc.option(anyParams, { nil: undefined }),
        outcome,
        async (from, params, answer) => {
          const method = Object.keys(answer).length === 0 ? "_acme.dev/file_opened" : "_acme.dev/workspace/buffers";
          await expectPassed({ from, method, ...(params !== undefined && { params }), ...answer });
        },
      ),
      { numRuns: 300 },
    );
    expect(await proxy.diagnostics()).toEqual([]);
  });

  test("answers -32601 to requests that it does not name, and reports notifications that it does not", async () => {
    const unknown = ["session/teleport", "proxy/successor", "_other/thing"];
    for (const from of ["client", "agent"] as const) {
      for (const method of unknown) {
        expect(await proxy.refusal({ from, method, params: {} })).toMatchObject({ code: -32601 });
        proxy.send(from, { method, params: {} });
      }
    }
    // Both ends are read in order: this comes behind them.
    await proxy.pass({ from: "agent", method: "_acme.dev/workspace/buffers", params: 1, result: 2 });
    const told = (await proxy.diagnostics()) as readonly { readonly type: string }[];
    expect(told.filter(({ type }) => type === "unknown-notification")).toHaveLength(6);
    expect(told.filter(({ type }) => type === "unknown-request")).toHaveLength(6);
  });

  test("drops extra members next to params and result, and replaces an absent or null object", async () => {
    const { asked, answer } = await proxy.pass({ method: "logout", result: null, beside: 1 } as Exchange);
    expect([asked, answer]).toEqual([
      { jsonrpc: "2.0", method: "logout", params: {} },
      { jsonrpc: "2.0", result: {} },
    ]);
  });

  test("tells a client that has to log in how it can, where the agent did not", async () => {
    const error = { code: -32000, message: "Log in first", more: 1 };
    const { answer } = await proxy.pass({ method: "session/list", params: {}, error });
    const data = { reason: "auth_required", authMethods: agentInitialized["authMethods"] };
    expect(answer).toEqual({ jsonrpc: "2.0", error: { ...error, data } });
  });

  test("leaves out the content of an answer that declines", async () => {
    const params = { sessionId: "s", mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } };
    const exchange = {
      method: "elicitation/create",
      params,
      result: { action: "decline", content: { a: 1 }, more: 1 },
    };
    const { answer } = await proxy.prepared(exchange, () => proxy.pass(exchange));
    expect(answer).toEqual({ jsonrpc: "2.0", result: { action: "decline", more: 1 } });
  });
});

/** The names of all members that a schema knows. */
function namesIn(value: unknown, names: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof value !== "object" || value === null) return names;
  for (const [key, held] of Object.entries(value)) {
    if (key === "properties") for (const name of Object.keys(held as object)) names.add(name);
    namesIn(held, names);
  }
  return names;
}
