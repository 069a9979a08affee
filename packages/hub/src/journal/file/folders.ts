import { join } from "node:path";
import { nameOf } from "@acp/sessions/internal";

/** Where a file journal has what. */
export interface HubFolders {
  readonly root: string;
  /** A folder for each session. */
  readonly sessions: string;
  /** An empty file for each session: the time of its last change, so that one folder tells of the changes of all. */
  readonly stamps: string;
}

export function foldersOf(root: string): HubFolders {
  return { root, sessions: join(root, "sessions"), stamps: join(root, "stamps") };
}

/** Where the files of a session are. Its segments are beside them. */
export interface SessionFiles {
  /** The name of its folder and of its stamp. */
  readonly name: string;
  readonly path: string;
  readonly stamp: string;
  readonly description: string;
  /** Who has it, and for the how manyth time. */
  readonly claim: string;
  /** Names the process of the keeper. */
  readonly lock: string;
  /** Names the process that changes the description or the commands at the moment. */
  readonly editLock: string;
  readonly commands: string;
}

export function filesOf(folders: HubFolders, session: string): SessionFiles {
  return filesNamed(folders, nameOf(session));
}

export function filesNamed({ sessions, stamps }: HubFolders, name: string): SessionFiles {
  const path = join(sessions, name);
  return { name, path, stamp: join(stamps, name), ...filesIn(path) };
}

/** The files in the folder of a session. */
export function filesIn(path: string): Omit<SessionFiles, "name" | "path" | "stamp"> {
  return {
    description: join(path, "description.json"),
    claim: join(path, "claim.json"),
    lock: join(path, "lock"),
    editLock: join(path, "edit.lock"),
    commands: join(path, "commands"),
  };
}
