// The same of the packages of the runtimes, and of the validators.
import * as bun from "@acp/bun";
import { createClient, createMemoryTransportPair } from "@acp/core";
import * as deno from "@acp/deno";
import * as node from "@acp/node";
import { validateRequest } from "@acp/validators/v1";
import { strictValidator } from "@acp/validators/v1/strict";
import { strictValidator as nextValidator } from "@acp/validators/v2/strict";

const client = createClient({ info: { name: "declared", version: "1.0.0" } });
export const runtimes = [node.nodeRuntime, deno.denoRuntime, bun.bunRuntime];
export const runtime = node.nodeRuntime;
export const spawned = await node.spawnAgent(client, { command: "agent" });
export const session = await spawned.newSession({ cwd: "/" });
export const login = spawned.login("method");
export const agentProcess = spawned.process;
export const transport = node.spawnTransport({ command: "agent" });
export const files = node.fileSystem();
export const terminals = node.terminals();
export const pipe = node.createNodePipe(process.stdin, process.stdout);
export const { serveStdio, terminalLogin, spawnAgent, fileSystem } = node;
export const onDeno = [deno.fileSystem(), deno.terminals(), deno.spawnTransport({ command: "agent" })];
export const onBun = [bun.fileSystem(), bun.terminals(), bun.spawnTransport({ command: "agent" })];
export const spawnedElsewhere = [
  deno.spawnAgent(client, { command: "agent" }),
  bun.spawnAgent(client, { command: "agent" }),
];
export const checked = validateRequest("session/prompt", {});
export const validators = [strictValidator, nextValidator];
export const [ours] = createMemoryTransportPair();
