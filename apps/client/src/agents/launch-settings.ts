import { type Framing, contentLength, ndjson } from "@acp/framing";

import type { ParsedOptions } from "../cli/options.ts";
import type { agentOptions, permissionOptions } from "../cli/shared-options.ts";
import { permissionOf, type PermissionSettings } from "../protocol/permission/settings.ts";
import type { Launch, LaunchPermissions } from "./launch.ts";

type AgentValues = Pick<ParsedOptions<typeof agentOptions>["values"], "framing" | "protocol" | "login">;
type PermissionValues = ParsedOptions<typeof permissionOptions>["values"];

/** How to start an agent and how to talk to it. */
export interface LaunchSettings {
  /** What to start: options of `spawnAgent`. */
  readonly agent: Pick<Launch, "command" | "args" | "env" | "cwd">;
  readonly framing: Framing;
  /** The newest protocol version to offer. */
  readonly protocol: 1 | 2;
  /** The login method to call first. */
  readonly login: string | undefined;
}

/** Joins an agent's configuration with the command line, which comes first. */
export function launchSettings(values: AgentValues, launch: Launch): LaunchSettings {
  const { command, args, env, cwd } = launch;
  return {
    agent: { command, args, ...(env === undefined ? {} : { env }), ...(cwd === undefined ? {} : { cwd }) },
    framing: framingOf(values.framing ?? launch.framing),
    protocol: values.protocol === undefined ? (launch.protocol ?? 1) : values.protocol === "2" ? 2 : 1,
    login: values.login ?? launch.login,
  };
}

/** The permissions of the command line; without any, those of the agent's configuration. */
export function launchPermissions(values: PermissionValues, launch: Launch, cwd: string): PermissionSettings {
  const { permissions } = launch;
  const ofCommandLine = permissionOf(values, cwd);
  const isSilent = ofCommandLine.permission === "ask" && ofCommandLine.rules.length === 0;
  return isSilent && permissions !== undefined ? permissionOf(valuesOf(permissions), cwd) : ofCommandLine;
}

/** A policy that allows everything needs no rules. */
function valuesOf({ policy, allowRead = [], allowEdit = [], allowCommand = [] }: LaunchPermissions): PermissionValues {
  const isOpen = policy === "allow" || policy === "yes";
  return {
    allow: policy === "allow",
    yes: policy === "yes",
    "allow-read": isOpen ? [] : allowRead,
    "allow-edit": isOpen ? [] : allowEdit,
    "allow-command": isOpen ? [] : allowCommand,
  };
}

/** The framing of this name. Default: ndjson. */
export function framingOf(name: string | undefined): Framing {
  return name === contentLength.name ? contentLength : ndjson;
}
