import { RequestError } from "@acp/core";
import {
  createFileStore,
  createMemoryStore,
  type NewSession,
  type SessionStore,
  type SessionSummary,
  type StoreProblem,
} from "@acp/sessions";

import { describeError } from "../../describe-error.ts";
import { checkRecord } from "./check-record.ts";
import { textOf } from "./joined-text.ts";
import { type JournalPlace, SessionJournal } from "./session-journal.ts";
import type { SessionRecord } from "./session-record.ts";

/** How long a session that is opened again waits for the turn before, which is cancelled, in milliseconds. */
const longestTurnEnd = 5000;

/** Where the sessions of the agent are. */
export interface SessionPlace {
  /** Absolute. Default: in memory. */
  readonly folder: string | undefined;
  /** Gets what went wrong, as a sentence. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

/**
 * The sessions of the agent, in files if it has a folder. What cannot be written there is kept in memory, and the user is told:
 * no session fails for that.
 */
export class AgentSessions implements SessionStore<SessionRecord> {
  readonly #place: SessionPlace;
  readonly #memory = createMemoryStore<SessionRecord>();
  readonly #files: SessionStore<SessionRecord>;
  readonly #places = new Map<string, JournalPlace>();
  readonly #open = new Map<string, SessionJournal>();
  /** The sessions that are in memory alone, although there is a folder. */
  readonly #unsaved = new Set<string>();
  readonly #told = new Set<string>();

  constructor(place: SessionPlace) {
    const { folder } = place;
    this.#place = place;
    this.#files =
      folder === undefined
        ? this.#memory
        : createFileStore<SessionRecord>(folder, {
            check: checkRecord,
            textOf,
            onProblem: (problem) => this.#takeProblem(problem),
          });
  }

  async create(session: NewSession): Promise<SessionJournal> {
    try {
      return this.#wrap(session.sessionId, await this.#files.create(session));
    } catch (error) {
      return this.#createInMemory(session, error);
    }
  }

  async open(sessionId: string): Promise<SessionJournal | undefined> {
    await this.#turnEnds(sessionId);
    const isInMemory = this.#unsaved.has(sessionId);
    const stored = await this.#try(() => (isInMemory ? this.#memory : this.#files).open(sessionId));
    return stored === undefined ? undefined : this.#wrap(sessionId, stored);
  }

  async fork(sessionId: string, session: NewSession): Promise<SessionJournal | undefined> {
    if (this.#unsaved.has(sessionId)) {
      const stored = await this.#memory.fork(sessionId, session);
      if (stored !== undefined) this.#unsaved.add(session.sessionId);
      return stored === undefined ? undefined : this.#wrap(session.sessionId, stored);
    }
    const stored = await this.#try(() => this.#files.fork(sessionId, session));
    return stored === undefined ? undefined : this.#wrap(session.sessionId, stored);
  }

  async list(): Promise<readonly SessionSummary[]> {
    const saved = await this.#files.list().catch((error: unknown) => {
      this.#tell(this.#describe("The sessions cannot be listed", error));
      return [];
    });
    return this.#unsaved.size === 0 ? saved : [...saved, ...(await this.#memory.list())];
  }

  async delete(sessionId: string): Promise<void> {
    this.#places.delete(sessionId);
    if (this.#unsaved.delete(sessionId)) return this.#memory.delete(sessionId);
    await this.#try(() => this.#files.delete(sessionId));
  }

  async #createInMemory(session: NewSession, error: unknown): Promise<SessionJournal> {
    const stored = await this.#memory.create(session);
    this.#unsaved.add(session.sessionId);
    const problem = this.#describe("This session is not saved and ends with the agent", error);
    this.#placeOf(session.sessionId).problems.push(problem);
    this.#tell(problem);
    return this.#wrap(session.sessionId, stored);
  }

  #wrap(sessionId: string, stored: Awaited<ReturnType<SessionStore<SessionRecord>["create"]>>): SessionJournal {
    const journal = new SessionJournal(stored, this.#placeOf(sessionId));
    this.#open.set(sessionId, journal);
    return journal;
  }

  #placeOf(sessionId: string): JournalPlace {
    const known = this.#places.get(sessionId);
    if (known !== undefined) return known;
    let isReported = false;
    const problems: string[] = [];
    const report = (reason: string): void => {
      if (isReported) return;
      isReported = true;
      const problem = this.#describe("This session is no longer saved", reason);
      problems.push(problem);
      this.#tell(problem);
    };
    const place: JournalPlace = { unsaved: [], problems, report };
    this.#places.set(sessionId, place);
    return place;
  }

  #takeProblem({ sessionId, path, line, reason }: StoreProblem): void {
    const place = line === undefined ? path : `${path}, line ${line}`;
    const problem = `A part of the history was left out or rebuilt: ${place}: ${reason}.`;
    if (sessionId !== undefined) this.#placeOf(sessionId).problems.push(problem);
    this.#tell(problem);
  }

  /** A turn that was cancelled by opening its session again still says what it has done. */
  async #turnEnds(sessionId: string): Promise<void> {
    const running = this.#open.get(sessionId)?.idle();
    if (running === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expired = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, longestTurnEnd);
    });
    await Promise.race([running, expired]);
    clearTimeout(timer);
  }

  async #try<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof RequestError) throw error;
      throw RequestError.internalError(this.#describe("The saved sessions cannot be used", error));
    }
  }

  #describe(what: string, error: unknown): string {
    const { folder } = this.#place;
    const where = folder === undefined ? "" : ` (${folder})`;
    const advice = "Start the agent with --sessions <folder> to choose another place, or with --no-sessions.";
    return `${what}${where}: ${describeError(error)}. ${advice}`;
  }

  #tell(message: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    this.#place.onProblem?.(message);
  }
}
