import type { ContentBlock } from "@acp/schema/v1";

import { reportFailure } from "../tools/report-failure.ts";
import type { Instruction } from "./instruction.ts";

export const call: Instruction = {
  name: "call",
  hint: "tool {arguments}",
  summary: "Call a tool of an MCP server, with its arguments as JSON",
  async run(argument, task) {
    const [, name, json] = /^(\S+)\s*([\s\S]*)$/u.exec(argument) ?? [];
    if (name === undefined) return task.say('Tell me which tool, and with what: call echo {"text":"hi"}');
    const args = parseArguments(json ?? "");
    if (args === undefined) return task.say("The arguments have to be a JSON object.");
    const servers = await task.session.state.mcp.connected(task.signal);
    const server = servers.find(({ tools }) => tools.some((tool) => tool.name === name));
    if (server === undefined) return task.say(`No MCP server has a tool ${name}. Say "tools" to list them.`);
    // Needs no permission: the user wrote the call.
    const report = await task.toolCall({ title: `Call ${name}`, name, kind: "other", rawInput: args });
    try {
      const { content, isError, structured } = await server.call(name, args, { signal: task.signal });
      await report.update({
        status: isError ? "failed" : "completed",
        content: toToolOutput(content),
        ...(structured === undefined ? {} : { rawOutput: structured }),
      });
      return task.say(isError ? "The tool failed." : "Done.");
    } catch (error) {
      await reportFailure(task, report, error);
      return task.say("I could not call the tool.");
    }
  },
};

/** Parses a JSON object; empty text means no arguments. Returns `undefined` for anything else. */
function parseArguments(json: string): Record<string, unknown> | undefined {
  if (json === "") return {};
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Content of MCP needs no conversion: ACP has the same types of content (CONT-02). */
function toToolOutput(content: readonly { readonly type: string }[]): ContentBlock[] {
  return content as ContentBlock[];
}
