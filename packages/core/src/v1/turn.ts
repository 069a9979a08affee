import type { AgentMethods, ClientMethods } from "@acp/schema/v1/types";
import type { StallOptions } from "../session/client/stall-watch.ts";
import type { MetaOptions } from "../rpc/peer.ts";
import type { PromptResponseOf, ReceivedUpdateOf } from "./protocol-types.ts";

/** Options of a prompt. */
export interface PromptOptions extends MetaOptions {
  /**
   * Cancels the turn when it aborts: `session/cancel` is sent, and `response` resolves with the agent's answer, normally
   * `cancelled`. If it has aborted before, nothing is sent, and `response` rejects with its reason.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * How long the agent may take to answer after a cancel, in milliseconds; `Infinity` for no limit. After that `response`
   * rejects with a `TimeoutError`, which says what was received last. Default: 30,000, and 10,000 for an agent that is silent
   * and has nothing running.
   */
  readonly cancelGrace?: number | undefined;
  /** What to do when nothing happens in the turn any more. Default: the option of the client. */
  readonly stall?: StallOptions | undefined;
}

/**
 * A prompt turn as the client sees it.
 *
 * It is not a promise itself: await `response`. (An `async` function that returned a promise would wait for its end.)
 */
export interface Turn<out A = AgentMethods, out C = ClientMethods> {
  /**
   * The turn's updates, in order. The loop ends when the turn is answered, and throws what {@link response} rejects with.
   * Updates are kept from the first time this property is read. `break` does not cancel the turn.
   */
  readonly updates: AsyncIterable<ReceivedUpdateOf<C>>;
  /**
   * The agent's answer, once the handlers of all updates of the turn are done. A rejection never counts as unhandled.
   *
   * After a cancel, an agent that refuses the prompt with `-32000` or `-32800` counts as `cancelled`. If the turn was
   * waiting for a login, it resolves with `cancelled` at once.
   *
   * Do not await it, or a loop over {@link updates}, in a `session/update` handler of the same session: it waits for that
   * handler. Await {@link close} there.
   *
   * @throws {TimeoutError} the agent did not answer within `cancelGrace` of a cancel (phase `cancel`), yours or that of `stall`.
   * @throws what {@link Peer.request} throws.
   */
  readonly response: Promise<PromptResponseOf<A>>;
  /** Cancels the turn: sends `session/cancel` (CANC-01). Without effect once it is answered. */
  cancel(options?: MetaOptions): void;
  /** Cancels the turn if it runs, and waits until the agent has answered, but not for handlers. Never rejects. */
  close(): Promise<void>;
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
