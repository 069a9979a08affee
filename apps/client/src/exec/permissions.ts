import type { PermissionRule } from "#runtime";

import type { Launch } from "../agents/launch.ts";
import { launchPermissions } from "../agents/launch-settings.ts";
import type { PermissionPolicy } from "../protocol/permission/options.ts";
import type { policies } from "./exec-spec.ts";

/** What the agent may do in a run. */
export interface ExecPermissions {
  /** How a request is answered that no rule decides: `ask` refuses, since nobody is there. */
  readonly answer: PermissionPolicy;
  readonly rules: readonly PermissionRule[];
  /** What needs a permission although the agent does not ask for it: reading in --cwd does not. */
  readonly gated: "nothing" | "changes";
}

/** The options about permissions. */
export interface PermissionValues {
  readonly policy: string | undefined;
  readonly "allow-read": readonly string[];
  readonly "allow-edit": readonly string[];
  readonly "allow-command": readonly string[];
}

/**
 * The permissions of the options; without any, those of the agent's configuration.
 *
 * @throws {CommandLineError} for options that exclude each other.
 */
export function permissionsOf(values: PermissionValues, launch: Launch, cwd: string): ExecPermissions {
  const { policy, ...rules } = values;
  const isExplicit = policy !== undefined;
  const { permissions: _, ...bare } = launch;
  const settings = launchPermissions(
    { ...rules, allow: policy === "all", yes: policy === "yes" },
    isExplicit ? bare : launch,
    cwd,
  );
  const answer = settings.permission;
  return {
    answer,
    rules: [...rulesOf(policy, cwd), ...settings.rules],
    gated: answer === "ask" ? "changes" : "nothing",
  };
}

type Policy = (typeof policies)[number];

function rulesOf(policy: string | undefined, cwd: string): readonly PermissionRule[] {
  const read: PermissionRule = { kind: ["read", "search"], then: "allow" };
  const rules: Partial<Record<Policy, readonly PermissionRule[]>> = {
    read: [read],
    edit: [read, { kind: ["read", "search", "edit"], within: cwd, then: "allow" }],
  };
  return rules[policy as Policy] ?? [];
}
