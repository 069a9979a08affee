import type { SessionChange, SessionSummary, StoredSession } from "../session-store.ts";
import { Journal, readJournal } from "./journal.ts";
import type { Release } from "./lock.ts";
import type { SessionFolder } from "./session-folder.ts";
import { writeSummary } from "./summary-file.ts";

/** A session that this process has open, for one user or several of them. */
export class FileSession<Entry> implements StoredSession<Entry> {
  summary: SessionSummary;
  /** Resolves when the last user has closed it. */
  readonly closed: Promise<void>;
  readonly #files: SessionFolder;
  readonly #journal: Journal;
  readonly #release: Release;
  #users = 0;
  #isClosed = false;
  #isDeleted = false;
  #setClosed = (): void => {};
  #changing: Promise<void> = Promise.resolve();

  private constructor(files: SessionFolder, summary: SessionSummary, journal: Journal, release: Release) {
    this.#files = files;
    this.summary = summary;
    this.#journal = journal;
    this.#release = release;
    this.closed = new Promise((resolve) => {
      this.#setClosed = resolve;
    });
  }

  /** Opens a session whose lock this process holds. */
  static async open<Entry>(
    files: SessionFolder,
    summary: SessionSummary,
    release: Release,
  ): Promise<FileSession<Entry>> {
    return new FileSession(files, summary, await Journal.open(files.journal), release);
  }

  /** Counts one more user. Returns `false` if it was closed before. */
  use(): boolean {
    if (this.#isClosed) return false;
    this.#users += 1;
    return true;
  }

  async *entries(): AsyncGenerator<Entry> {
    await this.#journal.settled();
    // Written by this agent, or by a version of it: what an entry is, the agent knows.
    for await (const entry of readJournal(this.#files.journal)) yield entry as Entry;
  }

  async append(entry: Entry): Promise<void> {
    if (this.#isDeleted) return;
    // Now, not when it is written: the agent may change it meanwhile.
    await this.#journal.append(JSON.stringify(entry));
    this.summary = { ...this.summary, updatedAt: new Date() };
  }

  async change({ cwd, title }: SessionChange): Promise<void> {
    const { summary } = this;
    if (this.#isDeleted) return;
    this.summary = { ...summary, cwd: cwd ?? summary.cwd, title: title ?? summary.title };
    this.#changing = this.#changing.catch(() => {}).then(() => writeSummary(this.#files, this.summary));
    await this.#changing;
  }

  /** Resolves when everything that was appended is in the journal, or has failed. */
  async settled(): Promise<void> {
    await this.#journal.settled();
    await this.#changing.catch(() => {});
  }

  async close(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0 || this.#isClosed) return;
    this.#isClosed = true;
    await this.settled();
    if (!this.#isDeleted) await this.#release();
    this.#setClosed();
  }

  /** Ends it for all users: it is being deleted. */
  async abandon(): Promise<void> {
    this.#isDeleted = true;
    this.#isClosed = true;
    await this.settled();
    this.#setClosed();
  }
}
