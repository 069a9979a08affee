import { describeError } from "../describe-error.ts";
import {
  connectMcpServer,
  type McpCallOptions,
  type McpConnection,
  type McpPlace,
  type McpResult,
  type McpTool,
} from "./mcp-connection.ts";
import { type ReceivedMcpServer, serverName } from "./received-mcp-server.ts";

/** How often a server is started again. A session that lasts for days may see one die now and then. */
const maxRestarts = 5;

/** How long to wait before the first restart, in milliseconds. Each further wait is twice as long. */
const firstRestartDelay = 250;

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
   * Calls a tool. A server that is being started again is waited for.
   *
   * @throws {Error} a sentence for the model: why the call has failed.
   */
  async call(tool: string, args: Record<string, unknown>, options: McpCallOptions): Promise<McpResult> {
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
    let connection: McpConnection;
    try {
      connection = await connectMcpServer(this.#server, this.#place);
    } catch (error) {
      this.#fail(describeError(error));
      return undefined;
    }
    this.#tools = () => connection.tools;
    void connection.lost.then((reason) => this.#restart(reason));
    return connection;
  }

  #restart(reason: string): void {
    if (this.#closed.signal.aborted) return;
    if (this.#restarts === maxRestarts) {
      this.#connection = Promise.resolve(undefined);
      this.#fail(`${reason}. It was started again ${maxRestarts} times before`);
      return;
    }
    this.#restarts += 1;
    this.#report(`The MCP server ${this.name} is started again: ${reason}.`);
    this.#connection = this.#connectLater(firstRestartDelay * 2 ** (this.#restarts - 1));
  }

  async #connectLater(milliseconds: number): Promise<McpConnection | undefined> {
    await wait(milliseconds, this.#closed.signal);
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
