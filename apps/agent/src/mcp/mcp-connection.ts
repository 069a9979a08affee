import { pathToFileURL } from "node:url";

import type { Client, Tool } from "@modelcontextprotocol/client";

import { describeError } from "../describe-error.ts";
import { boundResult, type McpResult } from "./bound-result.ts";
import { type EndingTransport, openTransport } from "./open-transport.ts";
import { type ReceivedMcpServer, serverName } from "./received-mcp-server.ts";
import { withUsableTools } from "./received-tools.ts";

/** A tool of an MCP server. */
export interface McpTool {
  readonly name: string;
  /** For users. */
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** A JSON schema of its arguments, as the server has sent it. */
  readonly inputSchema: object;
  /** Whether the server says that the tool changes nothing. It may be wrong, or lie. */
  readonly isReadOnly: boolean;
}

/** What a call needs beside its arguments. */
export interface McpCallOptions {
  /** Cancels the call, also at the server. There is no timeout: nothing else does. */
  readonly signal: AbortSignal;
  /** Called when the server tells how far it is. */
  readonly onProgress?: ((progress: string) => void) | undefined;
}

/** A connection to one MCP server. */
export interface McpConnection {
  /** The name of the server. */
  readonly server: string;
  /** Its tools at this moment: a server may change them. Without those that no model can be given. */
  readonly tools: readonly McpTool[];
  /** Resolves when the connection was lost, with how that came. */
  readonly lost: Promise<string>;
  /**
   * Calls a tool.
   *
   * @throws {Error} what is wrong: the server has answered by an error, or the connection was lost.
   */
  call(name: string, args: Record<string, unknown>, options: McpCallOptions): Promise<McpResult>;
  /** Ends the connection, and the process of a server over stdio with everything that it has started. */
  close(): Promise<void>;
}

/** Where a server works. */
export interface McpPlace {
  readonly cwd: string;
  /** The directories of the session, which a server may ask for as its roots. */
  readonly directories: readonly string[];
  /** Called for each tool that no model can be given, once. */
  readonly onLeftOut?: ((tool: string, reason: string) => void) | undefined;
}

/** How long connecting may take, and how long listing the tools, in milliseconds. */
const startTimeout = 20_000;

/** How long a server may take to answer whether it is still there, in milliseconds. */
const pingTimeout = 10_000;

/** What a server answers a request that it does not know. */
const methodNotFound = -32601;

/**
 * The longest timeout that a timer supports: 24 days, in milliseconds. Tools may build, download, or wait for somebody,
 * and the user can cancel them. By default, the MCP client stops waiting after a minute.
 */
const longestTimeout = 2 ** 31 - 1;

/** Connects to a server. The MCP client is loaded here, since sessions without servers do not need it. */
export async function connectMcpServer(server: ReceivedMcpServer, place: McpPlace): Promise<McpConnection> {
  const { Client } = await import("@modelcontextprotocol/client");
  const known = new Set<string>();
  const transport = await openTransport(server, place.cwd, (message) =>
    withUsableTools(message, (tool, reason) => {
      if (!known.has(tool)) place.onLeftOut?.(tool, reason);
      known.add(tool);
    }),
  );
  const connection = new Connection(serverName(server), transport, (options) => new Client(...options));
  await connection.open(place.directories);
  return connection;
}

class Connection implements McpConnection {
  readonly server: string;
  readonly lost: Promise<string>;
  tools: readonly McpTool[] = [];
  readonly #transport: EndingTransport;
  readonly #client: Client;
  #setLost: (reason: string) => void = () => {};
  #isClosed = false;
  #isLost = false;
  #pinging: Promise<void> | undefined;

  constructor(
    server: string,
    transport: EndingTransport,
    createClient: (options: ConstructorParameters<typeof Client>) => Client,
  ) {
    this.server = server;
    this.#transport = transport;
    this.lost = new Promise((resolve) => (this.#setLost = resolve));
    const onChanged = (_error: unknown, tools: readonly Tool[] | null): void => {
      if (tools !== null) this.tools = tools.map(toMcpTool);
    };
    this.#client = createClient([
      { name: "acp-agent", version: "1.0.0" },
      { capabilities: { roots: {} }, listChanged: { tools: { onChanged } } },
    ]);
  }

  async open(directories: readonly string[]): Promise<void> {
    const client = this.#client;
    const roots = directories.map((directory) => ({ uri: pathToFileURL(directory).href }));
    client.setRequestHandler("roots/list", () => ({ roots }));
    try {
      await client.connect(this.#transport, { timeout: startTimeout });
      if (client.getServerCapabilities()?.tools !== undefined) {
        const { tools } = await client.listTools({}, { timeout: startTimeout });
        this.tools = tools.map(toMcpTool);
      }
    } catch (error) {
      await this.close().catch(() => {});
      // The end of the process is the reason for all that fails after it, and so is a login that is missing.
      const reason = this.#end();
      throw reason === undefined ? error : new Error(reason);
    }
    Object.assign(client, {
      onclose: () => this.#lose(this.#end() ?? "the connection has ended"),
      onerror: () => void this.#ping(),
    });
  }

  async call(name: string, args: Record<string, unknown>, options: McpCallOptions): Promise<McpResult> {
    const { signal, onProgress } = options;
    try {
      const { content, isError, structuredContent } = await this.#client.callTool(
        { name, arguments: args },
        {
          signal,
          timeout: longestTimeout,
          ...(onProgress && { onprogress: (progress) => onProgress(describeProgress(progress)) }),
        },
      );
      return boundResult({ content, isError: isError === true, structured: structuredContent });
    } catch (error) {
      if (signal.aborted) throw error;
      await this.#ping();
      if (!this.#isLost) throw error;
      throw new Error(`The MCP server ${this.server} was lost during the call. It may have carried the call out.`, {
        cause: error,
      });
    }
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#client.close();
  }

  /** Finds out whether the server is still there. One behind a URL has no process that ends. */
  async #ping(): Promise<void> {
    if (this.#isLost || this.#isClosed) return;
    this.#pinging ??= this.#client
      .ping({ timeout: pingTimeout })
      .then(
        () => {},
        (error: unknown) => {
          // A server that knows no pings is there. One that knows nothing of this connection answers by an error, too.
          if (codeOf(error) !== methodNotFound) this.#lose(describeError(error));
        },
      )
      .finally(() => (this.#pinging = undefined));
    await this.#pinging;
  }

  #lose(reason: string): void {
    if (this.#isLost || this.#isClosed) return;
    this.#isLost = true;
    this.#setLost(reason);
    // All pending calls fail.
    void this.close().catch(() => {});
  }

  #end(): string | undefined {
    return this.#transport.end;
  }
}

function toMcpTool({ name, title, description, inputSchema, annotations }: Tool): McpTool {
  const isReadOnly = annotations?.readOnlyHint === true;
  return { name, title: title ?? annotations?.title, description, inputSchema, isReadOnly };
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}

interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** `Downloading (3 of 10)` */
function describeProgress({ progress, total, message }: Progress): string {
  const count = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message === undefined ? count : `${message} (${count})`;
}
