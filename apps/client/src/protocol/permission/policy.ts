import type { PermissionOption } from "./question.ts";

/** Who answers permission requests: the user, or the option `--allow` or `--yes`. */
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
