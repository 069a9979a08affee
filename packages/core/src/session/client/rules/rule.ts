import type { Abortable } from "../../../base/abort.ts";
import type { IncomingRequest } from "../../../rpc/incoming-requests.ts";
import type { OutgoingRequest } from "../../../rpc/outgoing-requests.ts";

/** A request of the agent on its way to its handler. */
export interface AgentRequest<S> {
  readonly request: IncomingRequest;
  /** Whether it asks the user something. */
  readonly isQuestion: boolean;
  /** The params for the handler. */
  readonly params: unknown;
  /** Found by the rule that admits requests. */
  session: S | undefined;
}

/** A call of this client on its way to the agent. */
export interface ClientCall<S> {
  readonly method: string;
  readonly params: unknown;
  /** The session that the call uses or opens. */
  readonly session: S | undefined;
  readonly signal: Abortable | undefined;
  /** Checks the call and sends it. */
  send(params: unknown): Promise<unknown>;
}

/**
 * One rule of a client: a file with its own state, which knows no other rule. `request` and `call` wrap what comes after them
 * in the list: they may answer, change the answer, or continue with `next`. Hooks are called without `this`.
 */
export interface ClientRule<S> {
  request?(asked: AgentRequest<S>, next: (asked: AgentRequest<S>) => unknown): unknown;
  call?(call: ClientCall<S>, next: (call: ClientCall<S>) => Promise<unknown>): Promise<unknown>;
  /** A tool call was reported in a session, as new or as changed. */
  toolCall?(session: S, update: object): void;
  /** The agent has answered a prompt of a session. */
  turnEnded?(session: S): void;
  /** Turns of a session are cancelled, or it ends. With `isConcerned`, only questions with such params are affected. */
  cancelled?(sessionId: string, isConcerned?: (params: unknown) => boolean): void;
  /** The client no longer waits for the answer to a call. */
  abandoned?(call: OutgoingRequest): void;
  /** The connection has ended. */
  ended?(reason: unknown): void;
}

type Hook = Exclude<keyof ClientRule<unknown>, "request" | "call">;

/** The rules of a connection in order, compiled once. */
export interface RuleList<S> extends Required<Pick<ClientRule<S>, Hook>> {
  request(asked: AgentRequest<S>): unknown;
  /** `undefined` if no rule wraps calls. Then they are sent directly, which keeps the caller in the ten frames of a stack. */
  readonly call: ((call: ClientCall<S>) => Promise<unknown>) | undefined;
}

/** @param onFailure Receives the error of a hook; the next rule runs all the same. */
export function createRuleList<S>(
  rules: readonly ClientRule<S>[],
  handle: (asked: AgentRequest<S>) => unknown,
  onFailure: (error: unknown) => void,
): RuleList<S> {
  const each =
    <K extends Hook>(hook: K) =>
    (...args: Parameters<RuleList<S>[K]>): void => {
      for (const rule of rules) {
        try {
          (rule[hook] as ((...args: unknown[]) => void) | undefined)?.(...args);
        } catch (error) {
          onFailure(error);
        }
      }
    };
  const calls = rules.flatMap(({ call }) => call ?? []);
  return {
    request: chain(
      rules.flatMap(({ request }) => request ?? []),
      handle,
    ),
    call: calls.length === 0 ? undefined : chain(calls, (call) => call.send(call.params)),
    toolCall: each("toolCall"),
    turnEnded: each("turnEnded"),
    cancelled: each("cancelled"),
    abandoned: each("abandoned"),
    ended: each("ended"),
  };
}

/** Joins all rules into one function. The wrapped request travels as an argument, so a message costs no closure. */
function chain<T, R>(
  around: readonly ((subject: T, next: (subject: T) => R) => R)[],
  last: (subject: T) => R,
): (subject: T) => R {
  return around.reduceRight<(subject: T) => R>((next, rule) => (subject: T) => rule(subject, next), last);
}

/** Of a connection whose rules are not made yet. */
export const noRules: RuleList<unknown> = /* @__PURE__ */ createRuleList<unknown>(
  [],
  () => undefined,
  () => {},
);
