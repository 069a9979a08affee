import type { AgentMethods, ClientMethods, ContentBlock, Received } from "@acp/schema/v2/types";
import type { MetaOptions, RequestOptions, SessionPeer } from "../rpc/peer.ts";
import type { SessionMembers } from "../session/client/public-members.ts";
import type { PromptOptions, Turn } from "./turn.ts";
import type { ObservableSession } from "./session-event.ts";
import type { ReceivedUpdateOf } from "./protocol-types.ts";

/** A prompt: plain text, or at least one content block of kinds that the agent supports (PROM-03). */
export type Prompt = string | readonly ContentBlock[];

/** The state of a session; `unknownVariant` for an unknown one. */
export type SessionActivity = Received.StateUpdate["state"];

/** A session on the client's side. */
export interface ClientSession<out A = AgentMethods, out C = ClientMethods> extends SessionMembers<
  SessionPeer<A>,
  ReceivedUpdateOf<C>,
  Received.SessionConfigOption
> {
  /**
   * The latest state of the session's foreground work as a whole, whoever started it ("Session States" in the draft).
   * `idle` until the agent reports another state. It changes in the order of the updates: a handler for
   * `session/update` sees the state as of its update.
   */
  readonly state: SessionActivity;
  /** The background work, up to date; `undefined` if the agent does not report it. */
  readonly background: readonly Received.BackgroundWork[] | undefined;
  /** The slash commands, up to date. */
  readonly availableCommands: readonly Received.AvailableCommand[];
  /**
   * Whether the session was resumed with `replayFrom`, so that the agent sends its history as updates before the
   * session is open.
   */
  readonly replaysHistory: boolean;
  /**
   * Calls `observer` with everything that happens in the session, at once and in order: updates, before their handler
   * runs, and actions of this client. Returns a function that unsubscribes the observer.
   *
   * The first events describe the session so far: the replayed history if nobody has read it yet, otherwise the latest
   * state, usage and title; the opening of the session; running turns; and the end of the session if it has ended.
   *
   * `createSessionState` of `@acp/core/v2/state` turns these events into a state that you can show.
   */
  readonly observe: ObservableSession<ReceivedUpdateOf<C>>["observe"];
  /**
   * Sends a message from the user, and returns its turn at once. If the message cannot be sent, the turn's `accepted`
   * and `finished` reject.
   *
   * You can also send a prompt to a busy session: the agent adds it to the conversation at once, or holds it back until
   * it is done ("User Message" in the draft).
   *
   * @throws {CapabilityError} through `finished`, if the agent does not support a kind of content; nothing was sent.
   * @throws {UsageError} through `finished`, if the session has ended. Directly, if the prompt is empty, or neither
   * text nor a list of content blocks, or a time in `cancelGrace` or `stall` is not a number of milliseconds from 0 or
   * `Infinity`.
   */
  prompt(prompt: Prompt, options?: PromptOptions): Turn<A, C>;
  /**
   * Closes the session: cancels its work, including background work, and frees its resources. Resolves after the
   * handlers of the last updates. It has no effect if the session has ended, or if the agent responds that it does not
   * know the session.
   *
   * @throws what {@link Peer.request} throws.
   */
  close(options?: RequestOptions & MetaOptions): Promise<void>;
}
