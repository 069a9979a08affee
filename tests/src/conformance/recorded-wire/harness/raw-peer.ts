import type { Transport } from "@acp/core";

/** A message as a scenario reads it. */
export interface RawMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly [member: string]: unknown };
  readonly result?: { readonly [member: string]: unknown };
}

/** One side of a connection, played by hand. Whatever it sends, both sides are quiet again when the promise resolves. */
export class RawPeer {
  /** All that arrived, in order. */
  readonly received: RawMessage[] = [];
  readonly #transport: Transport;
  readonly #settle: () => Promise<void>;
  #id = 0;

  constructor(transport: Transport, settle: () => Promise<void>) {
    this.#transport = transport;
    this.#settle = settle;
    transport.start({
      message: (text) => void this.received.push(JSON.parse(text) as RawMessage),
      issue: () => {},
      closed: () => {},
    });
  }

  /** Sends a text as it is, or a value as JSON; several go out together. */
  async send(...messages: readonly (string | object)[]): Promise<void> {
    for (const message of messages)
      void this.#transport.send(typeof message === "string" ? message : JSON.stringify(message), "soon");
    await this.#settle();
  }

  /** A request under an id of its own, to be sent. */
  request(method: string, params?: unknown, id: unknown = `raw-${++this.#id}`): object {
    return { jsonrpc: "2.0", id, method, params };
  }

  /** A notification, to be sent. */
  notification(method: string, params?: unknown): object {
    return { jsonrpc: "2.0", method, params };
  }

  /** Sends a request. Resolves with what it was answered so far. */
  async call(method: string, params?: unknown, id?: unknown): Promise<RawMessage | undefined> {
    const request = this.request(method, params, id);
    await this.send(request);
    const sent = request as { readonly id: unknown };
    return this.received.findLast((message) => message.id === sent.id && message.method === undefined);
  }

  async notify(method: string, params?: unknown): Promise<void> {
    await this.send(this.notification(method, params));
  }

  /** The last request or notification of a method that arrived. */
  last(method: string): RawMessage {
    const found = this.received.findLast((message) => message.method === method);
    if (found === undefined) throw new Error(`${method} has not arrived`);
    return found;
  }

  /** Answers the last request of a method. */
  async answer(method: string, result: unknown): Promise<void> {
    await this.send({ jsonrpc: "2.0", id: this.last(method).id, result });
  }

  /** Answers the last request of a method with an error. */
  async fail(method: string, error: unknown): Promise<void> {
    await this.send({ jsonrpc: "2.0", id: this.last(method).id, error });
  }

  async close(): Promise<void> {
    await this.#transport.close();
    await this.#settle();
  }
}
