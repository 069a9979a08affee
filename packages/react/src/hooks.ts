import {
  type AgentMethods,
  type ClientSession,
  type ParamsOf,
  type Prompt,
  type PromptOptions,
  type PromptResponseOf,
  type Received,
  UsageError,
} from "@acp/core";
import { type ModeSelector, modeSelector, type SessionState } from "@acp/core/state";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";

import { useAgentStore } from "./agent-provider.ts";
import type { AgentState } from "./agent-state.ts";
import type { Framed } from "./frames.ts";
import type { Elicitation, PermissionQuestion } from "./questions.ts";

/** A session, or its id. The hooks follow it over every connection; `undefined` while there is none. */
export type SessionLike = Pick<ClientSession, "id"> | string | undefined;

/** What {@link useAgent} returns. */
export interface AgentHook extends AgentState {
  /** Tries to connect again at once. */
  readonly retry: () => void;
}

/** The agent, and the state of its connection. Connects the store when the component appears. */
export function useAgent(): AgentHook {
  const { connection, connect, retry } = useAgentStore();
  useEffect(() => void connect().catch(() => {}), [connect]);
  const state = useSelected(connection, itself);
  return useMemo(() => ({ ...state, retry }), [state, retry]);
}

/** Options of {@link useSession}. */
export interface UseSessionOptions<Selected> {
  /**
   * Picks what the component shows. The component renders again only if that is another object than before, or a list or
   * plain object with other members: `(state) => state.timeline.slice(-20)`.
   */
  readonly select: (state: SessionState) => Selected;
}

/**
 * The state of a session, at most once a frame. Without a session, it is a state without anything.
 *
 * `timeline`, `turns` and `terminals` are lists that never change: `useSession(session, { select: (s) => s.timeline.at(-1) })`
 * is cheap, however long they are.
 */
export function useSession(session: SessionLike): SessionState;
export function useSession<Selected>(session: SessionLike, options: UseSessionOptions<Selected>): Selected;
export function useSession(session: SessionLike, options?: UseSessionOptions<unknown>): unknown {
  return useSelected(useAgentStore().sessionState(idOf(session)), options?.select ?? itself);
}

/** The open questions for permission of a session, or of all sessions. */
export function usePermissions(session?: SessionLike): readonly PermissionQuestion[] {
  return useQuestions(useAgentStore().permissions, session);
}

/** The open forms and URLs of a session, or of all sessions: for a client with `elicitation` among its capabilities. */
export function useElicitations(session?: SessionLike): readonly Elicitation[] {
  return useQuestions(useAgentStore().elicitations, session);
}

/** What {@link usePrompt} returns. */
export interface PromptHook {
  /** Sends a prompt. Resolves with the answer of the agent. Rejects if the session is not open, or the turn fails. */
  readonly send: (prompt: Prompt, options?: PromptOptions) => Promise<PromptResponseOf>;
  /** Cancels what runs, also if another client of the session has sent the prompt. */
  readonly cancel: () => void;
  /** Whether a prompt of this page runs. */
  readonly running: boolean;
  /** Why the last turn failed; `undefined` if it did not. */
  readonly error: unknown;
}

/** Prompts of a session. */
export function usePrompt(session: SessionLike): PromptHook {
  const store = useAgentStore();
  const id = idOf(session);
  const { running, error } = useSession(session, turnOf);
  const send = useCallback<PromptHook["send"]>((prompt, options) => store.prompt(id, prompt, options), [store, id]);
  const cancel = useCallback(() => store.cancel(id), [store, id]);
  return { send, cancel, running, error };
}

const turnOf = {
  select({ runningTurn, turns }: SessionState): { readonly running: boolean; readonly error: unknown } {
    const last = turns.at(-1);
    return { running: runningTurn !== undefined, error: last?.status === "failed" ? last.error : undefined };
  },
};

/** The slash commands of a session. */
export function useCommands(session: SessionLike): readonly Received.AvailableCommand[] {
  return useSession(session, commandsOf);
}

const commandsOf = { select: ({ commands }: SessionState) => commands };

/** What {@link useConfig} returns. */
export interface ConfigHook {
  /** How the user chooses the mode; `undefined` if there is nothing to choose. */
  readonly mode: ModeSelector | undefined;
  /** The options in the agent's order, with their values. */
  readonly options: readonly Received.SessionConfigOption[];
  /** Changes an option. Rejects if the session is not open, or the agent refuses. */
  readonly setOption: (optionId: string, value: string | boolean) => Promise<unknown>;
  /** Changes the mode, for a `mode` with `via: "modes"`. */
  readonly setMode: (modeId: string) => Promise<void>;
}

/** The mode and the options of a session. */
export function useConfig(session: SessionLike): ConfigHook {
  const store = useAgentStore();
  const id = idOf(session);
  const settings = useSession(session, settingsOf);
  return useMemo(() => {
    const opened = async (): Promise<ClientSession> => {
      const open = store.session(id);
      if (open === undefined) throw new UsageError(`The session ${id} is not open`);
      return open;
    };
    return {
      mode: modeSelector(settings),
      options: settings.configOptions ?? [],
      setOption: async (optionId, value) => (await opened()).setConfigOption(optionId, value),
      setMode: async (modeId) => (await opened()).setMode(modeId),
    };
  }, [store, id, settings]);
}

const settingsOf = { select: ({ modes, configOptions }: SessionState) => ({ modes, configOptions }) };

/** What {@link useSessionList} returns. */
export interface SessionListHook {
  /** The sessions so far, as the agent sorts them. */
  readonly sessions: readonly Received.SessionInfo[];
  readonly loading: boolean;
  /** Why the list could not be read; `undefined` if it could. A `CapabilityError` if the agent has no list. */
  readonly error: unknown;
  /** Reads the next page; `undefined` if there is none. */
  readonly more: (() => void) | undefined;
  /** Reads the list again from its start. */
  readonly refresh: () => void;
}

interface List extends Pick<SessionListHook, "sessions" | "loading" | "error"> {
  readonly next?: string | null | undefined;
}

/** The sessions that the agent keeps, page by page. */
export function useSessionList(params?: ParamsOf<AgentMethods, "session/list">): SessionListHook {
  const { agent } = useAgent();
  const cwd = params?.cwd;
  const [list, setList] = useState<List>({ sessions: [], loading: true, error: undefined });
  /** The newest reading: what an older one finds does not count. */
  const newest = useRef<object>(undefined);
  const read = useCallback(
    async (from?: List): Promise<void> => {
      if (agent === undefined) return;
      const own = (newest.current = {});
      setList((known) => ({ ...known, loading: true }));
      const found = await agent.request("session/list", { cwd, cursor: from?.next }).then(
        ({ sessions, nextCursor }): List => ({
          sessions: [...(from?.sessions ?? []), ...sessions],
          loading: false,
          error: undefined,
          next: nextCursor,
        }),
        (error: unknown): List => ({ sessions: from?.sessions ?? [], loading: false, error }),
      );
      if (newest.current === own) setList(found);
    },
    [agent, cwd],
  );
  useEffect(() => void read(), [read]);
  const { sessions, loading, error, next } = list;
  return {
    sessions,
    loading,
    error,
    more: next == null ? undefined : () => void read(list),
    refresh: () => void read(),
  };
}

function itself<T>(value: T): T {
  return value;
}

function idOf(session: SessionLike): string {
  return typeof session === "object" ? session.id : (session ?? "");
}

function useQuestions<Question extends { readonly sessionId: string | undefined }>(
  open: Framed<readonly Question[]>,
  session: SessionLike,
): readonly Question[] {
  const id = session && idOf(session);
  return useSelected(open, (all) => (id === undefined ? all : all.filter(({ sessionId }) => sessionId === id)));
}

/** What a component shows of a value: the same object as before if its members are. */
function useSelected<T, Selected>(framed: Framed<T>, select: (value: T) => Selected): Selected {
  const last = useRef<{ readonly selected: Selected }>(undefined);
  const read = useMemo(() => {
    let known: { readonly value: T; readonly selected: Selected } | undefined;
    return () => {
      const { value } = framed;
      if (known?.value !== value || known === undefined) {
        const selected = select(value);
        const before = last.current?.selected;
        known = {
          value,
          selected: last.current !== undefined && isSame(before, selected) ? (before as Selected) : selected,
        };
      }
      return known.selected;
    };
  }, [framed, select]);
  const selected = useSyncExternalStore(framed.subscribe, read, read);
  useEffect(() => {
    last.current = { selected };
  });
  return selected;
}

/** Whether two lists or plain objects have the same members. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isPlain(one) || !isPlain(other)) return false;
  const entries = Object.entries(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    entries.length === Object.keys(other).length &&
    entries.every(([name, value]) => name in other && Object.is(value, (other as Record<string, unknown>)[name]))
  );
}

function isPlain(value: unknown): value is object {
  return (
    Array.isArray(value) ||
    (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype)
  );
}
