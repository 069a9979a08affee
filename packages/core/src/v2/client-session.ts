import type { AgentMethods, ClientMethods, ContentBlock, Received } from "@acp/schema/v2/types";
import type { MetaOptions, RequestOptions, SessionPeer } from "../rpc/peer.ts";
import type { SessionMembers } from "../session/client/public-members.ts";
import type { PromptOptions, Turn } from "./turn.ts";
import type { ObservableSession } from "./session-event.ts";
import type { ReceivedUpdateOf } from "./protocol-types.ts";

/** A prompt: plain text, or content blocks of kinds that the agent advertised to take, at least one (PROM-03). */
export type Prompt = string | readonly ContentBlock[];

/** What a session is doing; `unknownVariant` for a state that is not known here. */
export type SessionActivity = Received.StateUpdate["state"];

/** A session as the client sees it. */
export interface ClientSession<out A = AgentMethods, out C = ClientMethods> extends SessionMembers<
  SessionPeer<A>,
  ReceivedUpdateOf<C>
> {
  /**
   * The latest state of the session's foreground work as a whole, whoever began it ("Session States" in the draft). `idle` until
   * the agent says otherwise. It changes in the order of the updates: a handler for `session/update` sees the state of its
   * update.
   */
  readonly state: SessionActivity;
  /** The latest list of background work; `undefined` if the agent sends none. */
  readonly background: readonly Received.BackgroundWork[] | undefined;
  /** The latest config options; `undefined` if the session has none. */
  readonly configOptions: readonly Received.SessionConfigOption[] | undefined;
  /** The latest commands; often none. */
  readonly availableCommands: readonly Received.AvailableCommand[];
  /** Whether it was resumed with `replayFrom`: the agent then sends its history as updates, before the session is opened. */
  readonly replaysHistory: boolean;
  /**
   * Calls `observer`, at once and in order, with everything that happens in the session: updates, before their handler runs, and
   * actions of this client. Returns a function that unsubscribes it.
   *
   * The first events are those so far: a replayed history that nobody has read yet, the opening of the session, later the latest
   * state, usage and title instead of that history, running turns, and the end of the session if it has ended.
   *
   * `createSessionState` of `@acp/core/v2/state` turns these events into a state to show.
   */
  readonly observe: ObservableSession<ReceivedUpdateOf<C>>["observe"];
  /**
   * Sends a message of the user. Returns at once; an error that keeps it from being sent rejects `accepted` and `finished`.
   *
   * A busy session takes prompts as well: the agent puts them into the conversation at once, or holds them back until it is done
   * ("User Message" in the draft).
   *
   * @throws {CapabilityError} through `finished`, if the agent did not advertise a kind of content; nothing was sent.
   * @throws {UsageError} through `finished`, if the session has ended. At once, if the prompt is empty, or neither text nor a
   * list of content blocks, or `cancelGrace` or `stall` has a time that is
   * neither milliseconds from 0 on nor `Infinity`.
   */
  prompt(prompt: Prompt, options?: PromptOptions): Turn<A, C>;
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
   * Closes the session: cancels its work, in the background as well, and frees it. Resolves after the handlers of the last
   * updates. Without effect if the session has ended here, or if the agent answers that it does not know it.
   *
   * @throws what {@link Peer.request} throws.
   */
  close(options?: RequestOptions & MetaOptions): Promise<void>;
}
