import type { NewSession, SessionChange, SessionStore, SessionSummary, StoredSession } from "./session-store.ts";
import { requireObject } from "@acp/core/internal";

/** Keeps sessions until the process ends: for tests, and for agents that store nothing. */
export function createMemoryStore<Entry>(): SessionStore<Entry> {
  const sessions = new Map<string, MemorySession<Entry>>();
  const add = (session: NewSession, entries: readonly string[]): StoredSession<Entry> => {
    requireObject(session, "A new session needs { sessionId, cwd }");
    const added = new MemorySession<Entry>(session, entries);
    sessions.set(session.sessionId, added);
    return added;
  };
  return {
    create: async (session) => add(session, []),
    open: (sessionId) => Promise.resolve(sessions.get(sessionId)),
    fork: (sessionId, copy) => {
      const source = sessions.get(sessionId);
      return Promise.resolve(source && add({ title: source.summary.title, ...copy }, source.texts));
    },
    list: () => Promise.resolve([...sessions.values()].map(({ summary }) => summary)),
    delete: (sessionId) => {
      sessions.delete(sessionId);
      return Promise.resolve();
    },
  };
}

class MemorySession<Entry> implements StoredSession<Entry> {
  summary: SessionSummary;
  /** As JSON, so that an entry that is changed later stays as it was. */
  readonly texts: string[];

  constructor({ sessionId, cwd, title }: NewSession, texts: readonly string[]) {
    this.summary = { sessionId, cwd, title, updatedAt: new Date() };
    this.texts = [...texts];
  }

  async *entries(): AsyncGenerator<Entry> {
    for (const text of this.texts.slice()) yield await Promise.resolve(JSON.parse(text) as Entry);
  }

  append(entry: Entry): Promise<void> {
    this.texts.push(JSON.stringify(entry));
    return this.change({});
  }

  change({ cwd, title }: SessionChange): Promise<void> {
    const { summary } = this;
    this.summary = { ...summary, cwd: cwd ?? summary.cwd, title: title ?? summary.title, updatedAt: new Date() };
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
