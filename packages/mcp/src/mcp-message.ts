import type { MessageMcpNotification, MessageMcpRequest, MessageMcpResponse } from "@acp/schema/v1/unstable/types";

// Those of version 2 have the same shape.
export type { MessageMcpNotification, MessageMcpRequest, MessageMcpResponse };

/** The error codes of `mcp/message` when no MCP server has answered. */
export const McpErrorCode = {
  /** The client provides no such server. */
  serverUnavailable: -33001,
  /** The server threw, or its answer is not of MCP. */
  serverFailed: -33002,
} as const;

/** A message of MCP, with the type of its SDK. */
export type McpMessage = {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | undefined;
  readonly method?: string | undefined;
  readonly params?: { readonly [key: string]: unknown } | undefined;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined;
};
