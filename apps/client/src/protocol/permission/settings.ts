import { resolve } from "node:path";

import type { PermissionRule } from "#runtime";

import { CommandLineError } from "../../cli/exit.ts";
import type { ParsedOptions } from "../../cli/options.ts";
import type { permissionOptions } from "../../cli/shared-options.ts";
import type { PermissionPolicy } from "./options.ts";

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

/** What the command line allows. */
export interface Allowances {
  readonly read: readonly string[];
  readonly edit: readonly string[];
  readonly commands: readonly string[];
  /** The directory in which commands may run; absolute. */
  readonly cwd: string;
}

/** The rules for `--allow-read`, `--allow-edit` and `--allow-command`. */
export function rulesOf({ read, edit, commands, cwd }: Allowances): readonly PermissionRule[] {
  const absolute = (paths: readonly string[]): string[] => paths.map((path) => resolve(path));
  return [
    ...absolute(read).map((within) => ({ kind: ["read", "search"], within, then: "allow" }) as const),
    ...absolute(edit).map((within) => ({ kind: ["read", "search", "edit"], within, then: "allow" }) as const),
    ...commands.flatMap((line): PermissionRule[] => [
      { line, within: cwd, then: "allow" },
      // Words without quotes or operators mean the same as a program with arguments.
      ...(/^[\w@+=:,./ -]+$/u.test(line) ? [{ command: splitWords(line), within: cwd, then: "allow" } as const] : []),
    ]),
  ];
}

function splitWords(line: string): string[] {
  return line.split(" ").filter((word) => word !== "");
}
