import type { MessageMcpNotification, MessageMcpRequest, MessageMcpResponse } from "@acp/schema/v1/unstable/types";

// The types of version 1; those of version 2 are the same in shape.
export type { MessageMcpNotification, MessageMcpRequest, MessageMcpResponse };

/** The codes with which a client answers `mcp/message` where no MCP server has said anything. */
export const McpErrorCode = {
  /** The server is none of those that the client provides. */
  serverUnavailable: -33001,
  /** The server failed: it threw, or its answer is none of MCP. */
  serverFailed: -33002,
} as const;

/** A message of MCP: JSON-RPC 2.0, as the SDK of MCP has it. */
export type McpMessage = {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | undefined;
  readonly method?: string | undefined;
  readonly params?: { readonly [key: string]: unknown } | undefined;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined;
};
