import { CapabilityError, type RequestError, UsageError } from "../../base/errors.ts";
import type { Awaitable } from "../../rpc/methods.ts";
import type { GateMode } from "../rules/call-rules.ts";
import { quoteValues } from "../../base/quote-values.ts";
import type { AgentFacts, LoginMethod } from "./client-dialect.ts";

/**
 * A call that the agent refused until the user logs in. It has what you need to ask the user for a login method.
 * `Method` and `Info` are the protocol's types of a login method and of an agent's name and version.
 */
export interface LoginRequest<out Method, out Info> {
  /** The agent's name and version, if it sent them. */
  readonly agent: Info | undefined;
  /**
   * All login methods that the agent offers, including those of type `terminal`, which cannot be chosen here. A method
   * of an unknown type has `unknownVariant` as its `type`, and the original entry in `received`: show its name and
   * description.
   */
  readonly methods: readonly Method[];
  /** The method that the agent refused, such as `session/new`. */
  readonly method: string;
  /** The agent's error, with the code `-32000`. */
  readonly error: RequestError;
  /** Aborts when the agent is gone, or when all calls that wait for the login are cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Chooses a login method. Returns the id of an offered method that is not of type `terminal` (AUTH-06), or `undefined`
 * or `null` to cancel.
 */
export type ChooseLogin<Request> = (request: Request) => Awaitable<string | null | undefined>;

/** How a client asks the user to log in. */
export type LoginOf<Facts extends AgentFacts> = ChooseLogin<
  LoginRequest<Facts["authMethods"][number], NonNullable<Facts["info"]>>
>;

/**
 * Checks a login before it is sent by `call`.
 *
 * @throws {CapabilityError | UsageError} for a method that takes a terminal (AUTH-06), and, unless the mode is to diagnose,
 * for one that was not offered (AUTH-05).
 */
export function checkLoginMethod<Method extends LoginMethod>(
  call: string,
  methodId: unknown,
  offered: readonly Method[],
  readId: (method: Method) => unknown,
  gate: GateMode,
): void {
  const method = offered.find((one) => readId(one) === methodId);
  const isEnforced = gate === "enforce";
  if (method === undefined ? !isEnforced : method.type !== "terminal") return;
  const problem = method === undefined ? "is no login method that the agent advertised" : "takes a terminal";
  const usable = offered.filter(({ type }) => type !== "terminal").map(readId);
  const message = `${call}: ${quoteValues([methodId])} ${problem}; those it takes: ${quoteValues(usable)}`;
  throw isEnforced ? new CapabilityError(call, "a login method of type agent", message) : new UsageError(message);
}
