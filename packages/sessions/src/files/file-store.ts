import { appendFile, copyFile, mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { RequestError } from "@acp/core";
import { randomId, requireArgument, requireObject } from "@acp/core/internal";

import type { NewSession, SessionStore, SessionSummary, StoredSession } from "../session-store.ts";
import { FileSession } from "./file-session.ts";
import type { FileStoreOptions } from "./file-store-options.ts";
import { ownMark } from "./journal-line.ts";
import { createLimit } from "./limit.ts";
import { codeOf } from "./code-of.ts";
import { type Lock, takeLock } from "./lock.ts";
import { filesIn, folderOf, idOfFolder, type SessionFolder } from "./session-folder.ts";
import { readSummary, type SummaryCache, toSummaryText, writeSummary } from "./summary-file.ts";

/**
 * Stores sessions in a folder, each in a folder of its own with a journal to which lines are added. Several processes may use
 * one folder: each session is open in one of them at a time. An entry is written before `append` returns: a process that is
 * killed loses nothing that was appended, and leaves every session fit to be opened. A loss of power may take more: entries are
 * handed to the operating system, which writes them to the disk a little later. What is broken in a file costs that line alone,
 * and a broken summary is rebuilt from the journal.
 *
 * ```ts
 * const store = createFileStore<Entry>(join(homedir(), ".my-agent", "sessions"));
 * const session = await store.create({ sessionId, cwd });
 * await session.append({ type: "prompt", text: "Hello" });
 * ```
 *
 * @param folder Absolute. It is made with the first session. Only its owner can read what is in it.
 * @param options A folder has one store in a process: the options that were given last count.
 */
export function createFileStore<Entry>(folder: string, options?: FileStoreOptions<Entry>): SessionStore<Entry> {
  requireArgument(typeof folder === "string", "createFileStore() takes the path of a folder", folder);
  const root = resolve(folder);
  const store = stores.get(root) ?? new FileStore<unknown>(root);
  stores.set(root, store);
  if (options !== undefined) store.options = options as FileStoreOptions<unknown>;
  // What its entries are, its user knows.
  return store as SessionStore<unknown> as SessionStore<Entry>;
}

/** The stores of this process: of one folder there is one, since locks are held by processes. */
const stores = new Map<string, FileStore<unknown>>();

/** How many summaries are read at once: a process may have few files open. */
const mostReads = 32;

class FileStore<Entry> implements SessionStore<Entry> {
  options: FileStoreOptions<Entry> = {};
  readonly #root: string;
  /** The sessions that this process has open. */
  readonly #open = new Map<string, Promise<FileSession<Entry> | undefined>>();
  readonly #summaries: SummaryCache = new Map();
  readonly #limit = createLimit(mostReads);

  constructor(root: string) {
    this.#root = root;
  }

  async create(session: NewSession): Promise<StoredSession<Entry>> {
    await this.#make(session, (journal) => writeFile(journal, "", { mode: 0o600 }));
    return await this.#openMade(session.sessionId);
  }

  async open(sessionId: string): Promise<StoredSession<Entry> | undefined> {
    for (;;) {
      const opening = this.#open.get(sessionId) ?? this.#begin(sessionId);
      const session = await opening;
      if (session === undefined || session.use()) return session;
      // It was closed meanwhile.
      await session.closed;
    }
  }

  async fork(sessionId: string, copy: NewSession): Promise<StoredSession<Entry> | undefined> {
    const source = folderOf(this.#root, sessionId);
    const opened = await this.#open.get(sessionId);
    await opened?.settled();
    const summary = await this.#read(source, sessionId);
    if (summary === undefined) return undefined;
    await this.#make({ title: summary.title, ...copy }, async (journal) => {
      await copyFile(source.journal, journal);
      // Another process may be in the middle of a line.
      await appendFile(journal, "\n");
    });
    return await this.#openMade(copy.sessionId);
  }

  async list(): Promise<readonly SessionSummary[]> {
    const names = await readdir(this.#root).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return [];
      throw error;
    });
    const folders = names.filter((name) => !name.startsWith(".")).map((name) => filesIn(join(this.#root, name)));
    this.#forgetOthers(folders);
    const summaries = await Promise.all(
      folders.map((files) => this.#limit(() => this.#read(files, idOfFolder(basename(files.path))))),
    );
    return summaries.filter((summary) => summary !== undefined);
  }

  async delete(sessionId: string): Promise<void> {
    const opened = await this.#open.get(sessionId);
    if (opened === undefined) {
      const files = folderOf(this.#root, sessionId);
      if ((await this.#read(files, sessionId)) === undefined) return;
      lockSession(files.lock, sessionId);
    }
    await opened?.abandon();
    this.#open.delete(sessionId);
    // In one step: nobody ever sees half of a session.
    const gone = join(this.#root, `.deleted-${randomId()}`);
    await rename(folderOf(this.#root, sessionId).path, gone);
    await rm(gone, { recursive: true, force: true });
  }

  /** Makes the folder of a session, in one step as well. */
  async #make(session: NewSession, makeJournal: (path: string) => Promise<void>): Promise<void> {
    requireObject(session, "A new session needs { sessionId, cwd }");
    const { path } = folderOf(this.#root, session.sessionId);
    const draft = filesIn(join(this.#root, `.new-${randomId()}`));
    await mkdir(draft.path, { recursive: true, mode: 0o700 });
    try {
      await makeJournal(draft.journal);
      await appendFile(draft.journal, `${ownMark}${toSummaryText(session)}\n`);
      await writeSummary(draft, session);
      if (await exists(path)) throw new TypeError(`There is a session ${session.sessionId} already`);
      await rename(draft.path, path);
    } catch (error) {
      await rm(draft.path, { recursive: true, force: true });
      throw error;
    }
  }

  #read(files: SessionFolder, sessionId: string | undefined): Promise<SessionSummary | undefined> {
    const report = (path: string, reason: string): void => this.options.onProblem?.({ sessionId, path, reason });
    return readSummary(files, sessionId, { report, cache: this.#summaries });
  }

  /** Forgets the summaries of sessions that are gone. */
  #forgetOthers(folders: readonly SessionFolder[]): void {
    const known = new Set(folders.map(({ summary }) => summary));
    for (const path of this.#summaries.keys()) if (!known.has(path)) this.#summaries.delete(path);
  }

  async #openMade(sessionId: string): Promise<StoredSession<Entry>> {
    const session = await this.open(sessionId);
    if (session === undefined) throw new TypeError(`The session ${sessionId} was deleted at once`);
    return session;
  }

  #begin(sessionId: string): Promise<FileSession<Entry> | undefined> {
    const files = folderOf(this.#root, sessionId);
    const opening = this.#openFiles(files, sessionId);
    this.#open.set(sessionId, opening);
    const forget = (): void => {
      if (this.#open.get(sessionId) === opening) this.#open.delete(sessionId);
    };
    opening.then((session) => (session === undefined ? forget() : void session.closed.then(forget)), forget);
    return opening;
  }

  async #openFiles(files: SessionFolder, sessionId: string): Promise<FileSession<Entry> | undefined> {
    if ((await this.#read(files, sessionId)) === undefined) return undefined;
    const { release } = lockToRead(files.lock, sessionId);
    try {
      // Read once more: only now nobody else changes it.
      const summary = await this.#read(files, sessionId);
      const parts = { files, release, options: () => this.options };
      if (summary !== undefined) return await FileSession.open<Entry>(parts, summary);
    } catch (error) {
      release();
      throw error;
    }
    release();
    return undefined;
  }
}

/** @throws {RequestError} another process has the session open. */
function lockSession(path: string, sessionId: string): Lock {
  const lock = takeLock(path);
  if ("release" in lock) return lock;
  const message = `The session is open in another process (${lock.heldBy}). Close it there, then try again.`;
  throw RequestError.internalError(message, { sessionId });
}

/** The same, but where nobody can write: what was said there can be read without a lock. */
function lockToRead(path: string, sessionId: string): Lock {
  try {
    return lockSession(path, sessionId);
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    return { release() {} };
  }
}

/** Whether a disk is full, or does not let this process write. */
function isUnwritable(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"].includes(codeOf(error) ?? "");
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
