import { expect, test } from "vitest";

import { createDeferred } from "../../src/deferred.ts";
import { createMemoryJournal } from "../../src/index.ts";
import { changed } from "../support/changed-journal.ts";
import { createTestAgent, ends } from "../support/test-agent.ts";
import { cwd, startHub } from "../support/test-hub.ts";

test("a cancel that the journal gets late ends no prompt that the client sent after it", async () => {
  const { agent, go, prompts } = createTestAgent();
  const plain = createMemoryJournal();
  const [reached, open] = [createDeferred<void>(), createDeferred<void>()];
  const journal = changed(plain, {
    send: async (session, key, command) => {
      if (command.includes('"type":"cancel"')) {
        reached.resolve();
        await open.promise;
      }
      return await plain.send(session, key, command);
    },
  });
  const { join } = startHub(agent, { journal });
  const author = await join();
  const session = await author.agent.newSession({ cwd });
  const first = session.prompt("a.");
  await author.until(ends("a"));
  first.cancel();
  await reached.promise;
  go();
  await first.response;

  const second = session.prompt("b.c");
  await author.until(ends("b"));
  open.resolve();
  // Behind the cancel: what is asked of the keeper later is done later.
  await session.setMode("ask");
  go();
  expect(await second.response).toEqual({ stopReason: "end_turn" });
  expect(author.text()).toBe("abc");
  expect(prompts).toEqual(["a.", "b.c"]);
});

test("a cancel ends the turn of another client, and the client's own prompts that wait", async () => {
  const { agent, prompts } = createTestAgent();
  const { join } = startHub(agent);
  const [one, two] = [await join(), await join()];
  const session = await one.agent.newSession({ cwd });
  const same = await two.agent.loadSession({ sessionId: session.id, cwd });
  const running = session.prompt("a.");
  await two.until(ends("a"));
  const waiting = same.prompt("b");
  await two.until((shown) => JSON.stringify(shown).includes('"queue":1'));
  waiting.cancel();
  expect([await running.response, await waiting.response]).toEqual([
    { stopReason: expect.any(String) as string },
    { stopReason: "cancelled" },
  ]);
  expect(prompts).toEqual(["a."]);
});
