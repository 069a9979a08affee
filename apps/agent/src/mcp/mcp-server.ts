import { describeError } from "../describe-error.ts";
import type { McpResult } from "./bound-result.ts";
import {
  connectMcpServer,
  type McpCallOptions,
  type McpConnection,
  type McpPlace,
  type McpTool,
} from "./mcp-connection.ts";
import { type ReceivedMcpServer, serverName } from "./received-mcp-server.ts";

/** How often a server is started again in a row. */
const maxRestarts = 5;

/** How long a server has to live for the restarts before not to count, in milliseconds. */
const longLife = 60_000;

/** How long to wait before the first restart, in milliseconds. Each further wait is twice as long. */
const firstRestartDelay = 200;

/** An MCP server of a session. When it ends by itself, that is reported, and it is started again. */
export class McpServer {
  readonly name: string;
  readonly #server: ReceivedMcpServer;
  readonly #place: McpPlace;
  readonly #report: (sentence: string) => void;
  readonly #closed = new AbortController();
  #connection: Promise<McpConnection | undefined>;
  #tools: () => readonly McpTool[] = () => [];
  #failure: string | undefined;
  #restarts = 0;

  /** Starts to connect. `report` gets a sentence for the user whenever the server fails or is started again. */
  constructor(server: ReceivedMcpServer, place: McpPlace, report: (sentence: string) => void) {
    this.name = serverName(server);
    this.#server = server;
    this.#place = place;
    this.#report = report;
    this.#connection = this.#connect();
  }

  /** Its tools; while it is started again, those that it had. */
  get tools(): readonly McpTool[] {
    return this.#tools();
  }

  /** Why nobody tries to reach it any more; `undefined` if somebody does, or it is there. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Resolves with the connection, or with `undefined` if the server cannot be reached. */
  connection(): Promise<McpConnection | undefined> {
    return this.#connection;
  }

  /**
   * Calls a tool. A server that is being started again is waited for, and one behind a URL may be back: it is tried once
   * more.
   *
   * @throws {Error} a sentence for the model: why the call has failed.
   */
  async call(tool: string, args: Record<string, unknown>, options: McpCallOptions): Promise<McpResult> {
    const wasThere = this.#failure !== undefined && this.#restarts > 0;
    if (wasThere && "url" in this.#server && !this.#closed.signal.aborted) {
      this.#failure = undefined;
      this.#connection = this.#connect();
    }
    const connection = await this.#connection;
    options.signal.throwIfAborted();
    if (connection === undefined) throw new Error(`The MCP server ${this.name} is not running: ${this.#failure}`);
    return connection.call(tool, args, options);
  }

  /** Ends it with everything that it has started. */
  async close(): Promise<void> {
    this.#closed.abort();
    this.#failure ??= "the session has ended";
    const connection = await this.#connection;
    await connection?.close().catch(() => {});
  }

  async #connect(): Promise<McpConnection | undefined> {
    try {
      const connection = await connectMcpServer(this.#server, {
        ...this.#place,
        onLeftOut: (tool, reason) =>
          this.#report(`The tool ${tool} of the MCP server ${this.name} cannot be used: ${reason}.`),
      });
      const connectedAt = Date.now();
      this.#tools = () => connection.tools;
      void connection.lost.then((reason) => {
        if (Date.now() - connectedAt > longLife) this.#restarts = 0;
        this.#connection = this.#connectAgain(reason);
      });
      return connection;
    } catch (error) {
      // One that was never there is not configured right.
      if (this.#restarts > 0) return this.#connectAgain(describeError(error));
      this.#fail(describeError(error));
      return undefined;
    }
  }

  async #connectAgain(reason: string): Promise<McpConnection | undefined> {
    if (this.#closed.signal.aborted) return undefined;
    if (this.#restarts === maxRestarts) {
      this.#fail(`${reason}. It was started again ${maxRestarts} times before`);
      return undefined;
    }
    this.#report(`The MCP server ${this.name} is started again: ${reason}.`);
    await wait(firstRestartDelay * 2 ** this.#restarts, this.#closed.signal);
    this.#restarts += 1;
    return this.#closed.signal.aborted ? undefined : this.#connect();
  }

  #fail(reason: string): void {
    if (this.#closed.signal.aborted) return;
    this.#failure = reason;
    this.#report(`The MCP server ${this.name} cannot be used: ${reason}.`);
  }
}

/** Waits, but no longer than until the signal aborts. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end, { once: true });
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    }
  });
}
