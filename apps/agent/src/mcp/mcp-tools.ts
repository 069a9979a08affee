import { type AnyTurn, reportedCall, type ToolOutput } from "@acp/ai";
import { sendNotice } from "@acp/core/agent";
import { sendNotice as sendNotice2 } from "@acp/core/v2/agent";
import type { ContentBlock } from "@acp/schema/v1";
import { type JSONValue, jsonSchema, type Tool, tool } from "ai";

import type { AgentTools } from "../tools/agent-tools.ts";
import { truncateText } from "../truncate-text.ts";
import type { McpResult, McpTool } from "./mcp-connection.ts";
import type { McpServer } from "./mcp-server.ts";
import type { McpServers } from "./mcp-servers.ts";
import { nameTools } from "./tool-names.ts";

/** How long a turn waits for servers that are still starting, in milliseconds. Their tools come with a later turn then. */
const startGrace = 10_000;

/** How much text of a result the model gets, in characters. */
const maxTextLength = 100_000;

/**
 * The tools of a session's MCP servers, for the model. Each call needs the user's permission like a command: what a server
 * says of its tools is no promise. A tool that claims to change nothing can be called in the mode `plan`, too.
 */
export async function createMcpTools(
  servers: McpServers,
  turn: AnyTurn,
  { takesImages }: { readonly takesImages: () => boolean },
): Promise<AgentTools> {
  await tellReports(servers, turn);
  const connected = await servers.connected(AbortSignal.any([turn.signal, AbortSignal.timeout(startGrace)]));
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

/** Tells the user what has happened to the servers: by a notice, or by a thought if the client shows no notices. */
async function tellReports(servers: McpServers, turn: AnyTurn): Promise<void> {
  for (const title of servers.takeReports()) {
    const notice = { severity: "warning", title } as const;
    // Only turns of version 2 ask for permissions themselves; its clients all show notices.
    if ("requestPermission" in turn) await sendNotice2(turn, notice);
    else if (!(await sendNotice(turn, notice))) await turn.thought(`${title}\n`);
  }
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
      try {
        const result = await server.call(name, input, {
          signal: abortSignal ?? turn.signal,
          // A client that has gone needs no progress.
          onProgress: (progress) => void call.update({ content: progress }).catch(() => {}),
        });
        if (result.structured !== undefined) await call.update({ rawOutput: result.structured });
        return result;
      } finally {
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
  const text = (content as readonly ContentBlock[]).map(describeBlock).join("\n");
  return text.length > maxTextLength ? `${truncateText(text, maxTextLength)}\n[The rest was left out.]` : text;
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
