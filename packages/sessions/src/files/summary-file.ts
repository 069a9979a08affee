import { readFile, stat } from "node:fs/promises";
import { describeError, isObject } from "@acp/core/internal";

import type { NewSession, SessionSummary } from "../session-store.ts";
import { codeOf } from "./code-of.ts";
import { readJournal } from "./journal.ts";
import { replaceFile } from "./replace-file.ts";
import type { SessionFolder } from "./session-folder.ts";

/** Gets what is wrong with a file. */
export type ReportFile = (path: string, reason: string) => void;

/** The summaries that were read, by their paths: they are read again when their file is another one. */
export type SummaryCache = Map<string, { readonly version: string; readonly saved: NewSession }>;

/** A summary as JSON: what a summary file has in it, and a line of the journal from which it can be rebuilt. */
export function toSummaryText({ sessionId, cwd, title }: NewSession): string {
  return JSON.stringify({ sessionId, cwd, ...(title === undefined ? {} : { title }) });
}

/** Replaces the summary at once: whoever reads it meanwhile gets the old one or the new one. */
export async function writeSummary({ summary }: SessionFolder, session: NewSession): Promise<void> {
  await replaceFile(summary, toSummaryText(session));
}

/** What it takes to read summaries. */
export interface SummaryReading {
  readonly report: ReportFile;
  readonly cache: SummaryCache;
}

/**
 * Reads a summary; `undefined` if there is no session in the folder. One that is missing or broken is rebuilt from the journal.
 *
 * @param sessionId The id of the session, if a broken summary is all that says it.
 */
export async function readSummary(
  files: SessionFolder,
  sessionId: string | undefined,
  { report, cache }: SummaryReading,
): Promise<SessionSummary | undefined> {
  const updatedAt = await timeOf(files.journal, report);
  if (updatedAt === undefined) return undefined;
  const saved = await readSaved(files.summary, cache);
  if (typeof saved !== "string") return { sessionId: saved.sessionId, cwd: saved.cwd, title: saved.title, updatedAt };
  const rebuilt = await rebuild(files, sessionId, report);
  if (rebuilt === undefined) return undefined;
  report(files.summary, `${saved}, and was rebuilt from the journal`);
  await writeSummary(files, rebuilt).catch(() => {
    // It is rebuilt again the next time.
  });
  return { sessionId: rebuilt.sessionId, cwd: rebuilt.cwd, title: rebuilt.title, updatedAt };
}

/** Errors that say nothing about a file: this process has too many open at the moment. */
function isOutOfFiles(error: unknown): boolean {
  return codeOf(error) === "EMFILE" || codeOf(error) === "ENFILE";
}

/** When the journal was written; `undefined` if there is none. */
async function timeOf(journal: string, report: ReportFile): Promise<Date | undefined> {
  try {
    return (await stat(journal)).mtime;
  } catch (error) {
    if (isOutOfFiles(error)) throw error;
    const isThere = codeOf(error) !== "ENOENT" && codeOf(error) !== "ENOTDIR";
    if (isThere) report(journal, describeError(error));
    return undefined;
  }
}

/** What the summary file says, or what is wrong with it. */
async function readSaved(summary: string, cache: SummaryCache): Promise<NewSession | string> {
  try {
    const { ino, mtimeMs, size } = await stat(summary);
    const version = [ino, mtimeMs, size].join();
    const cached = cache.get(summary);
    if (cached?.version === version) return cached.saved;
    const saved: unknown = JSON.parse(await readFile(summary, "utf8"));
    if (!isSaved(saved)) return "it is no summary of a session";
    cache.set(summary, { version, saved });
    return saved;
  } catch (error) {
    if (isOutOfFiles(error)) throw error;
    if (codeOf(error) === "ENOENT") return "it is missing";
    return error instanceof SyntaxError ? "it is not JSON" : describeError(error);
  }
}

/** The last summary of the journal. Those of older versions have none: then directory and title are lost. */
async function rebuild(
  { journal, path }: SessionFolder,
  sessionId: string | undefined,
  report: ReportFile,
): Promise<NewSession | undefined> {
  let last: NewSession | undefined = sessionId === undefined ? undefined : { sessionId, cwd: "/" };
  try {
    for await (const { value, isOwn } of readJournal(journal, () => {})) if (isOwn && isSaved(value)) last = value;
  } catch (error) {
    if (isOutOfFiles(error)) throw error;
    report(journal, describeError(error));
  }
  if (last === undefined) report(path, "nothing in it says which session it is");
  return last;
}

function isSaved(value: unknown): value is NewSession {
  if (!isObject(value)) return false;
  const { sessionId, cwd, title } = value;
  return typeof sessionId === "string" && typeof cwd === "string" && (title === undefined || typeof title === "string");
}
