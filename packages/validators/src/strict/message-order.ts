import type { Violations } from "./message-checks.ts";
import type { Params } from "./params.ts";

/**
 * The rules of one version of the protocol about which message may follow which; one of these watches one connection. A
 * message that was refused must not be told.
 */
export interface MessageOrder {
  /** What is wrong with a message that the agent sends now. Does not take note of it. */
  check(method: string, params: Params): Violations;
  /** The same for a message of the client. */
  checkClient?(method: string, params: Params): Violations;
  /** The same for a result. `params` are those of the request, the very object that was told. */
  checkResult?(method: string, params: Params): Violations;
  /** A message of the agent is on its way. */
  sentByAgent(method: string, params: Params): void;
  /** A message of the client is on its way. */
  askedByClient(method: string, params: Params): void;
  /** A request was answered, by whichever side; `result` is `undefined` for an error. */
  answered(method: string, params: Params, result: unknown): void;
}
