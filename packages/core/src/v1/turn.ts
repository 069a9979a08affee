import type { AgentMethods, ClientMethods } from "@acp/schema/v1/types";
import type { StallOptions } from "../session/client/stall-watch.ts";
import type { MetaOptions } from "../rpc/peer.ts";
import type { PromptResponseOf, ReceivedUpdateOf } from "./protocol-types.ts";

/** Options of a prompt. */
export interface PromptOptions extends MetaOptions {
  /**
   * Abort it to cancel the turn: the client sends `session/cancel`, and `response` resolves with the agent's response,
   * usually `cancelled`. If it is already aborted, nothing is sent, and `response` rejects with its reason.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * How long the agent may take to end the turn after a cancel, in milliseconds. Then `response` rejects with a
   * `TimeoutError` that describes the latest message. Default: 30,000, or 10,000 for an agent that is silent and has
   * nothing running. `Infinity` for no limit.
   */
  readonly cancelGrace?: number | undefined;
  /** What to do if the turn makes no progress. Default: the client's option `stall`. */
  readonly stall?: StallOptions | undefined;
}

/**
 * A prompt turn on the client's side.
 *
 * It is not a promise: await its `response`. That way, an `async` function can return a turn without waiting for its
 * end.
 */
export interface Turn<out A = AgentMethods, out C = ClientMethods> {
  /**
   * The updates of the turn, in order. The loop ends when the turn ends, and throws if {@link response} rejects.
   * Updates are kept from the first time you read this property. `break` does not cancel the turn.
   */
  readonly updates: AsyncIterable<ReceivedUpdateOf<C>>;
  /**
   * The agent's response. Resolves when the handlers of all updates of the turn are done. A rejection never counts as
   * unhandled.
   *
   * After a cancel, an error `-32000` or `-32800` from the agent counts as `cancelled`. If the turn was waiting for a
   * login, it resolves with `cancelled` at once.
   *
   * Do not await it, or a loop over {@link updates}, in a `session/update` handler of the same session, because it
   * waits for that handler. Await {@link close} there instead.
   *
   * @throws {TimeoutError} the agent did not end the turn within `cancelGrace` after a cancel (phase `cancel`), by you
   * or by `stall`.
   * @throws what {@link Peer.request} throws.
   */
  readonly response: Promise<PromptResponseOf<A>>;
  /** Cancels the turn: sends `session/cancel` (CANC-01). It has no effect after the turn has ended. */
  cancel(options?: MetaOptions): void;
  /** Cancels the turn if it is running, and waits for the agent's response, but not for handlers. Never rejects. */
  close(): Promise<void>;
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
