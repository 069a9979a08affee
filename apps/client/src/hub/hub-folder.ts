import { join, resolve } from "node:path";

import { foldersOf } from "../agents/folders.ts";
import type { Environment } from "../cli/streams.ts";

/** Where the hub of this user keeps its sessions. */
export function hubFolder(given: string | undefined, env: Environment): string {
  return given === undefined ? join(foldersOf(env).state, "hub") : resolve(given);
}

/** The folder of the journal. */
export function journalFolder(folder: string): string {
  return join(folder, "sessions");
}

/** Where the keepers listen. */
export function keepersFolder(folder: string): string {
  return join(folder, "keepers");
}

/** What a keeper's process gets of the command line. */
export interface KeeperSettings {
  readonly folder: string;
  /** The URL of the journal; `undefined` for files in the folder. */
  readonly journal: string | undefined;
  /** The options about permissions, as they were parsed. */
  readonly permissions: object;
}
