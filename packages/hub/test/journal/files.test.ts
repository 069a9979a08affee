import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createFileJournal } from "../../src/journal/file/file-journal.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { describeJournal } from "./contract.ts";

describeJournal("files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "acp-journal-"));
  const journals: Journal[] = [];
  return {
    open: async () => {
      const journal = createFileJournal(folder);
      journals.push(journal);
      return journal;
    },
    dispose: async () => {
      for (const journal of journals) await journal.close();
      await rm(folder, { recursive: true });
    },
  };
});
