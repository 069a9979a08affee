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

/** The part of a setup that an agent takes, and a sentence about each other part. */
interface FittedSetup {
  readonly mcpServers: readonly SessionServer[];
  readonly directories: { readonly additionalDirectories?: string[] };
  readonly leftOut: readonly string[];
}

/** Leaves out what the agent has not advertised (MCP-04, SESS-22). */
export function fitSetup(
  { mcpServers, additionalDirectories: wanted }: SessionSetup,
  has: { readonly transports: readonly SessionServer["type"][]; readonly directories: boolean },
): FittedSetup {
  const takes = ({ type }: SessionServer): boolean => has.transports.includes(type);
  const leftOut = mcpServers
    .filter((server) => !takes(server))
    .map(({ name, type }) => `The MCP server '${name}' is left out: the agent takes no servers over ${type}`);
  if (!has.directories && wanted.length > 0)
    leftOut.push(`The agent works in one directory only. It does not get ${wanted.join(", ")}`);
  const directories = has.directories && wanted.length > 0 ? { additionalDirectories: [...wanted] } : {};
  return { mcpServers: mcpServers.filter(takes), directories, leftOut };
}
