/**
 * A real MCP server: over stdio, without any tools if its argument is `empty`, or over HTTP on a local port that it
 * prints if that is `http`.
 */
import { createServer } from "node:http";
import process from "node:process";

import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const;

function makeServer(): McpServer {
  const server = new McpServer({ name: "sample", version: "1.0.0" });
  server.registerTool(
    "echo",
    { description: "Say it back", inputSchema: fromJsonSchema<{ text: string }>(text) },
    (args) => ({
      content: [
        { type: "text", text: `${args.text} from ${process.env["SAMPLE"] ?? "nowhere"}`, annotations: { priority: 1 } },
        { type: "image", data: "AAEC", mimeType: "image/png", _meta: { "example.com/size": 3 } },
        { type: "resource", resource: { uri: "mem://1", text: "one", mimeType: "text/plain" } },
      ],
    }),
  );
  server.registerTool("fail", { description: "Fail" }, () => ({
    isError: true,
    content: [{ type: "text", text: "it broke" }],
  }));
  return server;
}

if (process.argv[2] === "http") {
  const handler = createMcpHandler(makeServer);
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
      const url = `http://localhost${request.url ?? "/"}`;
      const isKnown = request.headers["authorization"] === "Bearer sample";
      const answer = isKnown
        ? await handler.fetch(new Request(url, { method: request.method ?? "GET", headers, ...body }))
        : new Response("who are you?", { status: 403 });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`);
  });
} else {
  const isEmpty = process.argv[2] === "empty";
  serveStdio(isEmpty ? () => new McpServer({ name: "empty", version: "1.0.0" }) : makeServer);
}
