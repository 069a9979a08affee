import { type AnyTurn, reportedCall, tellUser, type ToolOutput } from "@acp/ai";
import type { ContentBlock } from "@acp/schema/v1";
import { type JSONValue, jsonSchema, type Tool, tool } from "ai";

import type { AgentTools } from "../tools/agent-tools.ts";
import type { McpResult } from "./bound-result.ts";
import type { McpTool } from "./mcp-connection.ts";
import type { McpServer } from "./mcp-server.ts";
import type { McpServers } from "./mcp-servers.ts";
import { SlowProgress } from "./slow-progress.ts";
import { nameTools } from "./tool-names.ts";

/** How long a turn waits for servers that are still starting, in milliseconds. Their tools come with a later turn then. */
const startGrace = 10_000;

/** How long it waits before it says so, in milliseconds. */
const quietGrace = 1_500;

/**
 * The tools of a session's MCP servers, for the model. Each call needs the user's permission like a command: what a server
 * says of its tools is no promise. A tool that claims to change nothing can be called in the mode `plan`, too.
 */
export async function createMcpTools(
  servers: McpServers,
  turn: AnyTurn,
  { takesImages }: { readonly takesImages: () => boolean },
): Promise<AgentTools> {
  const connected = await waitForServers(servers, turn);
  await tellReports(servers, turn);
  const all = connected.flatMap((server) => server.tools.map((mcpTool) => ({ server, mcpTool })));
  const names = nameTools(all.map(({ server, mcpTool }) => ({ server: server.name, tool: mcpTool.name })));
  const named = all.map((each, index) => [names[index] ?? "", each] as const);
  return {
    tools: Object.fromEntries(
      named.map(([name, { server, mcpTool }]) => [name, createTool(server, mcpTool, { servers, turn, takesImages })]),
    ),
    access: Object.fromEntries(
      named.map(([name, { mcpTool }]) => [name, { access: mcpTool.isReadOnly ? "fetch" : "execute" }]),
    ),
    show: (name) => {
      const found = named.find(([each]) => each === name)?.[1];
      if (found === undefined) return undefined;
      const { server, mcpTool } = found;
      return {
        kind: mcpTool.isReadOnly ? "read" : "other",
        title: `${server.name}: ${mcpTool.title ?? mcpTool.name}`,
        output: (result) => shownContent(result as McpResult),
        isFailure: (result) => (result as McpResult).isError,
        // Structured results are shown by `execute`; anything else is content.
        rawOutput: false,
      };
    },
  };
}

/** Tells the user what has happened to the servers. */
async function tellReports(servers: McpServers, turn: AnyTurn): Promise<void> {
  for (const title of servers.takeReports()) await tellUser(turn, { severity: "warning", title });
}

/** Waits for servers that are still starting, and says so if it takes long. */
async function waitForServers(servers: McpServers, turn: AnyTurn): Promise<readonly McpServer[]> {
  const soon = AbortSignal.any([turn.signal, AbortSignal.timeout(quietGrace)]);
  const late = (await servers.starting(soon)).map(({ name }) => name).join(", ");
  if (late === "" || turn.signal.aborted) return await servers.connected(soon);
  await tellUser(turn, { severity: "info", title: `Waiting for MCP servers that are starting: ${late}.` });
  const signal = AbortSignal.any([turn.signal, AbortSignal.timeout(startGrace - quietGrace)]);
  const missing = (await servers.starting(signal)).map(({ name }) => name).join(", ");
  if (missing !== "" && !turn.signal.aborted) {
    const title = `These MCP servers have not started after ${startGrace / 1000} seconds: ${missing}.`;
    await tellUser(turn, { severity: "warning", title, description: "Their tools come with a later prompt." });
  }
  return await servers.connected(AbortSignal.abort());
}

interface ToolContext {
  readonly servers: McpServers;
  readonly turn: AnyTurn;
  readonly takesImages: () => boolean;
}

function createTool(
  server: McpServer,
  { name, description, inputSchema }: McpTool,
  { servers, turn, takesImages }: ToolContext,
): Tool {
  return tool({
    description: description ?? `${name}, a tool of the MCP server ${server.name}`,
    inputSchema: jsonSchema<Record<string, unknown>>(inputSchema),
    execute: async (input, { toolCallId, abortSignal }) => {
      const call = await reportedCall(turn, toolCallId);
      // A client that has gone needs no progress.
      const progress = new SlowProgress((content) => void call.update({ content }).catch(() => {}));
      try {
        const result = await server.call(name, input, {
          signal: abortSignal ?? turn.signal,
          onProgress: (text) => progress.set(text),
        });
        if (result.structured !== undefined) await call.update({ rawOutput: result.structured });
        return result;
      } finally {
        progress.end();
        if (!turn.signal.aborted) await tellReports(servers, turn);
      }
    },
    toModelOutput: ({ output }) => toModelOutput(output, takesImages()),
  });
}

/** Content of MCP needs no conversion: ACP has the same types of content (CONT-02). */
function shownContent({ content }: McpResult): ToolOutput {
  return content as readonly ContentBlock[];
}

type ModelOutput = Awaited<ReturnType<NonNullable<Tool["toModelOutput"]>>>;

function toModelOutput({ content, isError, structured }: McpResult, takesImages: boolean): ModelOutput {
  if (isError) return { type: "error-text", value: textOf(content) || "The tool has failed." };
  // By the protocol of MCP, such a result is in the content as text, too.
  if (content.length === 0 && structured !== undefined) return { type: "json", value: structured as JSONValue };
  return {
    type: "content",
    value: content.map((block) => {
      const { type, data, mimeType } = block as { type: string; data?: string; mimeType?: string };
      return takesImages && type === "image" && data !== undefined && mimeType !== undefined
        ? { type: "file", data: { type: "data", data }, mediaType: mimeType }
        : { type: "text", text: textOf([block]) };
    }),
  };
}

/** What a model that reads text gets of content: its text, and a sentence for what is none. */
function textOf(content: readonly { readonly type: string }[]): string {
  return (content as readonly ContentBlock[]).map(describeBlock).join("\n");
}

function describeBlock(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource_link":
      return `[${block.name}](${block.uri})`;
    case "resource":
      return "text" in block.resource ? block.resource.text : `[${block.resource.uri}: not a text]`;
    default:
      return `[${block.type}]`;
  }
}
