import type { AgentCapabilities, AuthMethod } from "@acp/schema/v1/types";

/** An agent's program. */
export interface HubProgram {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Variables on top of those of the process that starts it. */
  readonly env?: { readonly [name: string]: string } | undefined;
  /** The directory to start it in; absolute. Default: that of the process that starts it. */
  readonly cwd?: string | undefined;
}

/** An agent that a hub can start, and the name under which lists show its sessions. */
export interface NamedProgram extends HubProgram {
  readonly name: string;
}

/** What an agent says about itself before any session is open. */
export interface AgentFacts {
  /** What it calls itself. */
  readonly title: string;
  readonly capabilities: AgentCapabilities;
  readonly authMethods: readonly AuthMethod[];
}
