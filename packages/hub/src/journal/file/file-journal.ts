import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { randomId, requireArgument } from "@acp/core/internal";
import { codeOf, idOfFolder } from "@acp/sessions/internal";

import type { Cursor } from "../cursor.ts";
import type {
  Claim,
  Held,
  Journal,
  ListedSession,
  Page,
  SessionDescription,
  SessionFilter,
  StoredCommand,
  Write,
  WriteResult,
} from "../journal.ts";
import { requireWrite } from "../require-write.ts";
import { type HeldClaim, isHeld, takeClaim } from "./claims.ts";
import { addCommand, readCommands, removeCommands } from "./command-files.ts";
import { compactSegments } from "./compact-segments.ts";
import { Descriptions, describeText } from "./descriptions.ts";
import { edit } from "./edit.ts";
import { filesIn, filesNamed, filesOf, foldersOf, type HubFolders, type SessionFiles } from "./folders.ts";
import { listSessions, namesIn } from "./list-sessions.ts";
import { PageReader } from "./read-page.ts";
import { stampSession, Wakes } from "./wakes.ts";

/** Options of {@link createFileJournal}. */
export interface FileJournalOptions {
  /**
   * Whether entries are on the disk before `append` resolves. Default: the operating system has them, and writes them to the disk
   * a little later. What was appended then survives the end of this process, but perhaps not a loss of power.
   */
  readonly sync?: boolean | undefined;
}

/**
 * Keeps sessions in a folder, for all processes of this machine. A session is claimed for as long as the process of its keeper
 * lives: leases are not needed. Only the user whom the folder belongs to can read what is in it.
 *
 * @param folder Made when it is needed.
 */
export function createFileJournal(folder: string, options: FileJournalOptions = {}): Journal {
  requireArgument(typeof folder === "string", "createFileJournal() takes the path of a folder", folder);
  return new FileJournal(foldersOf(resolve(folder)), options ?? {});
}

/** Begins the name of a folder that is being made. */
const newPrefix = ".new-";
/** Begins the name of a folder that is being removed. */
const removedPrefix = ".removed-";
/** After this long what is being made is left over from a process that was killed, in milliseconds. */
const makingTime = 60_000;

class FileJournal implements Journal {
  readonly #folders: HubFolders;
  readonly #sync: boolean;
  readonly #reader = new PageReader();
  readonly #descriptions = new Descriptions();
  /** The claims of this journal, by their sessions. */
  readonly #claims = new Map<string, HeldClaim>();
  readonly #watchers = new Set<(sessions: readonly string[]) => void>();
  #wakes: Wakes | undefined;

  constructor(folders: HubFolders, { sync = false }: FileJournalOptions) {
    this.#folders = folders;
    this.#sync = sync;
  }

  async create(session: string, description: SessionDescription): Promise<void> {
    const { root, sessions, stamps } = this.#folders;
    const { path, name } = filesOf(this.#folders, session);
    for (const folder of [sessions, stamps]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    const draft = join(root, `${newPrefix}${randomId()}`);
    const files = filesIn(draft);
    mkdirSync(files.commands, { recursive: true, mode: 0o700 });
    try {
      const text = describeText({ session, createdAt: Date.now(), description });
      writeFileSync(files.description, text, { mode: 0o600 });
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      // That it is there is told in different words by different systems.
      if (this.#descriptions.read(filesOf(this.#folders, session)) === undefined) throw error;
      throw new TypeError(`There is a session ${session} already`, { cause: error });
    }
    stampSession(stamps, name, session);
  }

  async claim(session: string, keeper: string): Promise<Claim | Held | undefined> {
    const files = filesOf(this.#folders, session);
    const held = this.#claims.get(session);
    const former = held !== undefined && isHeld(held) ? held : undefined;
    if (former !== undefined && former.claim.keeper !== keeper) return { heldBy: former.claim.keeper };
    const taken = await takeClaim({ session, keeper, files, former, reader: this.#reader });
    if (taken === undefined || "heldBy" in taken) return taken;
    this.#claims.set(session, taken);
    return taken.claim;
  }

  async renew(claims: readonly Claim[]): Promise<readonly Claim[]> {
    return claims.filter((claim) => this.#held(claim) === undefined);
  }

  async release(claim: Claim): Promise<void> {
    const held = this.#held(claim);
    if (held === undefined) return;
    this.#claims.delete(claim.session);
    held.lock.release();
  }

  async append(writes: readonly Write[]): Promise<readonly WriteResult[]> {
    for (const write of writes) requireWrite(write);
    const results: WriteResult[] = [];
    for (const write of writes) results.push(this.#append(write));
    if (this.#sync) {
      const written = new Set(writes.flatMap(({ claim }) => this.#held(claim)?.writer ?? []));
      await Promise.all([...written].map((writer) => writer.sync()));
    }
    return results;
  }

  async read(session: string, after: Cursor | "start", limit: number): Promise<Page | "gone" | undefined> {
    return await this.#reader.read(filesOf(this.#folders, session).path, after, limit);
  }

  watch(wake: (sessions: readonly string[]) => void): () => void {
    // Each call is a watch of its own, also of the same function.
    const watcher = (sessions: readonly string[]): void => wake(sessions);
    this.#watchers.add(watcher);
    this.#wakes ??= new Wakes(
      this.#folders.stamps,
      (name) => this.#sessionNamed(name),
      (session) => this.#wake(session),
    );
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size > 0) return;
      this.#wakes?.close();
      this.#wakes = undefined;
    };
  }

  async send(
    session: string,
    key: string,
    command: string,
  ): Promise<{ readonly at: number; readonly isNew: boolean } | undefined> {
    const files = filesOf(this.#folders, session);
    const sent = await edit(files, () => addCommand(files.commands, key, command));
    if (sent?.isNew === true) this.#stamp(files, session);
    return sent;
  }

  async commands(claim: Claim, after: number): Promise<readonly StoredCommand[]> {
    const held = this.#held(claim);
    return held === undefined ? [] : readCommands(held.files.commands, after);
  }

  async settle(claim: Claim, places: readonly number[]): Promise<void> {
    const held = this.#held(claim);
    if (held !== undefined) await edit(held.files, () => removeCommands(held.files.commands, places));
  }

  async compact(claim: Claim, upTo: number, entries: readonly string[]): Promise<WriteResult> {
    const held = this.#held(claim);
    return held === undefined ? "fenced" : await compactSegments(held, { upTo, entries, reader: this.#reader });
  }

  async list(
    filter: SessionFilter,
    page?: string,
  ): Promise<{ readonly sessions: readonly ListedSession[]; readonly next?: string | undefined }> {
    await this.#cleanUp();
    return await listSessions(this.#folders, this.#descriptions, { filter, page });
  }

  async describe(session: string): Promise<ListedSession | undefined> {
    return this.#descriptions.list(filesOf(this.#folders, session));
  }

  async change(session: string, change: Partial<SessionDescription>): Promise<void> {
    const files = filesOf(this.#folders, session);
    if (await this.#descriptions.change(files, change)) this.#stamp(files, session);
  }

  async remove(session: string): Promise<void> {
    const { root } = this.#folders;
    const { path, stamp } = filesOf(this.#folders, session);
    try {
      // In one step: nobody sees half of a session.
      renameSync(path, join(root, `${removedPrefix}${randomId()}`));
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      return;
    }
    this.#claims.delete(session);
    rmSync(stamp, { force: true });
    await this.#cleanUp();
    this.#wake(session);
  }

  async close(): Promise<void> {
    for (const { claim } of this.#claims.values()) await this.release(claim);
    this.#watchers.clear();
    this.#wakes?.close();
    this.#wakes = undefined;
  }

  #append({ claim, from, entries }: Write): WriteResult {
    const held = this.#held(claim);
    if (held === undefined || from > held.writer.next) return "fenced";
    const added = entries.slice(held.writer.next - from);
    if (added.length === 0) return "done";
    held.writer.append(added);
    this.#stamp(held.files, claim.session);
    return "done";
  }

  /** A claim that nobody has ended. */
  #held({ session, keeper, epoch }: Claim): HeldClaim | undefined {
    const held = this.#claims.get(session);
    if (held === undefined) return undefined;
    const isMeant = held.claim.epoch === epoch && held.claim.keeper === keeper;
    if (isMeant && isHeld(held)) return held;
    if (isMeant) this.#claims.delete(session);
    return undefined;
  }

  #stamp({ name }: SessionFiles, session: string): void {
    stampSession(this.#folders.stamps, name, session);
  }

  #sessionNamed(name: string): string | undefined {
    // Of one that was removed the name of its folder may tell.
    return this.#descriptions.read(filesNamed(this.#folders, name))?.session ?? idOfFolder(name);
  }

  #wake(session: string): void {
    // Later, so that what a watcher throws is not mistaken for a failed write.
    for (const wake of this.#watchers) queueMicrotask(() => this.#watchers.has(wake) && wake([session]));
  }

  /** Ends what a process that was killed has begun to remove, or to make. */
  async #cleanUp(): Promise<void> {
    const { root } = this.#folders;
    for (const name of namesIn(root)) {
      const path = join(root, name);
      const isLeft = name.startsWith(removedPrefix) || (name.startsWith(newPrefix) && ageOf(path) > makingTime);
      if (isLeft) await rm(path, { recursive: true, force: true });
    }
  }
}

function ageOf(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
}
