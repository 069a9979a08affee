/** What a list of sessions shows of one. */
export interface SessionSummary {
  readonly sessionId: string;
  /** The directory of the session; absolute. */
  readonly cwd: string;
  /** `undefined` until the session has one. */
  readonly title: string | undefined;
  /** When something was added last. */
  readonly updatedAt: Date;
}

/** A session to store. */
export interface NewSession {
  readonly sessionId: string;
  readonly cwd: string;
  readonly title?: string | undefined;
}

/** What changes in a session. What is left out stays. */
export interface SessionChange {
  readonly cwd?: string | undefined;
  readonly title?: string | undefined;
}

/**
 * An open session: a journal of entries, to which entries are added and never changed. What the entries are is up to the agent:
 * anything that JSON can hold, such as the updates that the client was sent, and the messages of the model.
 */
export interface StoredSession<Entry> {
  readonly summary: SessionSummary;
  /** Reads all entries from the first one on, those included whose `append` has not resolved yet. */
  entries(): AsyncIterable<Entry>;
  /**
   * Adds an entry behind those before. Resolves once a crash of this process can no longer lose it. Entries are written in the
   * order of the calls, whether or not you wait for them. In a session that was deleted it does nothing.
   *
   * @throws what the store throws when it cannot write: the entry is not in the journal then, and later ones may be.
   */
  append(entry: Entry): Promise<void>;
  change(change: SessionChange): Promise<void>;
  /** Lets other processes open the session. Close it when its session of the protocol ends. */
  close(): Promise<void>;
}

/** The sessions of an agent. Implement it to keep them in a place of your own, such as a database. */
export interface SessionStore<Entry> {
  /** Stores a new session, and opens it. */
  create(session: NewSession): Promise<StoredSession<Entry>>;
  /**
   * Opens a session; `undefined` if there is none with this id. It may be open more than once in one process.
   *
   * @throws {RequestError} another process has it open.
   */
  open(sessionId: string): Promise<StoredSession<Entry> | undefined>;
  /**
   * Stores a copy of a session under another id, and opens that. Both go their own way then. Without a `title` it has that of
   * the other one. `undefined` if there is no session to copy. Another process may have that one open.
   */
  fork(sessionId: string, copy: NewSession): Promise<StoredSession<Entry> | undefined>;
  /** All sessions, in no particular order. */
  list(): Promise<readonly SessionSummary[]>;
  /**
   * Deletes a session; nothing happens if there is none.
   *
   * @throws {RequestError} another process has it open.
   */
  delete(sessionId: string): Promise<void>;
}
