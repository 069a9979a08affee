import { describe, expect, test } from "vitest";

import { canonical } from "../../../../packages/proxy/test/support/arbitrary-json.ts";
import type { Message } from "../proxy/line-end.ts";
import { type Proxied, startProxied } from "../proxy/proxied.ts";
import { read } from "./documented.ts";

/** What is sent in the dialect, and what arrives of it. */
const conversation = read("go-dialect").map(({ shows, message = {}, arrives = message }) => ({
  shows,
  message,
  arrives,
}));

/** Plays a conversation over a proxy, and gives what has arrived, in the same order and under the same ids. */
async function play(proxied: Proxied, messages: readonly Message[]): Promise<readonly Message[]> {
  const { client, agent } = proxied;
  const passedOn = new Map<unknown, unknown>();
  const arrived: Message[] = [];
  for (const message of messages) {
    const { id, method } = message;
    if (method === undefined) {
      // A request to cancel was answered before it was passed on, and needs no answer.
      if (passedOn.get(id) !== undefined) agent.send({ ...message, id: passedOn.get(id) });
      arrived.push(await client.next());
    } else if (id === undefined) {
      agent.send(message);
      arrived.push(await client.next());
    } else {
      client.send(message);
      const { id: theirs, ...asked } = await agent.next();
      arrived.push({ ...asked, id });
      if (method !== "session/cancel") passedOn.set(id, theirs);
    }
  }
  return arrived;
}

describe("messages of the Go dialect", () => {
  test("come through a proxy as they are, translated on one side and back on the other", async () => {
    const proxied = await startProxied("go-proxy");
    const arrived = await play(
      proxied,
      conversation.map(({ message }) => message),
    );
    expect(await proxied.stop()).toBe(0);
    for (const [index, { shows, arrives }] of conversation.entries()) {
      expect(canonical(arrived[index]), shows).toBe(canonical(arrives));
    }
  });

  test("come through a typed agent and a typed client, and report only parts that the dialect lacks", async () => {
    const proxied = await startProxied("typed-go-proxy");
    const { client, agent } = proxied;
    const [begin, begun, ...rest] = conversation;
    // Each side's own.
    const { id, method, params } = await agent.next();
    expect([method, params]).toEqual([
      "initialize",
      { protocolVersion: "1", clientInfo: { name: "typed-go-proxy", version: "1.0.0" }, capabilities: {} },
    ]);
    agent.send({ ...begun?.message, id });
    client.send({ ...begin?.message });
    expect(canonical(await client.next())).toBe(canonical(begun?.arrives));

    const arrived = await play(
      proxied,
      rest.map(({ message }) => message),
    );
    for (const [index, { shows, arrives }] of rest.entries()) {
      expect(canonical(arrived[index]), shows).toBe(canonical(arrives));
    }
    client.send({ id: "diagnostics", method: "_proxy/diagnostics" });
    expect((await client.next())["result"]).toEqual([
      { type: "translation", message: expect.stringContaining("initialize") },
      { type: "translation", message: expect.stringContaining("initialize") },
    ]);
    expect(await proxied.stop()).toBe(0);
  });
});
