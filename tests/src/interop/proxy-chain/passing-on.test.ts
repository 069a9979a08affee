// What a chain of processes has never heard of: client and agent are played by hand, and there are two proxies between.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { canonical, json, members } from "../../../../packages/proxy/test/support/arbitrary-json.ts";
import { LineEnd } from "../proxy/line-end.ts";
import { conductorOf } from "./start-chain.ts";

let client: LineEnd;
let agent: LineEnd;
let stop: () => Promise<number | null>;

beforeAll(async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const relay = fileURLToPath(new URL("../proxy/programs/relay.ts", import.meta.url));
  const agentCommand = [process.execPath, relay, String(port)];
  const [command = "", ...args] = conductorOf(["pass", "pass"], agentCommand);
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  client = new LineEnd(child.stdout, child.stdin);
  // A conductor starts its components with the client's first word.
  client.send({ id: "first", method: "initialize", params: { protocolVersion: 1 } });
  const [socket] = (await once(server, "connection")) as [Socket];
  agent = new LineEnd(socket, socket);
  const { id, ...asked } = await agent.next();
  expect(asked).toEqual({ jsonrpc: "2.0", method: "initialize", params: { protocolVersion: 1 } });
  agent.send({ id, result: { protocolVersion: 1 } });
  expect(await client.next()).toMatchObject({ id: "first", result: { protocolVersion: 1 } });
  server.close();
  stop = async () => {
    child.stdin.end();
    const [code] = (await once(child, "exit")) as [number | null];
    return code;
  };
});

afterAll(async () => expect(await stop()).toBe(0));

const ownMethods = new Set(["$/cancel_request", "initialize", "proxy/initialize", "proxy/successor"]);
const method = fc.oneof(
  fc.constantFrom("session/teleport", "_acme.dev/thing", "constructor", "__proto__", "session/update", "mcp/message"),
  fc.string({ minLength: 1, maxLength: 20 }).filter((name) => !ownMethods.has(name)),
);
const envelope = new Set(["jsonrpc", "id", "method", "params", "result", "error"]);
const beside = members(json).map((all) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !envelope.has(name))),
);
/** Params that name no request: what they name is each side's own. */
const params = json.filter((value) => !canonical([value]).includes('"requestId"'));
const call = fc.tuple(method, beside, fc.option(params)).map(([name, more, given]) => {
  return given === null ? { ...more, method: name } : { ...more, method: name, params: given };
});
const answer = fc.oneof(
  fc.tuple(beside, json).map(([more, result]) => ({ ...more, result })),
  fc
    .tuple(beside, fc.integer(), fc.string(), json)
    .map(([more, code, message, data]) => ({ ...more, error: { code, message, data } })),
);

describe.each([
  ["from the client to the agent", () => [client, agent] as const],
  ["from the agent to the client", () => [agent, client] as const],
] as const)("a chain of two proxies, %s", (_, ends) => {
  test("passes on calls and answers of any kind", async () => {
    const [from, to] = ends();
    let ids = 0;
    await fc.assert(
      fc.asyncProperty(call, fc.option(answer), async (called, answered) => {
        const id = answered === null ? undefined : `request ${++ids}`;
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

  test("passes on a cancellation, and the answer that comes in spite of it", async () => {
    const [from, to] = ends();
    from.send({ id: "slow", method: "_acme/slow", params: {} });
    const { id } = await to.next();
    from.send({ method: "$/cancel_request", params: { requestId: "slow", _meta: { why: "bored" } } });
    const params_ = { requestId: id, _meta: { why: "bored" } };
    expect(await to.next()).toStrictEqual({ jsonrpc: "2.0", method: "$/cancel_request", params: params_ });
    to.send({ id, error: { code: -32800, message: "Request cancelled", data: { after: 3 } } });
    expect(await from.next()).toMatchObject({ id: "slow", error: { code: -32800, data: { after: 3 } } });
  });
});
