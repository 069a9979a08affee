import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on the loopback interface that answers and ends exactly when the test says so, and cannot resume streams. */
export class ScriptedServer implements AsyncDisposable {
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));
  /** The open streams by session, and that of the connection by `undefined`. */
  readonly streams: Map<string | undefined, ServerResponse> = new Map();
  /** The sessions of streams that it refused. */
  readonly refusedStreams: (string | undefined)[] = [];
  /** The methods of the messages that it took or refused, except the `initialize` that opens a connection. */
  readonly posts: unknown[] = [];
  /** The `initialize` that waits for an answer. */
  waiting: ServerResponse | undefined;
  /** When it answers messages; then `answered` resolves once the client has got the last answer. */
  mayAnswer: Promise<void> = Promise.resolve();
  answered: Promise<unknown> = Promise.resolve();
  deletes = 0;
  /** It has opened a connection. */
  hasConnection = false;
  /** It does not know the connection any more. */
  isGone = false;
  /** It breaks off every request. */
  isBroken = false;

  async listen(): Promise<URL> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/acp`);
  }

  /** Answers `initialize`, with a connection or with an error. */
  answer(isError: boolean): void {
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting === undefined) return;
    this.hasConnection ||= !isError;
    const headers = { "Content-Type": "application/json", ...(!isError && { "Acp-Connection-Id": "c" }) };
    const outcome = isError ? { error: { code: -32603, message: "no" } } : { result: {} };
    waiting.writeHead(200, headers).end(JSON.stringify({ jsonrpc: "2.0", id: 0, ...outcome }));
  }

  /** Ends a stream as a server does that has ended the connection. */
  endStream(sessionId: string | undefined): void {
    const stream = this.streams.get(sessionId);
    if (stream === undefined) return;
    this.isGone = true;
    this.streams.delete(sessionId);
    stream.end();
  }

  /** Sends a message by a stream. Returns whether it is open. */
  write(sessionId: string | undefined, message: object): boolean {
    return this.streams.get(sessionId)?.write(`data: ${JSON.stringify(message)}\n\n`) === true;
  }

  breakNetwork(): void {
    this.isBroken = true;
    this.waiting = undefined;
    this.streams.clear();
    this.#server.closeAllConnections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isBroken) return void request.destroy();
    if (request.method === "DELETE") {
      this.deletes++;
      return void response.writeHead(this.isGone ? 404 : 202).end();
    }
    const session = request.headers["acp-session-id"];
    if (request.method === "GET") {
      const id = typeof session === "string" ? session : undefined;
      if (this.isGone) {
        this.refusedStreams.push(id);
        return void response.writeHead(404).end();
      }
      this.streams.set(id, response);
      response.on("close", () => {
        if (this.streams.get(id) === response) this.streams.delete(id);
      });
      return response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
    }
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
    const { method } = JSON.parse(body) as { readonly method?: unknown };
    if (method === "initialize" && request.headers["acp-connection-id"] === undefined) this.waiting = response;
    else {
      this.posts.push(method);
      this.answered = once(response, "finish");
      await this.mayAnswer;
      response.writeHead(this.isGone ? 404 : 202).end();
    }
  }
}
