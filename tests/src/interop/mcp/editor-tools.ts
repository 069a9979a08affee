/** An MCP server of an editor, made with the official SDK of MCP: what a client gives its agents. */
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";

interface Region {
  readonly region: string;
}

export interface EditorTools {
  fetch(request: Request): Promise<Response>;
  /** Resolves when a call of `wait` has begun. */
  readonly waiting: Promise<void>;
  /** Resolves when it has been taken back. */
  readonly withdrawn: Promise<void>;
}

export function createEditorTools(): EditorTools {
  let tellWaiting = (): void => {};
  let tellWithdrawn = (): void => {};
  const waiting = new Promise<void>((resolve) => (tellWaiting = resolve));
  const withdrawn = new Promise<void>((resolve) => (tellWithdrawn = resolve));
  const { fetch } = createMcpHandler(() => {
    const server = new McpServer({ name: "editor-tools", version: "1.0.0" });
    server.registerTool("count", { description: "Counts to three" }, async (context) => {
      const progressToken = context.mcpReq._meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [1, 2, 3]) {
        await context.mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: 3 },
        });
      }
      return { content: [{ type: "text", text: "three — drei" }] };
    });
    // Its types do not know of the member by which an argument stands in a header as well.
    const properties: object = { region: { type: "string", "x-mcp-header": "Region" } };
    const regional = fromJsonSchema<Region>({ type: "object", properties: { ...properties }, required: ["region"] });
    server.registerTool("weather", { description: "Tells the weather", inputSchema: regional }, ({ region }) => ({
      content: [{ type: "text", text: `Rain in ${region}` }],
    }));
    server.registerTool("fail", { description: "Fails" }, () => {
      throw new Error("it is broken");
    });
    server.registerTool("wait", { description: "Waits for ever" }, async ({ mcpReq: { signal } }) => {
      tellWaiting();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      tellWithdrawn();
      return { content: [] };
    });
    return server;
  });
  return { fetch: (request) => fetch(request), waiting, withdrawn };
}
