// How a proxy that is a process begins and ends: with its client, and with an agent that is not there or is gone.
import { createClient } from "@acp/core";
import { spawnAgent } from "@acp/node";
import { describe, expect, test } from "vitest";

import { program, startProxied } from "./proxied.ts";

const update = (index: number): object => ({ method: "session/update", params: { sessionId: "s", index } });

describe("a proxy of our two halves", () => {
  test("gives a client that has closed its stdin the rest of the turn", async () => {
    const { client, agent, endInput, stop } = await startProxied("proxy");
    client.send({ id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [] } });
    const { id } = await agent.next();
    endInput();
    for (let index = 0; index < 3; index++) agent.send(update(index));
    agent.send({ id, result: { stopReason: "end_turn" } });
    for (let index = 0; index < 3; index++) expect(await client.next()).toMatchObject(update(index));
    expect(await client.next()).toMatchObject({ id: 1, result: { stopReason: "end_turn" } });
    expect(await stop()).toBe(0);
  });

  test("names the missing program to its client", async () => {
    const client = createClient({ info: { name: "test", version: "1.0.0" } });
    const args = [...program("proxy"), "/no/such/agent"];
    await expect(spawnAgent(client, { command: process.execPath, args })).rejects.toMatchObject({
      wire: { code: -32603, message: "The agent could not be started (ENOENT: /no/such/agent)" },
    });
  });

  test("tells its client how the agent has ended", async () => {
    const client = createClient({ info: { name: "test", version: "1.0.0" } });
    const args = [...program("proxy"), process.execPath, "-e", "process.stdin.once('data', () => process.exit(3))"];
    await expect(spawnAgent(client, { command: process.execPath, args })).rejects.toMatchObject({
      wire: { code: -32603, message: "The agent has ended (exit code 3)" },
    });
  });
});
