import { expect, test } from "vitest";

import { startHub, cwd } from "../support/test-hub.ts";
import { createTestAgent } from "../support/test-agent.ts";

test("turns that have ended are compacted, and who comes later sees the same", async () => {
  const { agent } = createTestAgent();
  const { join, journal } = startHub(agent, { limits: { compactAfter: 5, mergeTime: 0 } });
  const author = await join();
  const session = await author.agent.newSession({ cwd });
  const watcher = await join();
  await watcher.agent.loadSession({ sessionId: session.id, cwd });
  const words = ["the quick brown fox", "jumps over", "the lazy dog", "again"];
  let all = "";
  for (const word of words) {
    await session.prompt(word).response;
    all += `[${word}]${word}`;
    // Whoever is a turn behind has to load the session again.
    await watcher.until(() => watcher.text() === all);
  }

  await expect
    .poll(async () => {
      const page = await journal.read(session.id, "start", 1e9);
      return typeof page === "object" ? page.entries.filter((text) => text.includes('"epoch":0')).length : 0;
    })
    .toBeGreaterThan(0);
  const late = await join();
  await late.agent.loadSession({ sessionId: session.id, cwd });

  expect(late.text()).toBe(all);
  await watcher.until(() => watcher.text() === all);
});
