/** Takes Deno for an older one, and prints as JSON how serving and starting end. */
import { serveStdio, spawnAgent } from "#runtime";
import { createAgent, createClient, UsageError } from "@acp/core";

import { argument } from "../command-line.ts";

// Deno's types are not among those that all runtimes have.
const deno: unknown = Reflect.get(globalThis, "Deno");
Object.defineProperty(deno, "version", { value: { deno: argument("version") } });

const info = { name: "test", version: "1" };

async function refusal(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof UsageError ? error.message : `no refusal, but ${String(error)}`;
}

const agent = createAgent({ info, handlers: { "session/prompt": () => ({ stopReason: "end_turn" as const }) } });
console.log(
  JSON.stringify([
    await refusal(spawnAgent(createClient({ info, handlers: {} }), { command: "true" })),
    await refusal(serveStdio(agent)),
  ]),
);
