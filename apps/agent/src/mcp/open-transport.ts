import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";

import type { ReceivedMcpServer } from "./received-mcp-server.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** A transport that knows why it has ended. */
export interface EndingTransport extends Transport {
  /** How it has ended by itself, or why nobody gets in. */
  readonly end: string | undefined;
}

/**
 * Makes the transport to a server: over stdio, which starts its process, over HTTP, or over SSE, the older way of HTTP
 * (MCP-02, MCP-03, MCP-04). `read` may change what arrives.
 *
 * @throws {TypeError} for a type of servers that this agent does not know, and for an invalid URL.
 */
export async function openTransport(
  server: ReceivedMcpServer,
  cwd: string,
  read: (message: JSONRPCMessage) => JSONRPCMessage,
): Promise<EndingTransport> {
  // In version 1, a server without a type uses stdio.
  if (!("type" in server) || server.type === "stdio") {
    const { command, args, env } = server;
    return reading(new StdioTransport({ command, args: args ?? [], env: toRecord(env), cwd }), read);
  }
  if (server.type !== "http" && server.type !== "sse") {
    throw new TypeError(`MCP servers of the type ${String(server.type)} are not supported`);
  }
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { type, url, headers } = server as { type: "http" | "sse"; url: string; headers?: NameAndValue[] };
  let end: string | undefined;
  const options = {
    requestInit: { headers: toRecord(headers) },
    fetch: async (input: string | URL, init?: RequestInit) => {
      const response = await fetch(input, init);
      end = describeRefusal(response, headers) ?? end;
      return response;
    },
  };
  const transport =
    type === "http"
      ? new StreamableHTTPClientTransport(new URL(url), options)
      : new SSEClientTransport(new URL(url), options);
  return reading(
    Object.defineProperty(transport, "end", { get: () => end }) as typeof transport & EndingTransport,
    read,
  );
}

/** Lets `read` change each message before the MCP client gets it. */
function reading<Opened extends EndingTransport>(
  transport: Opened,
  read: (message: JSONRPCMessage) => JSONRPCMessage,
): Opened {
  let listener: Opened["onmessage"];
  return Object.defineProperty(transport, "onmessage", {
    get: () => listener,
    set: (given: NonNullable<Opened["onmessage"]> | undefined) => {
      listener = given && ((message, ...extra) => given(read(message), ...extra));
    },
  });
}

/** What an answer says of a login that is missing, and what the user can do. */
function describeRefusal({ status, headers }: Response, sent: readonly NameAndValue[] = []): string | undefined {
  if (status !== 401 && status !== 403) return undefined;
  const hasLogin = sent.some(({ name }) => name.toLowerCase() === "authorization");
  const wanted = headers.get("WWW-Authenticate");
  const scheme = wanted?.split(/[\s,]/u)[0] || "Bearer";
  if (hasLogin) return `it refuses the login in its header Authorization (${status}): get a new token`;
  const place = /resource_metadata="([^"]{1,500})"/u.exec(wanted ?? "")?.[1];
  const where = place === undefined ? "" : ` ${place} says where tokens come from.`;
  return `it needs a login (${status}). This agent cannot log in to it: add a header to the server in the client's settings, "Authorization: ${scheme} <token>".${where}`.replace(
    /\.$/u,
    "",
  );
}

interface NameAndValue {
  readonly name: string;
  readonly value: string;
}

function toRecord(pairs: readonly NameAndValue[] | null | undefined): Record<string, string> {
  return Object.fromEntries((pairs ?? []).map(({ name, value }) => [name, value]));
}
