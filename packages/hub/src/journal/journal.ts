import type { Cursor } from "./cursor.ts";

/** A time span in milliseconds. */
export type Milliseconds = number;

/** What a list shows of a session, and what it takes to open it again. */
export interface SessionDescription {
  /** The name of the agent, as lists show it. */
  readonly agent: string;
  /** The working directory; absolute. */
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[] | undefined;
  /** Who has made it; `undefined` without users. */
  readonly owner?: string | undefined;
  readonly title?: string | undefined;
  /** A turn runs, waits for an answer, or none does. */
  readonly state?: "running" | "requires_action" | "idle" | undefined;
  /** Further facts of the hub, such as shares: each any JSON but null. */
  readonly more?: { readonly [name: string]: unknown } | undefined;
}

/** A session in a list. */
export interface ListedSession extends SessionDescription {
  readonly session: string;
  readonly createdAt: Date;
  /** When its description or its last entry was written. */
  readonly updatedAt: Date;
}

/** The right to write a session, until the lease ends. */
export interface Claim {
  readonly session: string;
  readonly keeper: string;
  readonly epoch: number;
  /** The number that the first entry of this claim gets. */
  readonly next: number;
}

/** Somebody else holds the session. */
export interface Held {
  readonly heldBy: string;
}

/** Entries of one session to add. */
export interface Write {
  readonly claim: Claim;
  /** The number of the first entry. */
  readonly from: number;
  /** Each the text of an entry, as `encodeEntry` writes it. */
  readonly entries: readonly string[];
}

/**
 * `done`: stored for good. `fenced`: the claim has ended, since another has taken the session over, it was removed, or the
 * journal has lost entries of the claim; nothing was stored.
 */
export type WriteResult = "done" | "fenced";

/** Entries behind a cursor. */
export interface Page {
  /** The texts of the entries, in order. */
  readonly entries: readonly string[];
  /** Behind the last of them. `undefined` if there is no entry yet. */
  readonly cursor: Cursor | undefined;
  /** Whether more entries were there already. */
  readonly more: boolean;
}

/** A command that waits for the keeper. */
export interface StoredCommand {
  /** Its place: commands are handled in the order of these numbers. */
  readonly at: number;
  readonly key: string;
  /** Its text, as it was sent. */
  readonly command: string;
}

/** Which sessions to list. What is left out does not matter. */
export interface SessionFilter {
  readonly agent?: string | undefined;
  readonly cwd?: string | undefined;
  readonly owner?: string | undefined;
}

/**
 * Where a hub keeps its sessions: entries that keepers append and everybody reads, commands for the keepers, and a description
 * for lists. A journal may be used by many processes. A method rejects if the journal cannot be reached; it then may have
 * happened or not, and can be called again.
 */
export interface Journal {
  /** Stores a new session. Rejects if the id is in use. */
  create(session: string, description: SessionDescription): Promise<void>;
  /**
   * Takes a session over, with the next epoch. Refused while the lease of another keeper lasts. `undefined` if there is no such
   * session. Times are those of the journal, not of the caller.
   *
   * @param keeper Unique: a keeper that was started again has another name.
   */
  claim(session: string, keeper: string, lease: Milliseconds): Promise<Claim | Held | undefined>;
  /** Extends leases. Returns the claims that were lost to others. */
  renew(claims: readonly Claim[], lease: Milliseconds): Promise<readonly Claim[]>;
  /** Lets others claim the session at once. */
  release(claim: Claim): Promise<void>;
  /**
   * Adds entries to any number of sessions; all those of a session or none. Writing the same numbers of the same epoch again
   * changes nothing and is `done`, so a caller that got no answer repeats the call.
   */
  append(writes: readonly Write[]): Promise<readonly WriteResult[]>;
  /**
   * The entries behind a cursor, in order, of at most `limit` UTF-16 code units, but at least one. `gone` if the journal has no
   * such place: it was compacted, or the entry was lost. `undefined` if there is no such session.
   */
  read(session: string, after: Cursor | "start", limit: number): Promise<Page | "gone" | undefined>;
  /**
   * Calls back with sessions that may have new entries or commands. It may be called twice, late or never: everybody looks from
   * time to time as well. Returns a function that ends it.
   */
  watch(wake: (sessions: readonly string[]) => void): () => void;
  /**
   * Sends a command to the keeper of a session. One with a key that waits already is not stored again.
   *
   * @returns its place, and whether it is new; `undefined` if there is no such session.
   */
  send(
    session: string,
    key: string,
    command: string,
  ): Promise<{ readonly at: number; readonly isNew: boolean } | undefined>;
  /** The commands that wait behind a place, in order. 0 is before the first. None for a claim that has ended. */
  commands(claim: Claim, after: number): Promise<readonly StoredCommand[]>;
  /** Forgets commands, with all that was in them: they are done. */
  settle(claim: Claim, places: readonly number[]): Promise<void>;
  /**
   * Replaces all entries up to a number by others that show the same, with ascending numbers up to it. Their epoch is 0, so that
   * their places are told apart from those that they replace: a reader with a cursor in between gets `gone`. A reader that has
   * come up to the number goes on, as does one that has read replaced entries that are still there.
   */
  compact(claim: Claim, upTo: number, entries: readonly string[]): Promise<WriteResult>;
  /** A page of the sessions, the latest first, and the text that asks for the next page. */
  list(
    filter: SessionFilter,
    page?: string,
  ): Promise<{ readonly sessions: readonly ListedSession[]; readonly next?: string | undefined }>;
  /** One session; `undefined` if there is none. */
  describe(session: string): Promise<ListedSession | undefined>;
  /**
   * Changes the members that are given. Those of `more` are changed each by itself, and `null` removes one: so changes of several
   * processes at once do not undo each other.
   */
  change(session: string, change: Partial<SessionDescription>): Promise<void>;
  /** Removes a session with all that was stored. Its keeper is fenced. Nothing happens if there is none. */
  remove(session: string): Promise<void>;
  /** Lets go of files and connections. */
  close(): Promise<void>;
}
