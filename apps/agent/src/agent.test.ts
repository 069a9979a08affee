import { createClient, createMemoryTransportPair } from "@acp/core";
import { joinText, createSessionState } from "@acp/core/state";
import { expect, test } from "vitest";

import { createReferenceAgent } from "./agent.ts";

test("a session that is loaded again has the history that it had the first time", async () => {
  const [ours, theirs] = createMemoryTransportPair();
  createReferenceAgent({ pace: 0 }).connect(theirs);
  const agent = await createClient({ info: { name: "test", version: "1" } }).connect(ours);
  const session = await agent.newSession({ cwd: "/project" });
  await session.prompt("/help").response;

  const loads: string[][] = [];
  for (let load = 0; load < 3; load++) {
    const loaded = await agent.loadSession({ sessionId: session.id, cwd: "/project" });
    const { timeline } = createSessionState(loaded).state;
    loads.push(timeline.slice().map((item) => ("chunks" in item ? joinText(item.chunks) : item.type)));
  }
  await agent.close();
  expect(loads[0]).toEqual(["/help", expect.stringContaining("/fix")]);
  expect(loads.slice(1)).toEqual([loads[0], loads[0]]);
});
