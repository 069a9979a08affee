// A client and a server of the toolkit on a bad network: nothing is lost, nothing comes twice, no session fails.
import { createHttpServer, createHttpTransport } from "@acp/http";
import { nodeHttpHandler } from "@acp/node/http";
import { afterEach, expect, test } from "vitest";

import { createFaultyProxy, type FaultyProxy } from "../../support/http/faulty-proxy.ts";
import { faultyRun } from "../../support/http/faulty-run.ts";
import { listen } from "../../support/http/listen.ts";
import { type AgentLog, createNumberedAgent } from "../../support/http/numbered-turns.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function serve(seed: number, faults: number): Promise<{ readonly log: AgentLog; readonly proxy: FaultyProxy }> {
  const log: AgentLog = { prompts: new Map(), answers: new Map() };
  const server = createHttpServer({ agent: createNumberedAgent(log) });
  const listener = await listen(nodeHttpHandler(server));
  const proxy = await createFaultyProxy({ target: Number(new URL(listener.url).port), seed, faults, every: 12 });
  ends.push(
    () => listener.close(),
    () => server.close(),
    () => proxy.close(),
  );
  return { log, proxy };
}

test.each([1, 2, 3])("over HTTP, with 20 faults by the seed %i", async (seed) => {
  const { log, proxy } = await serve(seed, 20);
  const wrong = await faultyRun(createHttpTransport(proxy.url), proxy, log);
  expect(wrong).toEqual([]);
  expect(proxy.faults).toHaveLength(20);
});
