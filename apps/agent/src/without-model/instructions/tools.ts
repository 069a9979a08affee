import type { McpTool } from "../../mcp/mcp-connection.ts";
import type { Instruction } from "./instruction.ts";

export const tools: Instruction = {
  name: "tools",
  summary: "List the tools of the MCP servers of this session",
  async run(_, task) {
    const { mcp } = task.session.state;
    const lines = (await mcp.connections()).flatMap(({ server, tools: all }) =>
      all.length === 0 ? [`- ${server} has no tools`] : all.map((tool) => describe(tool, server)),
    );
    for (const { server, reason } of await mcp.failures()) lines.push(`- ${server} could not be reached: ${reason}`);
    if (lines.length === 0) return task.say("This session has no MCP servers.");
    return task.say(`${lines.join("\n")}\n`);
  },
};

function describe({ name, description }: McpTool, server: string): string {
  return `- ${name} (${server})${description === undefined ? "" : `: ${description}`}`;
}
