import type { Violations } from "./message-checks.ts";
import type { Params } from "./params.ts";

/**
 * The rules of one version of the protocol about the order of messages, for one connection. Do not pass it messages that
 * were refused.
 */
export interface MessageOrder {
  /** Finds what is wrong with a new message of the agent. Does not record it. */
  check(method: string, params: Params): Violations;
  /** The same for a message of the client. */
  checkClient?(method: string, params: Params): Violations;
  /** The same for a result. `params` are those of the request, the very object that was recorded. */
  checkResult?(method: string, params: Params): Violations;
  /** A message of the agent was sent. */
  sentByAgent(method: string, params: Params): void;
  /** A message of the client was sent. */
  askedByClient(method: string, params: Params): void;
  /** A request was answered, by either side; `result` is `undefined` for an error. */
  answered(method: string, params: Params, result: unknown): void;
}
