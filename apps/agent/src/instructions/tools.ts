import type { Instruction } from "./instruction.ts";

export const tools: Instruction = {
  name: "tools",
  summary: "List the tools of the MCP servers of this session",
  async run(_, task) {
    const { mcp } = task.session.state;
    const lines = (await mcp.tools()).map(({ server, name, description }) => {
      const about = description === undefined ? "" : `: ${description}`;
      return `- ${name} (${server})${about}`;
    });
    for (const { server, reason } of await mcp.failures()) lines.push(`- ${server} could not be reached: ${reason}`);
    if (lines.length === 0) return task.say("This session has no MCP servers.");
    return task.say(`${lines.join("\n")}\n`);
  },
};
