import type { AgentMethods, ClientMethods, ContentBlock, Received } from "@acp/schema/v1/types";
import type { MetaOptions, RequestOptions, SessionPeer } from "../rpc/peer.ts";
import type { SessionMembers } from "../session/client/public-members.ts";
import type { PromptOptions, Turn } from "./turn.ts";
import type { SessionObserver } from "./session-event.ts";
import type { PromptResponseOf, ReceivedUpdateOf } from "./protocol-types.ts";

/** A prompt: plain text, or content blocks of kinds that the agent advertised to take (PROM-03). */
export type Prompt = string | readonly ContentBlock[];

/** A session as the client sees it. */
export interface ClientSession<out A = AgentMethods, out C = ClientMethods> extends SessionMembers<
  SessionPeer<A>,
  ReceivedUpdateOf<C>
> {
  /** The session that announced this one, if it belongs to a subagent; the agent has named its directories. */
  readonly parent?: ClientSession<A, C> | undefined;
  /** The modes from the answer that opened the session, with the current one up to date; `undefined` if there are none. */
  readonly modes: Received.SessionModeState | undefined;
  /** The latest config options; `undefined` if the session has none. */
  readonly configOptions: readonly Received.SessionConfigOption[] | undefined;
  /** Whether it is opened by `session/load`: the agent then sends its whole history as updates (SESS-06). */
  readonly replaysHistory: boolean;
  /**
   * Calls `observer`, at once and in order, with everything that happens in the session: updates, before their handler runs, and
   * actions of this client. Returns a function that unsubscribes it.
   *
   * The first events are those so far: a loaded history that nobody has read yet, the opening of the session, later the latest
   * commands, usage and title instead of that history, running turns, and the end of the session if it has ended.
   *
   * `createSessionState` of `@acp/core/state` turns these events into a state to show.
   */
  readonly observe: (observer: SessionObserver<ReceivedUpdateOf<C>, PromptResponseOf<A>>) => () => void;
  /**
   * Starts a turn. Returns it at once; an error that keeps the prompt from being sent rejects its `response`.
   *
   * @throws {CapabilityError} through `response`, if the agent did not advertise a kind of content; nothing was sent.
   * @throws {UsageError} through `response`, if the session has ended. At once, if the prompt is neither text nor a list of
   * content blocks, or `cancelGrace` or `stall` has a time that is
   * neither milliseconds from 0 on nor `Infinity`.
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
