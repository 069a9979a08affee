import type { PermissionOption } from "@acp/render";
import type { RequestPermissionResponse } from "@acp/schema/v1";

/** Who answers permission requests: the user, or this program for each time once, or for the whole session. */
export type PermissionPolicy = "ask" | "allow" | "yes";

/** The kinds of options that a policy prefers, in this order. */
const preferences: Readonly<Record<PermissionPolicy, readonly string[]>> = {
  // There is no user to ask.
  ask: ["reject_once", "reject_always"],
  allow: ["allow_once"],
  yes: ["allow_always", "allow_once"],
};

/** Chooses an option without asking; `undefined` if none fits. */
export function chooseOption(
  policy: PermissionPolicy,
  options: readonly PermissionOption[],
): PermissionOption | undefined {
  for (const kind of preferences[policy]) {
    const option = options.find((one) => one.kind === kind);
    if (option !== undefined) return option;
  }
  return undefined;
}

/** The answer that takes an option; without one, the request counts as cancelled. */
export function answerWith(option: Pick<PermissionOption, "optionId"> | undefined): RequestPermissionResponse {
  return {
    outcome: option === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: option.optionId },
  };
}

export function optionTaken<Option extends PermissionOption>(
  options: readonly Option[],
  { outcome }: RequestPermissionResponse,
): Option | undefined {
  return outcome.outcome === "selected" ? options.find(({ optionId }) => optionId === outcome.optionId) : undefined;
}
