import type { AgentMethods, ClientMethods } from "@acp/schema/v2/types";
import type { StallOptions } from "../session/client/stall-watch.ts";
import type { MetaOptions } from "../rpc/peer.ts";
import type { IdleStateOf, PromptResponseOf, ReceivedUpdateOf } from "./protocol-types.ts";

/** Options of a prompt. */
export interface PromptOptions extends MetaOptions {
  /**
   * Cancels when it aborts: `session/cancel` is sent, and `finished` resolves with the state that the agent sends then, normally
   * `cancelled`. If it has aborted before, nothing is sent, and `accepted` and `finished` reject with its reason.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * How long the agent may take after a cancel to answer the prompt and to become idle, in milliseconds; `Infinity` for no
   * limit. After that `finished` rejects with a `TimeoutError`, and so does `accepted` without an answer. The error says what was
   * received last. Default: 30,000, and 10,000 for an agent that is silent and has nothing running.
   */
  readonly cancelGrace?: number | undefined;
  /** What to do when nothing happens in the turn any more. Default: the option of the client. */
  readonly stall?: StallOptions | undefined;
}

/**
 * The work of a session for one prompt, as the client sees it.
 *
 * In version 2 the answer to `session/prompt` only means that the user's message has a place in the conversation:
 * {@link accepted}. A state of the whole session ends the work, {@link finished}: the first `idle` after the message has got its
 * place and the session was busy. So one state may finish several prompts: those that the agent took in while it worked. A
 * prompt that the agent holds back until then goes on.
 *
 * It is not a promise itself: await `finished`. (An `async` function that returned a promise would wait for its end.)
 */
export interface Turn<out A = AgentMethods, out C = ClientMethods> {
  /**
   * The updates of the session, in order, from when the prompt was sent to the state that finishes it, that state among
   * them. Those of a time when an earlier turn ran as well belong to that one alone, so that nothing is shown twice. The loop
   * throws what {@link finished} rejects with. Updates are kept from the first time this property is read. `break` does not
   * cancel anything.
   */
  readonly updates: AsyncIterable<ReceivedUpdateOf<C>>;
  /**
   * The agent's answer: the id of the user's message, which has got its place in the conversation. It may arrive long before the
   * work begins, or while updates of the work wait for their handlers. A rejection never counts as unhandled.
   *
   * @throws {RequestError} the agent has refused the prompt, or cancelled it (`-32800`).
   * @throws {TimeoutError} the agent did not answer within `cancelGrace` of a cancel (phase `cancel`).
   * @throws what {@link Peer.request} throws.
   */
  readonly accepted: Promise<PromptResponseOf<A>>;
  /**
   * The idle state that finished it, with the stop reason, once the handlers of this update and of all before it are done.
   * Work that has failed does not reject: its stop reason is `error`. A rejection never counts as unhandled.
   *
   * If the prompt was cancelled before the agent accepted it, or if the session was closed, the client makes this state: it has
   * only the stop reason `cancelled`.
   *
   * Do not await it, or a loop over {@link updates}, in a `session/update` handler of the same session: it waits for that
   * handler. Await {@link close} there.
   *
   * @throws {TimeoutError} the agent did not become idle within `cancelGrace` of a cancel (phase `cancel`).
   * @throws {ConnectionClosedError} the connection ended first.
   * @throws an `AbortError`, if the session was opened again meanwhile.
   * @throws what {@link accepted} rejects with, if the prompt was not accepted, and not cancelled.
   */
  readonly finished: Promise<IdleStateOf<C>>;
  /**
   * Cancels the session's foreground work, for this prompt and for all that were sent before: sends `session/cancel`.
   * Background work goes on. Without effect once the turn is finished.
   */
  cancel(options?: MetaOptions): void;
  /**
   * Cancels it if it runs, and waits until the agent is idle, or has cancelled the prompt, but not for handlers. Never rejects.
   */
  close(): Promise<void>;
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
