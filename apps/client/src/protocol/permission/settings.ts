import { resolve } from "node:path";

import type { PermissionRule } from "#runtime";

import { CommandLineError } from "../../cli/exit.ts";
import type { ParsedOptions } from "../../cli/options.ts";
import type { permissionOptions, policies } from "../../cli/shared-options.ts";
import type { PermissionPolicy } from "./options.ts";

export interface PermissionSettings {
  /** Who answers what no rule decides. `ask`: the user; where nobody is there, it is refused. */
  readonly permission: PermissionPolicy;
  /** What is allowed without asking. */
  readonly rules: readonly PermissionRule[];
  /**
   * Which commands and files that the agent does not ask about need a permission: none, all, or what changes something, since
   * it can read the directory of its session anyway.
   */
  readonly gated: "nothing" | "changes" | "all";
  /** What permits something, as it was written: `--allow-read, --policy edit`. */
  readonly by: string;
}

type Policy = (typeof policies)[number];
type PermissionValues = Omit<ParsedOptions<typeof permissionOptions>["values"], "policy"> & {
  readonly policy?: string | undefined;
};

/** What a configuration says of permissions, with the words of the options. Paths are absolute. */
export interface ConfiguredPermissions {
  readonly policy?: Policy;
  readonly allowRead?: readonly string[];
  readonly allowEdit?: readonly string[];
  readonly allowCommand?: readonly string[];
}

export interface PermissionPlace {
  /** The directory in which commands may run; absolute. */
  readonly cwd: string;
  /** What the session may use besides it; absolute. */
  readonly folders?: readonly string[];
  /** Whether a user may be there to answer. */
  readonly isAttended?: boolean;
}

/** What is allowed, and how each part is called where it was written. */
interface Wanted {
  readonly policy: Policy;
  readonly policyName: string | undefined;
  readonly allowed: readonly (readonly [name: string, values: readonly string[], kind: "read" | "edit" | "command"])[];
}

/**
 * What the options say of permissions; if they are silent, the configuration.
 *
 * @throws {CommandLineError} for options that exclude each other.
 */
export function permissionsOf(
  values: PermissionValues,
  { cwd, folders = [], isAttended = true }: PermissionPlace,
  configured?: ConfiguredPermissions,
): PermissionSettings {
  const typed = ofOptions(values);
  const isSilent = typed.policyName === undefined && typed.allowed.length === 0;
  const { policy, policyName, allowed } = isSilent && configured !== undefined ? ofConfig(configured) : typed;
  const names = [...(policyName === undefined ? [] : [policyName]), ...allowed.map(([name]) => name)];
  const permission = policy === "yes" ? "yes" : policy === "all" || policy === "allow" ? "allow" : "ask";
  if (permission !== "ask") return { permission, rules: [], gated: "nothing", by: policyName ?? "" };
  const gated = !isAttended ? "changes" : allowed.length > 0 ? "all" : policyName === undefined ? "nothing" : "changes";
  const rules = allowed.flatMap(([, lines, kind]) => rulesOf(kind, lines, cwd));
  return { permission, rules: [...rulesOfPolicy(policy, [cwd, ...folders]), ...rules], gated, by: names.join(", ") };
}

function ofOptions(values: PermissionValues): Wanted {
  const { policy, allow, yes } = values;
  const policies = [
    ...(policy === undefined ? [] : [`--policy ${policy}`]),
    ...(allow ? ["--allow"] : []),
    ...(yes ? ["--yes"] : []),
  ];
  if (policies.length > 1) throw new CommandLineError(`${policies.join(" and ")} cannot be combined. Use one of them`);
  if (values["allow-command"].includes(""))
    throw new CommandLineError('--allow-command needs a command, such as "npm test"');
  const [policyName] = policies;
  const wanted = {
    policy: yes ? "yes" : allow ? "all" : ((policy ?? "ask") as Policy),
    policyName,
    allowed: (["read", "edit", "command"] as const)
      .map((kind) => [`--allow-${kind}`, values[`allow-${kind}`], kind] as const)
      .filter(([, given]) => given.length > 0),
  };
  if (wanted.allowed.length > 0 && ["all", "allow", "yes"].includes(wanted.policy)) {
    const rules = wanted.allowed.map(([name]) => name).join(", ");
    throw new CommandLineError(`${policyName} allows everything. Remove it, or remove ${rules}`);
  }
  return wanted;
}

function ofConfig({ policy, allowRead = [], allowEdit = [], allowCommand = [] }: ConfiguredPermissions): Wanted {
  const allowed = [
    ["allowRead", allowRead, "read"],
    ["allowEdit", allowEdit, "edit"],
    ["allowCommand", allowCommand, "command"],
  ] as const;
  return {
    policy: policy ?? "ask",
    policyName: policy === undefined ? undefined : `policy ${policy}`,
    allowed: allowed.filter(([, given]) => given.length > 0),
  };
}

function rulesOfPolicy(policy: Policy, within: readonly string[]): readonly PermissionRule[] {
  const read: PermissionRule = { kind: ["read", "search"], then: "allow" };
  if (policy === "read") return [read];
  return policy === "edit" ? [read, { kind: ["read", "search", "edit"], within, then: "allow" }] : [];
}

function rulesOf(kind: "read" | "edit" | "command", values: readonly string[], cwd: string): PermissionRule[] {
  if (kind !== "command") {
    const kinds = kind === "read" ? (["read", "search"] as const) : (["read", "search", "edit"] as const);
    return values.map((path) => ({ kind: kinds, within: resolve(path), then: "allow" }));
  }
  return values.flatMap((line): PermissionRule[] => [
    { line, within: cwd, then: "allow" },
    // Words without quotes or operators mean the same as a program with arguments.
    ...(/^[\w@+=:,./ -]+$/u.test(line) ? [{ command: splitWords(line), within: cwd, then: "allow" } as const] : []),
  ]);
}

function splitWords(line: string): string[] {
  return line.split(" ").filter((word) => word !== "");
}
