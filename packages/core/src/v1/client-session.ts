import type { AgentMethods, ClientMethods, ContentBlock, Received } from "@acp/schema/v1/types";
import type { MetaOptions, RequestOptions, SessionPeer } from "../rpc/peer.ts";
import type { SessionMembers } from "../session/client/public-members.ts";
import type { PromptOptions, Turn } from "./turn.ts";
import type { SessionObserver } from "./session-event.ts";
import type { PromptResponseOf, ReceivedUpdateOf } from "./protocol-types.ts";

/** A prompt: plain text, or content blocks of kinds that the agent supports (PROM-03). */
export type Prompt = string | readonly ContentBlock[];

/** A session on the client's side. */
export interface ClientSession<out A = AgentMethods, out C = ClientMethods> extends SessionMembers<
  SessionPeer<A>,
  ReceivedUpdateOf<C>,
  Received.SessionConfigOption
> {
  /** For a subagent's session, the session that announced it. The agent chose its directories. */
  readonly parent?: ClientSession<A, C> | undefined;
  /** The modes of the session, with the current mode up to date; `undefined` if there are none. */
  readonly modes: Received.SessionModeState | undefined;
  /** The config options, up to date; `undefined` if the session has none. */
  readonly configOptions: readonly Received.SessionConfigOption[] | undefined;
  /**
   * Whether the session was opened with `session/load`, so that the agent sends its whole history as updates (SESS-06).
   */
  readonly replaysHistory: boolean;
  /**
   * Calls `observer` with everything that happens in the session, at once and in order: updates, before their handler
   * runs, and actions of this client. Returns a function that unsubscribes the observer.
   *
   * The first events describe the session so far: the loaded history if nobody has read it yet, otherwise the latest
   * commands, usage and title; the opening of the session; running turns; and the end of the session if it has ended.
   *
   * `createSessionState` of `@acp/core/state` turns these events into a state that you can show.
   */
  readonly observe: (observer: SessionObserver<ReceivedUpdateOf<C>, PromptResponseOf<A>>) => () => void;
  /**
   * Starts a turn and returns it at once. If the prompt cannot be sent, the turn's `response` rejects.
   *
   * @throws {CapabilityError} through `response`, if the agent does not support a kind of content; nothing was sent.
   * @throws {UsageError} through `response`, if the session has ended. Directly, if the prompt is neither text nor a
   * list of content blocks, or a time in `cancelGrace` or `stall` is not a number of milliseconds from 0 or `Infinity`.
   */
  prompt(prompt: Prompt, options?: PromptOptions): Turn<A, C>;
  /**
   * Changes the mode (MODE-02). Resolves when the agent has accepted it.
   *
   * @throws {CapabilityError} if the session has no modes.
   * @throws {UsageError} if the mode is not available, or the session has ended.
   * @throws what {@link Peer.request} throws.
   */
  setMode(modeId: string, options?: RequestOptions & MetaOptions): Promise<void>;
  /**
   * Closes the session and cancels its running turn. It has no effect if the session has ended.
   *
   * @throws {CapabilityError} if the agent did not advertise `sessionCapabilities.close`.
   * @throws what {@link Peer.request} throws.
   */
  close(options?: RequestOptions & MetaOptions): Promise<void>;
}
