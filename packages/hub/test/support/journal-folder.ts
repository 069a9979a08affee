import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onTestFinished } from "vitest";

import { createFileJournal } from "../../src/journal/file/file-journal.ts";
import type { Journal, SessionDescription } from "../../src/journal/journal.ts";

/** A folder for a journal, until the test ends. */
export function createFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "acp-hub-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A journal in files, until the test ends. */
export function openFiles(folder: string): Journal {
  const journal = createFileJournal(folder);
  onTestFinished(() => journal.close());
  return journal;
}

export const described: SessionDescription = { agent: "codex", cwd: "/home/me/work" };
