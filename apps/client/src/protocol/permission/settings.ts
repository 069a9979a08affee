import type { PermissionRule } from "#runtime";

import { CommandLineError } from "../../cli/command-line-error.ts";
import type { ParsedOptions } from "../../cli/options.ts";
import type { permissionOptions } from "../../cli/shared-options.ts";
import type { PermissionPolicy } from "./policy.ts";
import { rulesOf } from "./rules.ts";

/** How permission requests are answered. */
export interface PermissionSettings {
  readonly permission: PermissionPolicy;
  /** What is allowed without asking. Any rule also makes the client check commands and files that the agent does not ask about. */
  readonly rules: readonly PermissionRule[];
}

/**
 * What the options say of permissions.
 *
 * @throws {CommandLineError} for options that exclude each other.
 */
export function permissionOf(
  values: ParsedOptions<typeof permissionOptions>["values"],
  cwd: string,
): PermissionSettings {
  const { "allow-read": read, "allow-edit": edit, "allow-command": commands, allow, yes } = values;
  if (commands.includes("")) throw new CommandLineError('--allow-command needs a command, such as "npm test"');
  const rules = rulesOf({ read, edit, commands, cwd });
  if (rules.length > 0 && (allow || yes)) {
    throw new CommandLineError(
      "--allow and --yes allow everything. Remove them, or remove --allow-read, --allow-edit and --allow-command",
    );
  }
  return { permission: yes ? "yes" : allow ? "allow" : "ask", rules };
}
