import type { McpServerHttp, McpServerStdio } from "@acp/schema/v1/types";

/** An MCP server that the agent connects to. */
export type SessionServer =
  | ({ readonly type: "stdio" } & McpServerStdio)
  | ({ readonly type: "http" } & McpServerHttp)
  | ({ readonly type: "sse" } & McpServerHttp);

/** What each session gets besides its directory. */
export interface SessionSetup {
  readonly mcpServers: readonly SessionServer[];
  /** Absolute. */
  readonly additionalDirectories: readonly string[];
}

export const noSetup: SessionSetup = { mcpServers: [], additionalDirectories: [] };

/** What an agent takes of a setup. */
export interface SetupAbilities {
  readonly transports: readonly SessionServer["type"][];
  readonly directories: boolean;
}

/** The part of a setup that the agent takes, and a sentence about each other part. */
export interface FittedSetup {
  readonly setup: SessionSetup;
  readonly leftOut: readonly string[];
}

/** Leaves out what the agent has not advertised (MCP-04, SESS-22). */
export function fitSetup(
  { mcpServers, additionalDirectories }: SessionSetup,
  { transports, directories }: SetupAbilities,
): FittedSetup {
  const takes = ({ type }: SessionServer): boolean => transports.includes(type);
  const refused = mcpServers.filter((server) => !takes(server));
  return {
    setup: {
      mcpServers: mcpServers.filter(takes),
      additionalDirectories: directories ? additionalDirectories : [],
    },
    leftOut: [
      ...refused.map(
        ({ name, type }) => `The MCP server '${name}' is left out: the agent takes no servers over ${type}`,
      ),
      ...(directories || additionalDirectories.length === 0
        ? []
        : [`The agent works in one directory only. It does not get ${additionalDirectories.join(", ")}`]),
    ],
  };
}
