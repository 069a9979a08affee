import { ProtocolError } from "../errors.ts";

/**
 * Refuses a permission answer that names an option nobody offered: it must not count as approval (PERM-05).
 *
 * @throws {ProtocolError}
 */
export function checkOutcome(params: unknown, result: unknown): void {
  const { options } = params as { readonly options: readonly { readonly optionId: string }[] };
  const { outcome } = result as { readonly outcome: { readonly outcome: string; readonly optionId?: string } };
  if (outcome.outcome !== "selected" || options.some(({ optionId }) => optionId === outcome.optionId)) return;
  const path = ["result", "outcome", "optionId"];
  throw new ProtocolError("session/request_permission", path, "is none of the options that were offered");
}

/** The answer of a client whose turn is cancelled (PERM-07). */
export const cancelledOutcome: { readonly outcome: { readonly outcome: "cancelled" } } = {
  outcome: { outcome: "cancelled" },
};

/** The answer of a client that has nobody to ask: the first option that rejects, else none (PERM-06). */
export function rejectionOf(params: unknown): object {
  const { options } = params as { readonly options: readonly { readonly optionId: string; readonly kind: string }[] };
  const reject =
    options.find(({ kind }) => kind === "reject_once") ?? options.find(({ kind }) => kind === "reject_always");
  return reject === undefined ? cancelledOutcome : { outcome: { outcome: "selected", optionId: reject.optionId } };
}
