import type { McpTool } from "../../mcp/mcp-connection.ts";
import type { McpServer } from "../../mcp/mcp-server.ts";
import type { Instruction } from "./instruction.ts";

export const tools: Instruction = {
  name: "tools",
  summary: "List the tools of the MCP servers of this session",
  async run(_, task) {
    const { mcp } = task.session.state;
    await mcp.connected(task.signal);
    const isReached = ({ failure }: McpServer): boolean => failure === undefined;
    const lines = mcp.all
      .filter(isReached)
      .flatMap(({ name, tools: all }) =>
        all.length === 0 ? [`- ${name} has no tools`] : all.map((tool) => describe(tool, name)),
      );
    for (const { name, failure } of mcp.all) {
      if (failure !== undefined) lines.push(`- ${name} could not be reached: ${failure}`);
    }
    if (lines.length === 0) return task.say("This session has no MCP servers.");
    return task.say(`${lines.join("\n")}\n`);
  },
};

function describe({ name, description }: McpTool, server: string): string {
  return `- ${name} (${server})${description === undefined ? "" : `: ${description}`}`;
}
