/** `read <reader> <order as JSON>`: a session of many updates, read once all of them are there. Prints a line of JSON. */
import { spawn } from "node:child_process";
import process from "node:process";
import { Readable, Writable } from "node:stream";

import type { Received } from "@acp/schema/v1";

import type { ReadingMeasurement, ReadingOrder } from "../run/order.ts";
import { peakMemory } from "../workload/memory.ts";

const [reader = "", text = "{}"] = process.argv.slice(2);
const { agent: agentCommand, count } = JSON.parse(text) as ReadingOrder;
const prompt = `updates small ${count}`;

/** Waits until all is there, then reads it; each returns how long reading took, in milliseconds. */
const readers: Readonly<Record<string, () => Promise<number>>> = {
  iterator: () =>
    readToolkit(async (updates) => {
      let read = 0;
      for await (const _update of updates) read++;
      return read;
    }),
  state: () =>
    readToolkit(async (updates) => {
      const { initialState, reduceSession } = await import("@acp/core/state");
      let read = 0;
      let state = initialState();
      for await (const update of updates) {
        state = reduceSession(state, { type: "update", update });
        read++;
      }
      if (state.timeline.length === 0) throw new Error("Nothing was folded into the state");
      return read;
    }),
  official: readOfficial,
};

async function readToolkit(read: (updates: AsyncIterable<Received.SessionUpdate>) => Promise<number>): Promise<number> {
  const { createClient } = await import("@acp/core");
  const { spawnAgent } = await import("#runtime");
  const [command = "", ...args] = agentCommand;
  const agent = await spawnAgent(createClient({ info: { name: "bench", version: "1.0.0" } }), { command, args });
  const session = await agent.newSession({ cwd: "/project" });
  const turn = session.prompt(prompt);
  const { updates } = turn;
  await turn.response;
  const start = performance.now();
  check(await read(updates));
  const milliseconds = performance.now() - start;
  await agent.close();
  return milliseconds;
}

async function readOfficial(): Promise<number> {
  const acp = await import("@agentclientprotocol/sdk");
  const [command = "", ...args] = agentCommand;
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const stream = acp.ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  );
  const { agent } = acp.client({ name: "bench" }).connect(stream);
  await agent.request("initialize", { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {} });
  const session = await agent.buildSession("/project").start();
  await session.prompt(prompt);
  const start = performance.now();
  let read = 0;
  while ((await session.nextUpdate()).kind !== "stop") read++;
  check(read);
  const milliseconds = performance.now() - start;
  child.stdin.end();
  return milliseconds;
}

function check(read: number): void {
  if (read !== count) throw new Error(`${read} updates were read, but there were ${count}`);
}

const milliseconds = await readers[reader]!();
process.stdout.write(`${JSON.stringify({ milliseconds, peak: peakMemory() } satisfies ReadingMeasurement)}\n`);
