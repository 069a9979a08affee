import type { SessionChange, SessionSummary, StoredSession } from "../session-store.ts";
import type { FileStoreOptions } from "./file-store-options.ts";
import { Journal, readJournal, type SkippedLine } from "./journal.ts";
import type { Lock } from "./lock.ts";
import type { SessionFolder } from "./session-folder.ts";
import { toSummaryText, writeSummary } from "./summary-file.ts";

/** What a session needs of its store. */
export interface FileSessionParts<Entry> {
  readonly files: SessionFolder;
  readonly release: Lock["release"];
  /** Those of the moment: a store may be created anew. */
  options(): FileStoreOptions<Entry>;
}

/** A session that this process has open, for one user or several of them. */
export class FileSession<Entry> implements StoredSession<Entry> {
  summary: SessionSummary;
  /** Resolves when the last user has closed it. */
  readonly closed: Promise<void>;
  readonly #parts: FileSessionParts<Entry>;
  readonly #journal: Journal;
  /** The lines that were reported, which is done once. */
  readonly #reported = new Set<number>();
  #users = 0;
  #isClosed = false;
  #isDeleted = false;
  #setClosed = (): void => {};
  #changing: Promise<void> = Promise.resolve();

  private constructor(parts: FileSessionParts<Entry>, summary: SessionSummary, open: OpenJournal) {
    this.#parts = parts;
    this.summary = summary;
    this.#journal = open.journal;
    for (const skipped of open.skipped) this.#report(skipped);
    this.closed = new Promise((resolve) => {
      this.#setClosed = resolve;
    });
  }

  /** Opens a session whose lock this process holds. */
  static async open<Entry>(parts: FileSessionParts<Entry>, summary: SessionSummary): Promise<FileSession<Entry>> {
    const skipped: SkippedLine[] = [];
    const journal = await Journal.open(parts.files.journal, (line) => skipped.push(line));
    return new FileSession(parts, summary, { journal, skipped });
  }

  /** Counts one more user. Returns `false` if it was closed before. */
  use(): boolean {
    if (this.#isClosed) return false;
    this.#users += 1;
    return true;
  }

  async *entries(): AsyncGenerator<Entry> {
    this.#endLine();
    const { check } = this.#parts.options();
    for await (const { value, isOwn, line } of readJournal(this.#parts.files.journal, (one) => this.#report(one))) {
      if (isOwn) continue;
      const reason = check?.(value);
      // Written by this agent, or by a version of it: what an entry is, `check` knows.
      if (reason === undefined) yield value as Entry;
      else this.#report({ line, reason });
    }
  }

  // Async, so that what cannot be written is a rejection; but written before it returns.
  async append(entry: Entry): Promise<void> {
    if (this.#isDeleted) return;
    this.#journal.append(JSON.stringify(entry), this.#parts.options().textOf?.(entry));
    this.summary = { ...this.summary, updatedAt: new Date() };
  }

  async change({ cwd, title }: SessionChange): Promise<void> {
    const { summary } = this;
    const changed = { ...summary, cwd: cwd ?? summary.cwd, title: title ?? summary.title };
    if (this.#isDeleted || (changed.cwd === summary.cwd && changed.title === summary.title)) return;
    this.summary = changed;
    this.#changing = this.#changing
      .catch(() => {})
      .then(() => {
        this.#journal.appendOwn(toSummaryText(changed));
        return writeSummary(this.#parts.files, changed);
      });
    await this.#changing;
  }

  /** Resolves when everything that was changed is in the files, or has failed. */
  async settled(): Promise<void> {
    await this.#changing.catch(() => {});
    this.#endLine();
  }

  async close(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0 || this.#isClosed) return;
    this.#isClosed = true;
    await this.settled();
    if (!this.#isDeleted) this.#parts.release();
    this.#setClosed();
  }

  /** Ends it for all users: it is being deleted. */
  async abandon(): Promise<void> {
    this.#isDeleted = true;
    this.#isClosed = true;
    await this.settled();
    this.#setClosed();
  }

  #endLine(): void {
    try {
      if (!this.#isDeleted) this.#journal.end();
    } catch {
      // What there is of the line can be read as it is.
    }
  }

  #report({ line, reason }: SkippedLine): void {
    if (this.#reported.has(line)) return;
    this.#reported.add(line);
    const { sessionId } = this.summary;
    this.#parts.options().onProblem?.({ sessionId, path: this.#parts.files.journal, line, reason });
  }
}

interface OpenJournal {
  readonly journal: Journal;
  /** What was cut off. */
  readonly skipped: readonly SkippedLine[];
}
