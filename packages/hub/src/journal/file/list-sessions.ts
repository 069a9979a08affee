import { readdirSync } from "node:fs";
import { codeOf } from "@acp/sessions/internal";

import type { ListedSession, SessionFilter } from "../journal.ts";
import { compareListed, formatPage, isListed, type ListedAt, pageSize, parsePage } from "../listing.ts";
import { changedAt, type Descriptions } from "./descriptions.ts";
import { filesNamed, type HubFolders, type SessionFiles } from "./folders.ts";
import { inSlices } from "./slices.ts";

interface FoundSession extends ListedAt {
  readonly files: SessionFiles;
}

/** A page of the sessions of a folder. Of each it looks at the time; it reads the descriptions of those that it may show. */
export async function listSessions(
  folders: HubFolders,
  descriptions: Descriptions,
  { filter, page }: { readonly filter: SessionFilter; readonly page: string | undefined },
): Promise<{ readonly sessions: readonly ListedSession[]; readonly next: string | undefined }> {
  const from = page === undefined ? undefined : parsePage(page);
  const found: FoundSession[] = [];
  for await (const name of inSlices(namesIn(folders.sessions))) {
    const files = filesNamed(folders, name);
    const updatedAt = changedAt(files);
    if (updatedAt === undefined) continue;
    const at = { session: name, updatedAt, files };
    if (from === undefined || compareListed(from, at) < 0) found.push(at);
  }
  const sessions: ListedSession[] = [];
  let last: ListedAt | undefined;
  for await (const at of inSlices(found.toSorted(compareListed))) {
    const saved = descriptions.read(at.files);
    if (saved === undefined || !isListed(saved.description, filter)) continue;
    if (last !== undefined && sessions.length === pageSize) return { sessions, next: formatPage(last) };
    const session = descriptions.list(at.files);
    if (session !== undefined) sessions.push(session);
    last = at;
  }
  return { sessions, next: undefined };
}

/** The names in a folder, if there is one. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}
