import type { McpTransport } from "./mcp-transport.ts";

/** What the client of `@modelcontextprotocol/sdk`, the older one, says of what it sends. */
interface OlderSendOptions {
  relatedRequestId?: string | number;
  resumptionToken?: string;
  onresumptiontoken?: (token: string) => void;
}

// That client takes the transport.
export const send = (transport: McpTransport): ((message: { jsonrpc: "2.0" }, options?: OlderSendOptions) => unknown) =>
  transport.send;
