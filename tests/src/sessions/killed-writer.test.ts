import { expect, test } from "vitest";

import { createFileStore } from "@acp/sessions";
import { createFolder } from "../../../packages/sessions/test/support/folder.ts";
import { startWriter } from "../../../packages/sessions/test/support/start-writer.ts";

const kills = process.env["THOROUGH"] === undefined ? 30 : 200;
/** So many processes run at once: starting one takes longer than the rest. */
const lanes = 2;

test(`a process that is killed at ${kills} points loses nothing that was safe`, { timeout: 300_000 }, async () => {
  const folder = createFolder();
  const lane = async (number: number): Promise<void> => {
    const sessionId = `session-${number}`;
    for (let kill = 0; kill < kills / lanes; kill++) {
      // Long lines are more likely to be cut in the middle.
      const writer = startWriter(folder, sessionId, { size: kill % 2 === 0 ? 10 : 300_000, isBuilt: true });
      await writer.written(1 + (kill % 5));
      const safe = await writer.kill();
      const store = createFileStore<{ readonly number: number; readonly text: string }>(folder);
      const session = await store.open(sessionId);
      const numbers: number[] = [];
      for await (const entry of session?.entries() ?? []) numbers.push(entry.number);
      await session?.close();
      // All that was safe is there, in order, and at most the one in flight beyond.
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      expect([safe, safe + 1]).toContain(numbers.length);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  expect(await createFileStore(folder).list()).toHaveLength(lanes);
});
