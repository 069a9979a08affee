import type { McpFetch } from "@acp/mcp";
import { describeError } from "@acp/core/internal";
import { textIn } from "../values.ts";
import type { CallerOutput, CallerTools } from "./caller-tools.ts";

/** The name of the MCP server with the tools of the caller, as agents show it. */
export const serverName = "app";

/** An MCP server over HTTP with the tools of a conversation. */
export async function serveTools(tools: CallerTools): Promise<McpFetch> {
  // Loaded by those alone who give an agent tools.
  const { createMcpHandler, Server } = await import("@modelcontextprotocol/server");
  const handler = createMcpHandler(() => {
    const server = new Server({ name: serverName, version: "1.0.0" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", () => ({
      tools: tools.offered.map(({ name, description, inputSchema }) => ({
        name,
        ...(description === undefined ? {} : { description }),
        // An MCP tool takes an object.
        inputSchema: { ...inputSchema, type: "object" as const } as { type: "object" },
      })),
    }));
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const { name, arguments: input } = params;
      if (!tools.offered.some((tool) => tool.name === name)) return failure(`There is no tool ${name}.`);
      try {
        return toResult(await tools.request(name, input, context.mcpReq.signal));
      } catch (error) {
        return failure(describeError(error));
      }
    });
    return server;
  });
  return handler.fetch;
}

type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

interface ToolResult {
  [member: string]: unknown;
  content: Content[];
  isError?: boolean;
}

function failure(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

function toResult(output: CallerOutput): ToolResult {
  switch (output.type) {
    case "text":
      return { content: [{ type: "text", text: output.value }] };
    case "error-text":
      return failure(output.value);
    case "error-json":
      return failure(JSON.stringify(output.value));
    case "execution-denied":
      return failure(output.reason ?? "The user did not allow this.");
    case "json":
      return { content: [{ type: "text", text: JSON.stringify(output.value) }] };
    default:
      return { content: output.value.map(toContent) };
  }
}

function toContent(part: object): Content {
  const text = textIn(part, "text");
  if (text !== undefined) return { type: "text", text };
  const data = textIn(part, "data");
  const mimeType = textIn(part, "mediaType");
  if (data !== undefined && mimeType?.startsWith("image/") === true) return { type: "image", data, mimeType };
  return { type: "text", text: JSON.stringify(part) };
}
