import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { connectLocally, listenLocally } from "./local-server.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "acp-local-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.runIf(process.platform !== "win32").each(["the socket of a dead process", "nothing"])(
  "of several that come at the same moment one listens, where there is %s (not Windows: pipes die with their process)",
  async (what) => {
    const folder = temporaryFolder();
    for (let round = 0; round < 30; round++) {
      const path = join(folder, `${round}.sock`);
      if (what !== "nothing") writeFileSync(path, "");
      let connected = 0;
      const servers = await Promise.all(
        [1, 2, 3, 4].map(async (number) => {
          await new Promise((resolve) => setTimeout(resolve, (round % 3) * number));
          return await listenLocally(path, () => (connected += 1));
        }),
      );
      const listening = servers.filter((server) => server !== undefined);
      expect(listening).toHaveLength(1);
      const before = connected;
      const client = await connectLocally(path);
      await expect.poll(() => connected).toBe(before + 1);
      client?.destroy();
      await listening[0]?.close();
    }
    expect(readdirSync(folder).filter((name) => name.endsWith(".lock"))).toEqual([]);
  },
);

test("one that a killed process has left in the middle of this is taken over", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "hub.sock");
  writeFileSync(`${path}.lock`, "999999 1 ");
  const server = await listenLocally(path, () => {});
  expect(server).toBeDefined();
  await server?.close();
});
