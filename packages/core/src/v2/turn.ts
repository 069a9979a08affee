import type { AgentMethods, ClientMethods } from "@acp/schema/v2/types";
import type { StallOptions } from "../session/client/stall-watch.ts";
import type { MetaOptions } from "../rpc/peer.ts";
import type { IdleStateOf, PromptResponseOf, ReceivedUpdateOf } from "./protocol-types.ts";

/** Options of a prompt. */
export interface PromptOptions extends MetaOptions {
  /**
   * Abort it to cancel the turn: the client sends `session/cancel`, and `finished` resolves with the state that the
   * agent then sends, usually `cancelled`. If it is already aborted, nothing is sent, and `accepted` and `finished`
   * reject with its reason.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * How long the agent may take after a cancel to respond to the prompt and to become idle, in milliseconds. Then
   * `finished` rejects with a `TimeoutError` that describes the latest message, and so does `accepted` if there is no
   * response. Default: 30,000, or 10,000 for an agent that is silent and has nothing running. `Infinity` for no limit.
   */
  readonly cancelGrace?: number | undefined;
  /** What to do if the turn makes no progress. Default: the client's option `stall`. */
  readonly stall?: StallOptions | undefined;
}

/**
 * The work of a session for one prompt, on the client's side.
 *
 * In version 2, the response to `session/prompt` only means that the user's message is part of the conversation: {@link
 * accepted}. A state of the whole session ends the work: {@link finished}. It is the first `idle` after the message was
 * accepted and the session was busy. One state may therefore finish several prompts: those that the agent accepted
 * while it worked. A prompt that the agent holds back until then continues.
 *
 * It is not a promise: await its `finished`. That way, an `async` function can return a turn without waiting for its
 * end.
 */
export interface Turn<out A = AgentMethods, out C = ClientMethods> {
  /**
   * The updates of the session, in order, from when the prompt was sent up to and including the state that finishes it.
   * While an earlier turn is running, updates belong only to that turn, so that nothing is shown twice. The loop throws
   * if {@link finished} rejects. Updates are kept from the first time you read this property. `break` does not cancel
   * anything.
   */
  readonly updates: AsyncIterable<ReceivedUpdateOf<C>>;
  /**
   * The agent's response: the id of the user's message, which is now part of the conversation. It may arrive long
   * before the work starts, or while updates of the work wait for their handlers. A rejection never counts as
   * unhandled.
   *
   * @throws {RequestError} the agent refused the prompt, or cancelled it (`-32800`).
   * @throws {TimeoutError} the agent did not respond within `cancelGrace` after a cancel (phase `cancel`).
   * @throws what {@link Peer.request} throws.
   */
  readonly accepted: Promise<PromptResponseOf<A>>;
  /**
   * The idle state that finished the work, with the stop reason. Resolves when the handlers of this update and of all
   * earlier ones are done. It does not reject if the work failed: the stop reason is then `error`. A rejection never
   * counts as unhandled.
   *
   * If the prompt was cancelled before the agent accepted it, or the session was closed, the client creates this state,
   * with only the stop reason `cancelled`.
   *
   * Do not await it, or a loop over {@link updates}, in a `session/update` handler of the same session, because it
   * waits for that handler. Await {@link close} there instead.
   *
   * @throws {TimeoutError} the agent did not become idle within `cancelGrace` after a cancel (phase `cancel`).
   * @throws {ConnectionClosedError} the connection ended first.
   * @throws an `AbortError`, if the session was reopened meanwhile.
   * @throws what {@link accepted} rejects with, if the prompt was neither accepted nor cancelled.
   */
  readonly finished: Promise<IdleStateOf<C>>;
  /**
   * Cancels the session's foreground work for this prompt and all earlier ones: sends `session/cancel`. Background work
   * continues. It has no effect after the turn is finished.
   */
  cancel(options?: MetaOptions): void;
  /**
   * Cancels the turn if it is running, and waits until the agent is idle or has cancelled the prompt, but not for
   * handlers. Never rejects.
   */
  close(): Promise<void>;
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
