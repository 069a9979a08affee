import { createHash } from "node:crypto";
import { join } from "node:path";
import { requireArgument } from "@acp/core/internal";

/** Where the files of a session are. */
export interface SessionFolder {
  readonly path: string;
  /** An entry on each line. */
  readonly journal: string;
  /** Directory and title: all that a list needs, so that it need not read journals. */
  readonly summary: string;
  /** Names the process that has the session open. */
  readonly lock: string;
}

export function folderOf(root: string, sessionId: string): SessionFolder {
  requireArgument(typeof sessionId === "string", "A stored session has an id that is text", sessionId);
  return filesIn(join(root, nameOf(sessionId)));
}

export function filesIn(path: string): SessionFolder {
  return {
    path,
    journal: join(path, "journal.jsonl"),
    summary: join(path, "summary.json"),
    lock: join(path, "lock"),
  };
}

const plainId = /^[a-z\d][a-z\d-]{0,99}$/u;

/** The id of a session by the name of its folder; `undefined` if the name does not say it. */
export function idOfFolder(name: string): string | undefined {
  return plainId.test(name) ? name : undefined;
}

/**
 * The name of the folder of a session. Ids are up to the agent: they may have slashes in them, or differ by their case alone,
 * which not every file system sees.
 */
export function nameOf(sessionId: string): string {
  if (plainId.test(sessionId)) return sessionId;
  return `id.${createHash("sha256").update(sessionId).digest("hex").slice(0, 40)}`;
}
