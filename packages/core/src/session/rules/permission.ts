import type { ArgumentProblem } from "./arguments.ts";
import { checkAmong, idsOf } from "./choices.ts";
import { isObject } from "../../base/values.ts";

/** Finds the problem of a permission answer. An option that nobody offered must not count as approval (PERM-05). */
export function checkOutcome(params: unknown, result: unknown): ArgumentProblem | undefined {
  const { options } = params as { readonly options: readonly unknown[] };
  // A handler in JavaScript may return anything.
  const { outcome } = (result ?? {}) as { readonly outcome?: unknown };
  if (!isObject(outcome)) {
    return {
      path: ["result", "outcome"],
      reason: "expected { outcome, optionId }, or { outcome: 'cancelled' }",
      rule: "PERM-04",
    };
  }
  if (outcome["outcome"] !== "selected") return undefined;
  const path = ["result", "outcome", "optionId"];
  const reason = "is none of the options that were offered";
  return checkAmong(path, outcome["optionId"], idsOf(options, "optionId"), "PERM-05", reason);
}

/** The client answers this to the questions of a cancelled turn (PERM-07). */
export const cancelledOutcome: { readonly outcome: { readonly outcome: "cancelled" } } = {
  outcome: { outcome: "cancelled" },
};

/** The answer of a client without a handler to ask the user: the first option that rejects, else `cancelled` (PERM-06). */
export function chooseRejection(params: unknown): object {
  const { options } = params as { readonly options: readonly { readonly optionId: string; readonly kind: string }[] };
  const reject =
    options.find(({ kind }) => kind === "reject_once") ?? options.find(({ kind }) => kind === "reject_always");
  return reject === undefined ? cancelledOutcome : { outcome: { outcome: "selected", optionId: reject.optionId } };
}
