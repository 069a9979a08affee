import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, createReadStream } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { replaceFileSync } from "@acp/sessions/internal";

import type { Environment } from "../cli/streams.ts";
import { foldersOf } from "../agents/folders.ts";
import { ProgramFailure, wrongConfiguration } from "../cli/exit.ts";
import { isNamedSession, type NamedSession } from "./named-session.ts";
import { lockSession } from "./session-lock.ts";

/** How many sessions without a name of the user are remembered. */
const mostAutomatic = 200;

/**
 * The sessions that are remembered, one folder each in the state directory: `session.json`, and `events.jsonl` with the events
 * of each run. A name is one of its directory.
 */
export class SessionStore {
  readonly #folder: string;

  constructor(env: Environment) {
    this.#folder = join(foldersOf(env).state, "sessions");
  }

  /** The folder of a session, whether it is there or not. */
  folderOf(cwd: string, name: string): string {
    const key = createHash("sha256").update(`${cwd}\u0000${name}`).digest("hex").slice(0, 32);
    return join(this.#folder, key);
  }

  /** The file with the events of its runs. */
  eventsOf({ cwd, name }: Pick<NamedSession, "cwd" | "name">): string {
    return join(this.folderOf(cwd, name), "events.jsonl");
  }

  /** Makes the folder of a session, and returns it. */
  prepare(cwd: string, name: string): string {
    const folder = this.folderOf(cwd, name);
    try {
      // Only this user may read what was said in a session.
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw storeFailure(folder, error);
    }
    return folder;
  }

  /**
   * @returns `undefined` if there is none.
   * @throws {ProgramFailure} if its file cannot be read.
   */
  find(cwd: string, name: string): NamedSession | undefined {
    return read(join(this.folderOf(cwd, name), "session.json"));
  }

  /** The name of the session that has this name, or else this id; the same text if there is none. */
  nameOf(cwd: string, nameOrId: string): string {
    if (existsSync(this.folderOf(cwd, nameOrId))) return nameOrId;
    return this.list().find((one) => one.cwd === cwd && one.sessionId === nameOrId)?.name ?? nameOrId;
  }

  /** All sessions, the latest first. Files that cannot be read are left out, and passed to `onBroken`. */
  list(onBroken: (failure: ProgramFailure) => void = () => {}): readonly NamedSession[] {
    const sessions: NamedSession[] = [];
    for (const folder of foldersIn(this.#folder)) {
      try {
        const session = read(join(this.#folder, folder, "session.json"));
        if (session !== undefined) sessions.push(session);
      } catch (error) {
        if (!(error instanceof ProgramFailure)) throw error;
        onBroken(error);
      }
    }
    return sessions.toSorted((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1));
  }

  /** A name for a session that the user does not name. The oldest sessions of that kind are forgotten. */
  newName(cwd: string): string {
    const automatic = this.list().filter(({ isAutomatic }) => isAutomatic === true);
    for (const old of automatic.slice(mostAutomatic - 1)) {
      // Another process may forget it at the same time.
      if (!existsSync(this.folderOf(old.cwd, old.name))) continue;
      const lock = lockSession(this.folderOf(old.cwd, old.name));
      if ("heldBy" in lock) continue;
      this.remove(old);
      lock.release();
    }
    for (;;) {
      const name = randomBytes(3).toString("hex");
      // In lists, a digit would choose an entry by its number.
      if (/^[a-f]/u.test(name) && !existsSync(this.folderOf(cwd, name))) return name;
    }
  }

  /** Writes the file as a whole: whoever reads it gets the old one or the new one. */
  save(session: NamedSession): void {
    const folder = this.prepare(session.cwd, session.name);
    try {
      replaceFileSync(join(folder, "session.json"), `${JSON.stringify(session, undefined, 2)}\n`);
    } catch (error) {
      throw storeFailure(folder, error);
    }
  }

  remove({ cwd, name }: NamedSession): void {
    rmSync(this.folderOf(cwd, name), { recursive: true, force: true });
  }
}

function read(path: string): NamedSession | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw storeFailure(path, error);
  }
  const value = parse(text);
  if (isNamedSession(value)) return value;
  throw wrongConfiguration(`The file of a session is broken: ${path}`, "Delete its folder, or restore the file");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw storeFailure(folder, error);
  }
}

/** The state directory cannot be used. */
export function storeFailure(path: string, error: unknown): ProgramFailure {
  const reason = error instanceof Error ? error.message : String(error);
  const advice = "Make it yours, or name another folder with XDG_STATE_HOME (on Windows LOCALAPPDATA)";
  return wrongConfiguration(`Cannot use ${path}: ${reason}`, advice, error);
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** An event of a run as a file has it: of this version of the format, or another. */
export type LoggedEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The events of a session, in order. Lines that are none, as after a crash, are left out; so is a missing file. */
export async function* readEvents(path: string): AsyncGenerator<LoggedEvent> {
  const input = createReadStream(path, "utf8");
  try {
    await once(input, "open");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const value = parse(line);
    if (isEvent(value)) yield value;
  }
}

function isEvent(value: unknown): value is LoggedEvent {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** A member of an event that is a text; empty if it is none. */
export function textOf(event: LoggedEvent, name: string): string {
  const value = event[name];
  return typeof value === "string" ? value : "";
}
