import { type ClientSession, type ConnectedAgent, type Turn, UsageError } from "@acp/core";
import { createSessionState, initialState, type SessionState, type SessionStore } from "@acp/core/state";

import type { AgentStore } from "./agent-state.ts";
import { createFramed } from "./frames.ts";
import { pace } from "./pace.ts";
import { requireArgument } from "@acp/core/internal";

/** A session, whatever connection it runs over. */
interface Entry {
  readonly framed: ReturnType<typeof createFramed<SessionState>>;
  session?: ClientSession;
  store?: SessionStore;
  /** How it was opened. */
  setup?: Parameters<AgentStore["newSession"]>[0];
  /** The turn that was begun last. */
  turn?: Turn;
}

const nothing: SessionState = initialState();

export interface Sessions extends Pick<
  AgentStore,
  "newSession" | "loadSession" | "resumeSession" | "sessionState" | "session" | "prompt" | "cancel"
> {
  /** Opens the sessions again over another connection. */
  readonly restore: (agent: ConnectedAgent) => Promise<void>;
}

/** The sessions of an agent by id. */
export function createSessions(connect: () => Promise<ConnectedAgent>): Sessions {
  const entries = new Map<string, Entry>();
  const entryOf = (id: string): Entry => {
    const entry = entries.get(id);
    if (entry !== undefined) return entry;
    const made: Entry = { framed: createFramed(nothing, () => made.store?.state ?? nothing) };
    entries.set(id, made);
    return made;
  };
  /** Follows a session that was opened just now. What is known of it stays until its history is there. */
  const follow = async (
    entry: Entry,
    session: ClientSession,
    setup: Entry["setup"],
    state?: SessionState,
  ): Promise<ClientSession> => {
    entry.store?.close();
    const paced = pace(session);
    const store = createSessionState(paced, { state });
    Object.assign(entry, { session, setup });
    if (paced.caughtUp !== undefined) await paced.caughtUp;
    // It may have been opened once more meanwhile.
    if (entry.session !== session) {
      store.close();
      return session;
    }
    entry.store = store;
    store.subscribe(entry.framed.changed);
    entry.framed.changed();
    return session;
  };
  const open = async (
    entry: Entry,
    { sessionId, ...setup }: Parameters<AgentStore["loadSession"]>[0],
    agent: ConnectedAgent,
    isLoaded: boolean,
  ): Promise<ClientSession> => {
    const session = await agent[isLoaded ? "loadSession" : "resumeSession"]({ sessionId, ...setup });
    return follow(entry, session, setup, isLoaded ? undefined : entry.store?.state);
  };
  const isOpen = ({ session }: Entry): boolean => session?.signal.aborted === false;
  return {
    async newSession(params) {
      const session = await (await connect()).newSession(params);
      return follow(entryOf(session.id), session, params);
    },
    loadSession: async (params) => open(entryOf(idOf(params, "loadSession")), params, await connect(), true),
    resumeSession: async (params) => open(entryOf(idOf(params, "resumeSession")), params, await connect(), false),
    sessionState: (id) => entryOf(id).framed,
    session(id) {
      const entry = entries.get(id);
      return entry && isOpen(entry) ? entry.session : undefined;
    },
    async prompt(id, prompt, options) {
      const entry = entryOf(id);
      if (entry.session === undefined || !isOpen(entry)) throw new UsageError(`The session ${id} is not open`);
      entry.turn = entry.session.prompt(prompt, options);
      return await entry.turn.response;
    },
    cancel(id) {
      const { session, turn, store } = entryOf(id);
      if (store?.state.runningTurn !== undefined) turn?.cancel();
      else void session?.agent.notify("session/cancel", {}).catch(() => {});
    },
    async restore(agent) {
      const { loadSession, sessionCapabilities } = agent.capabilities;
      const canResume = sessionCapabilities?.resume != null;
      if (!loadSession && !canResume) return;
      const opened = Array.from(entries, async ([sessionId, entry]) => {
        if (entry.setup) await open(entry, { sessionId, ...entry.setup }, agent, loadSession === true);
      });
      // A session that cannot be opened any more keeps what is known of it.
      await Promise.allSettled(opened);
    },
  };
}

function idOf(params: { readonly sessionId: string }, method: string): string {
  requireArgument(typeof params?.sessionId === "string", `${method}() takes the id of a session`, params);
  return params.sessionId;
}
