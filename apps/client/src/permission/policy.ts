import type { PermissionOption } from "./question.ts";

/** Who answers when the agent asks for permission: the user, or one of the options `--allow` and `--yes`. */
export type PermissionPolicy = "ask" | "allow" | "yes";

/** The kinds of options a policy looks for, in this order. */
const preferences: Readonly<Record<PermissionPolicy, readonly string[]>> = {
  // Nobody is there to be asked.
  ask: ["reject_once", "reject_always"],
  allow: ["allow_once"],
  yes: ["allow_always", "allow_once"],
};

/** The option to choose without asking; `undefined` if nothing fits. */
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
