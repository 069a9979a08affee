import type { ModelMessage } from "ai";

/** An entry in the journal of a session. What a session is follows from its entries, read in order. */
export type SessionRecord =
  /** What was added to the conversation with the model. */
  | { readonly type: "messages"; readonly messages: readonly ModelMessage[] }
  /** The conversation was replaced by a shorter one. */
  | { readonly type: "compacted"; readonly messages: readonly ModelMessage[] }
  /** What the client was shown, in the words of its version of the protocol. */
  | { readonly type: "shown"; readonly version: 1 | 2; readonly update: object }
  | { readonly type: "settings"; readonly settings: object }
  | { readonly type: "costs"; readonly costs: object };

/** What a list of sessions shows. */
export interface SessionSummary {
  readonly sessionId: string;
  readonly cwd: string;
  readonly title: string | undefined;
  readonly updatedAt: Date;
}

/** The journal of one session. */
export interface StoredSession {
  readonly summary: SessionSummary;
  readonly records: readonly SessionRecord[];
  /** Adds entries behind those before. Resolves once they are safe. */
  append(record: SessionRecord): Promise<void>;
  change(summary: { readonly title?: string; readonly cwd?: string }): Promise<void>;
}

/** All sessions of this agent. */
export interface SessionStore {
  create(sessionId: string, cwd: string): Promise<StoredSession>;
  /** `undefined` if there is no such session. */
  open(sessionId: string): Promise<StoredSession | undefined>;
  list(): Promise<readonly SessionSummary[]>;
  delete(sessionId: string): Promise<void>;
}

/** Keeps sessions until the process ends. */
export function createMemoryStore(): SessionStore {
  const sessions = new Map<string, MemorySession>();
  return {
    create: (sessionId, cwd) => {
      const session = new MemorySession({ sessionId, cwd, title: undefined, updatedAt: new Date() });
      sessions.set(sessionId, session);
      return Promise.resolve(session);
    },
    open: (sessionId) => Promise.resolve(sessions.get(sessionId)),
    list: () => Promise.resolve([...sessions.values()].map(({ summary }) => summary)),
    delete: (sessionId) => {
      sessions.delete(sessionId);
      return Promise.resolve();
    },
  };
}

class MemorySession implements StoredSession {
  summary: SessionSummary;
  readonly records: SessionRecord[] = [];

  constructor(summary: SessionSummary) {
    this.summary = summary;
  }

  append(record: SessionRecord): Promise<void> {
    // A copy: the messages in it go on changing.
    this.records.push(structuredClone(record));
    return this.change({});
  }

  change(change: { readonly title?: string; readonly cwd?: string }): Promise<void> {
    this.summary = { ...this.summary, ...change, updatedAt: new Date() };
    return Promise.resolve();
  }
}
