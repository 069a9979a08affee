import { decode, type Decoder } from "@acp/schema";
import * as schema from "@acp/schema/v1/unstable";
import { agentTable, clientTable } from "@acp/schema/v1/unstable";
import { validate } from "@acp/validators/v1/unstable";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { canonical } from "../../../../packages/proxy/test/support/arbitrary-json.ts";
import { type Proxied, startProxied } from "../proxy/proxied.ts";
import { senderOf, TypedProxied } from "../proxy/typed-proxied.ts";
import { type Documented, documented, read, values } from "./documented.ts";

/** A message without its id, which is each side's own. */
function withoutId(message: object): string {
  return canonical({ ...message, id: undefined });
}

test("as many as the documents show", () => {
  expect([documented.length, values.length, read("go-dialect").length]).toEqual([69, 16, 19]);
});

describe("createProxy()", () => {
  let proxied: Proxied;
  beforeAll(async () => {
    proxied = await startProxied("proxy");
  });
  afterAll(async () => expect(await proxied.stop()).toBe(0));

  const dialect = read("go-dialect").map(({ shows, message = {} }) => {
    return [
      `go-dialect: ${shows}`,
      { message, from: "method" in message && !("id" in message) ? "agent" : "client" },
    ] as const;
  });
  const all = documented.map(([name, { message, exchange }]) => {
    return [name, { message, from: exchange.from ?? senderOf(exchange) ?? "client" }] as const;
  });

  test.each([...all, ...dialect])("passes on %s", async (_, { message, from }) => {
    const sender = proxied[from];
    const receiver = from === "agent" ? proxied.client : proxied.agent;
    const isAnswer = !("method" in message);
    // An answer needs a request under its id, and a request gets an answer, so that its id can be used again.
    sender.send(isAnswer ? { id: message["id"], method: "_acme.dev/ask" } : message);
    const arrived = await receiver.next();
    if (!isAnswer) expect(withoutId(arrived)).toBe(withoutId(message));
    if (!("id" in message)) return;
    receiver.send(isAnswer ? { ...message, id: arrived["id"] } : { id: arrived["id"], result: null });
    const answer = await sender.next();
    if (isAnswer) expect(canonical(answer)).toBe(canonical(message));
  });
});

describe("the decoders", () => {
  /** Reads what is in a message with the decoder that a connection would use. */
  function readMessage({
    message,
    answers,
    exchange,
  }: Documented): readonly [value: unknown, decoder: Decoder<unknown> | undefined] {
    const handler = senderOf(exchange) === "agent" ? clientTable : agentTable;
    const caller = handler === agentTable ? clientTable : agentTable;
    if (answers !== undefined) return [message["result"], caller.calls.requests[answers]?.result];
    const { requests, notifications } = handler.handles;
    const method = String(message["method"]);
    return [message["params"], ("id" in message ? requests[method] : notifications[method])?.params];
  }

  test.each(documented)("read %s without a note, unless it differs from the schema", (_, entry) => {
    const [value, decoder] = readMessage(entry);
    // Extensions and error objects are not decoded.
    if (decoder === undefined || value === undefined) return;
    const decoded = decode(decoder, value);
    if (entry.differs === undefined) {
      expect(decoded).toEqual({ ok: true, value, issues: [] });
      expect(decoded.ok && decoded.value).toBe(value);
    } else {
      expect(decoded.ok && decoded.issues.length === 0).toBe(false);
    }
  });

  test.each(values)("read %s without a note, and the schema has nothing against it", (_, definition, value) => {
    const decoder: unknown = Reflect.get(schema, `decode${definition}`);
    expect(decode(decoder as Decoder<unknown>, value)).toEqual({ ok: true, value, issues: [] });
    expect(validate(definition as never, value)).toEqual({ ok: true });
  });
});

describe("a proxy of a typed agent and a typed client", () => {
  let proxy: TypedProxied;
  beforeAll(async () => {
    proxy = await TypedProxied.start();
  });
  afterAll(async () => expect(await proxy.stop()).toBe(0));

  const beginning = documented.filter(([, { exchange }]) => exchange.method === "initialize");
  const rest = documented.filter(([, { exchange }]) => exchange.method !== "initialize");
  const emptied = rest.filter(([, { message }]) => message["result"] === null);
  const passed = rest.filter((entry) => !emptied.includes(entry));

  test.each(passed)(
    "passes on %s, and reports only necessary losses",
    async (_, { message, answers, exchange, differs }) => {
      const { asked, answer } = await proxy.prepared(exchange, () => proxy.pass(exchange));
      expect(withoutId((answers === undefined ? asked : answer) ?? {})).toBe(withoutId(message));
      expect(await proxy.diagnostics()).toMatchObject(differs === undefined ? [] : [{ type: "tolerated" }]);
    },
  );

  test.each(emptied)("answers %s by an object that is empty", async (_, { exchange }) => {
    const { answer } = await proxy.prepared(exchange, () => proxy.pass(exchange));
    expect(answer).toEqual({ jsonrpc: "2.0", result: {} });
    expect(await proxy.diagnostics()).toEqual([]);
  });

  test.each(beginning)("takes %s, and keeps all that an agent tells", async (_, { message }) => {
    const { params, result } = message;
    const begun = await TypedProxied.start(result, params);
    expect(begun.initialized["result"]).toMatchObject(result ?? { protocolVersion: 1 });
    expect(await begun.diagnostics()).toEqual([]);
    expect(await begun.stop()).toBe(0);
  });
});
