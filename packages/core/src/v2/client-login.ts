import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2/types";
import { CapabilityError, UsageError } from "../base/errors.ts";
import type { GateMode } from "../session/rules/call-rules.ts";
import type { ChooseLogin as ChooseLoginOf, LoginRequest as LoginRequestOf } from "../session/client/client-login.ts";
import { quoteValues } from "../session/rules/arguments.ts";

/** A call that the agent refused until somebody logs in: what to show when you ask the user how. */
export type LoginRequest = LoginRequestOf<Received.AuthMethod, Received.Implementation>;

/** Chooses a way to log in: the `methodId` of one that takes no terminal, or `undefined` or `null` to give up. */
export type ChooseLogin = ChooseLoginOf<LoginRequest>;

/**
 * Refuses a login by `auth/login` that takes a terminal, and one that was not offered, which a client that diagnoses sends
 * all the same.
 *
 * @throws {CapabilityError | UsageError}
 */
export function checkLoginMethod(methodId: unknown, offered: readonly Received.AuthMethod[], gate: GateMode): void {
  const method = offered.find((one) => idOf(one) === methodId);
  const isEnforced = gate === "enforce";
  if (method === undefined ? !isEnforced : method.type !== "terminal") return;
  const problem = method === undefined ? "is no login method that the agent advertised" : "takes a terminal";
  const usable = offered.filter(({ type }) => type !== "terminal").map(idOf);
  const message = `auth/login: ${quoteValues([methodId])} ${problem}; those it takes: ${quoteValues(usable)}`;
  throw isEnforced
    ? new CapabilityError("auth/login", "a login method of type agent", message)
    : new UsageError(message);
}

/** One of a type that is not known here has an id as well. */
function idOf(method: Received.AuthMethod): unknown {
  return method.type === unknownVariant ? method.received["methodId"] : method.methodId;
}
