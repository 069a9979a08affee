// The types of started agents. Checked by `tsc`; a stale line fails it.
import { type ConnectedAgent, createClient, createClientFor, extend, request, v1 } from "@acp/core";
import { clientOfVersions, createClient as createClient2 } from "@acp/core/v2";
import type { SpawnAgent, SpawnedAgent } from "./spawn-agent.ts";

declare const spawnAgent: SpawnAgent;
const info = { name: "x", version: "1" };
const options = { command: "agent" };
const client = createClient({ info });
const client2 = createClient2({ info });

export async function run(): Promise<void> {
  const agent: SpawnedAgent = await spawnAgent(client, options);
  const again: SpawnedAgent = await agent.login("a");
  await again.loadSession({ sessionId: "s", cwd: "/" });

  const acme = extend(v1, { agent: { "_acme/ping": request<{ text: string }, { text: string }>() } });
  const extended = await spawnAgent(createClientFor(acme)({ info }), options);
  const { text } = await extended.request("_acme/ping", { text: "x" });
  text.trim();

  const newer = await spawnAgent(client2, options);
  const turn = (await newer.newSession({ cwd: "/" })).prompt("hello");
  await turn.finished;
  (await newer.login("a")).process.pid.toFixed();

  // The process is with the agent, in any version.
  const either = await spawnAgent(clientOfVersions({ v1: client, v2: client2 }), options);
  either.agent.process.stderr().trim();
  if (either.version === 1) await (await either.agent.login("a")).loadSession({ sessionId: "s", cwd: "/" });
  // @ts-expect-error not in version 2
  else either.agent.loadSession;

  // @ts-expect-error no client
  await spawnAgent({ connect: () => Promise.resolve({}) }, options);
  // @ts-expect-error no command
  await spawnAgent(client, {});
  const connected: ConnectedAgent = agent;
  void connected;
}
