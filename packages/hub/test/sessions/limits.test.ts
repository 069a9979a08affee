import { createMemoryTransportPair } from "@acp/core";
import { expect, test } from "vitest";

import { HubFullError } from "../../src/index.ts";
import { joinRaw } from "../support/raw-client.ts";
import { createTestAgent, ends } from "../support/test-agent.ts";
import { cwd, startHub } from "../support/test-hub.ts";

test("a client too many cannot open a session, and can once another one has left", async () => {
  const { agent } = createTestAgent();
  const { join } = startHub(agent, { limits: { clients: 2 } });
  const author = await join();
  const { id } = await author.agent.newSession({ cwd });
  const [second, third] = [await join(), await join()];
  await second.agent.loadSession({ sessionId: id, cwd });

  await expect(third.agent.loadSession({ sessionId: id, cwd })).rejects.toThrow("2 clients use the session");
  await expect(third.agent.loadSession({ sessionId: id, cwd })).rejects.toThrow("(clients)");
  // Another session is no matter of theirs.
  await third.agent.newSession({ cwd });
  await second.leave();
  await third.agent.loadSession({ sessionId: id, cwd });
});

test.each([1, 2] as const)("a client of version %i learns that a session has all its clients", async (version) => {
  const { agent } = createTestAgent();
  const { hub, join } = startHub(agent, { limits: { clients: 1 } });
  const { id } = await (await join()).agent.newSession({ cwd });
  const late = await joinRaw(hub, undefined, {}, version);
  const { error } = await late.call("session/resume", { sessionId: id, cwd, mcpServers: [] });
  expect(error).toMatchObject({ code: -32603, message: expect.stringContaining("(clients)") as string });
});

test("a connection too many is refused, and admitted once another one has ended", async () => {
  const { hub, join } = startHub(createTestAgent().agent, { limits: { connections: 2 } });
  const [first] = [await join(), await join()];
  await expect(join()).rejects.toThrow(HubFullError);
  await expect(join()).rejects.toThrow("(connections)");
  await first.leave();
  await (await join()).agent.newSession({ cwd });
  expect((await hub.list()).sessions).toHaveLength(1);
});

test("connections that are admitted in the same moment are not more than there may be", async () => {
  const { hub } = startHub(createTestAgent().agent, { limits: { connections: 1 } });
  const admitted = await Promise.all([hub.agent({ agent: "test" }), hub.agent({ agent: "test" })]);
  const [one, two] = admitted.map((agent) => {
    const [near, far] = createMemoryTransportPair();
    near.start({ message: () => {}, issue: () => {}, closed: () => {} });
    return agent.connect(far);
  });
  await two?.closed;
  await expect(hub.agent({ agent: "test" })).rejects.toThrow("(connections)");
  await one?.close();
  await hub.agent({ agent: "test" });
});

test("a session too many gets no agent, and does not stay", async () => {
  const { hub, join } = startHub(createTestAgent().agent, { limits: { sessions: 1 } });
  const { agent } = await join();
  const { id } = await agent.newSession({ cwd });
  await expect(agent.newSession({ cwd })).rejects.toThrow("(sessions)");
  expect((await hub.list()).sessions).toHaveLength(1);
  await hub.stop(id);
  await agent.newSession({ cwd });
});

test("a prompt that is too large, or behind too many, is refused", async () => {
  const { agent, go, prompts } = createTestAgent();
  const { join } = startHub(agent, { limits: { prompts: 1, promptUnits: 1000 } });
  const { agent: client, until } = await join();
  const session = await client.newSession({ cwd });
  await expect(session.prompt("x".repeat(1000)).response).rejects.toThrow("1000 characters (promptUnits)");
  const running = session.prompt("a.");
  await until(ends("a"));
  const waiting = session.prompt("b");
  await expect(session.prompt("c").response).rejects.toThrow("(prompts)");
  go();
  await Promise.all([running.response, waiting.response]);
  expect(prompts).toEqual(["a.", "b"]);
});

test.each(["clients", "connections", "sessions", "prompts", "lease"])("limits.%s is a number from 0 on", (name) => {
  for (const value of [-1, Number.NaN, "3"])
    expect(() => startHub(createTestAgent().agent, { limits: { [name]: value } }), String(value)).toThrow(name);
});
