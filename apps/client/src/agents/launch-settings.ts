import { type Framing, contentLength, ndjson } from "@acp/framing";

import type { ParsedOptions } from "../cli/options.ts";
import type { agentOptions } from "../cli/shared-options.ts";
import type { SessionSetup } from "../protocol/session-setup.ts";
import type { Launch } from "./launch.ts";

type AgentValues = Partial<Pick<ParsedOptions<typeof agentOptions>["values"], "framing" | "protocol" | "login">>;

export interface LaunchSettings {
  /** What to start: options of `spawnAgent`. */
  readonly agent: Pick<Launch, "command" | "args" | "env" | "cwd">;
  readonly framing: Framing;
  /** The newest protocol version to offer. */
  readonly protocol: 1 | 2;
  /** The login method to call first. */
  readonly login: string | undefined;
  /** What each session gets besides its directory. Default: nothing. */
  readonly setup?: SessionSetup;
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

export function framingOf(name: string | undefined): Framing {
  return name === contentLength.name ? contentLength : ndjson;
}
