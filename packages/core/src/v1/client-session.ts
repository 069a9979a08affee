import type { AgentMethods, ClientMethods, ContentBlock, Received } from "@acp/schema/v1/types";
import type { MetaOptions, RequestOptions, SessionPeer } from "../rpc/peer.ts";
import type { PromptOptions, Turn } from "./turn.ts";
import type { SessionObserver } from "./session-event.ts";
import type { PromptResponseOf, ReceivedUpdateOf } from "./protocol-types.ts";

/** A prompt: plain text, or content blocks of kinds that the agent advertised to take (PROM-03). */
export type Prompt = string | readonly ContentBlock[];

/** A session as the client sees it. */
export interface ClientSession<out A = AgentMethods, out C = ClientMethods> {
  /** The id that the agent gave it. */
  readonly id: string;
  /**
   * The working directory that it was opened with; absolute. Empty in a request of the agent that arrives before the answer that
   * opens a new session: several may be opening, and it is unknown which of them it is.
   */
  readonly cwd: string;
  /** Further root folders that it was opened with: absolute paths, often none. */
  readonly additionalDirectories: readonly string[];
  /** The session that announced this one, if it belongs to a subagent; the agent has named its directories. */
  readonly parent?: ClientSession<A, C> | undefined;
  /** The modes from the answer that opened the session, with the current one up to date; `undefined` if there are none. */
  readonly modes: Received.SessionModeState | undefined;
  /** The latest config options; `undefined` if the session has none. */
  readonly configOptions: readonly Received.SessionConfigOption[] | undefined;
  /** The `_meta` of the answer that opened it; empty if there was none (EXT-01). */
  readonly meta: { readonly [key: string]: unknown };
  /** Whether it is opened by `session/load`: the agent then sends its whole history as updates (SESS-06). */
  readonly replaysHistory: boolean;
  /** Aborts when the session is closed, deleted or opened again, or the agent is gone. Clean up then. */
  readonly signal: AbortSignal;
  /**
   * Every update of the session, also between turns and while it is loaded. A loop gets the updates from its start on. Start it
   * right after opening the session, before you await anything else, to get the earlier ones as well.
   */
  readonly updates: AsyncIterable<ReceivedUpdateOf<C>>;
  /**
   * Calls `observer`, at once and in order, with everything that happens in the session: updates, before their handler runs, and
   * actions of this client. Returns a function that unsubscribes it.
   *
   * The first events are those so far: a loaded history that nobody has read yet, the opening of the session, running turns, and
   * the end of the session if it has ended.
   *
   * `createSessionState` of `@acp/core/state` turns these events into a state to show.
   */
  readonly observe: (observer: SessionObserver<ReceivedUpdateOf<C>, PromptResponseOf<A>>) => () => void;
  /** The agent. Calls are for this session: they need no `sessionId`. */
  readonly agent: SessionPeer<A>;
  /**
   * Starts a turn. Returns it at once; an error that keeps the prompt from being sent rejects its `response`.
   *
   * @throws {CapabilityError} through `response`, if the agent did not advertise a kind of content; nothing was sent.
   * @throws {UsageError} through `response`, if the session has ended. At once, if the prompt is neither text nor a list of
   * content blocks, or `cancelGrace` is neither milliseconds from 0 on nor `Infinity`.
   */
  prompt(prompt: Prompt, options?: PromptOptions): Turn<A, C>;
  /**
   * Changes the mode (MODE-02). Resolves when the agent has agreed.
   *
   * @throws {CapabilityError} if the session has no modes.
   * @throws {UsageError} if the mode is not an available one, or the session has ended.
   * @throws what {@link Peer.request} throws.
   */
  setMode(modeId: string, options?: RequestOptions & MetaOptions): Promise<void>;
  /**
   * Changes a config option. Resolves with all options as they are then (CONF-14).
   *
   * @throws {CapabilityError} if the session has no config options.
   * @throws {UsageError} if there is no such option or value, or the session has ended.
   * @throws what {@link Peer.request} throws.
   */
  setConfigOption(
    configId: string,
    value: string | boolean,
    options?: RequestOptions & MetaOptions,
  ): Promise<readonly Received.SessionConfigOption[]>;
  /**
   * Closes the session. A turn that runs is cancelled. Without effect if the session has ended.
   *
   * @throws {CapabilityError} if the agent did not advertise to close sessions.
   * @throws what {@link Peer.request} throws.
   */
  close(options?: RequestOptions & MetaOptions): Promise<void>;
}
