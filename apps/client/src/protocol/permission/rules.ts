import { resolve } from "node:path";

import type { PermissionRule } from "#runtime";

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
