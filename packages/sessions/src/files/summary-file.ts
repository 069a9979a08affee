import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { randomId } from "@acp/core/internal";

import type { NewSession, SessionSummary } from "../session-store.ts";
import { codeOf } from "./lock.ts";
import type { SessionFolder } from "./session-folder.ts";

/** Replaces the summary at once: whoever reads it meanwhile gets the old one or the new one. */
export async function writeSummary({ summary }: SessionFolder, { sessionId, cwd, title }: NewSession): Promise<void> {
  const draft = `${summary}.${randomId()}`;
  await writeFile(draft, JSON.stringify({ sessionId, cwd, ...(title === undefined ? {} : { title }) }), {
    mode: 0o600,
  });
  await rename(draft, summary);
}

/** Reads a summary; `undefined` if there is no session in the folder. */
export async function readSummary({ summary, journal }: SessionFolder): Promise<SessionSummary | undefined> {
  try {
    const saved: unknown = JSON.parse(await readFile(summary, "utf8"));
    const { mtime: updatedAt } = await stat(journal);
    if (!isSaved(saved)) return undefined;
    const { sessionId, cwd, title } = saved;
    return { sessionId, cwd, title, updatedAt };
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

function isSaved(value: unknown): value is NewSession {
  if (typeof value !== "object" || value === null) return false;
  const { sessionId, cwd, title } = value as Partial<Record<string, unknown>>;
  return typeof sessionId === "string" && typeof cwd === "string" && (title === undefined || typeof title === "string");
}
