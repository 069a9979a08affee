import { Connection, type Dispatcher } from "../connection/connection.ts";
import type { IncomingRequest } from "../connection/incoming-request.ts";
import type { DiagnosticListener } from "../diagnostics.ts";
import { RequestError } from "../errors.ts";
import type { Transport } from "../transport/transport.ts";
import { emptyTable, OpenMethodIndex } from "./open-method-index.ts";

/** A request or notification on its way, as it was received. */
export interface ProxyMessage {
  readonly kind: "request" | "notification";
  readonly method: string;
  /** `undefined` if it has none. */
  readonly params: unknown;
}

/**
 * Passes a message on, the one that came or another one. For a request: resolves with the result as it came.
 *
 * @throws {RequestError} the error that was answered; a handler that lets it through answers with the same.
 */
export type Forward = (message: Pick<ProxyMessage, "method" | "params">) => Promise<unknown>;

/**
 * Decides about a message: what it returns is the answer to a request, and what it throws is answered as from
 * any handler. A notification that it does not pass on goes no further.
 */
export type Intercept = (message: ProxyMessage, forward: Forward) => unknown;

export interface ProxyHalfOptions {
  readonly transport: Transport;
  /** Whom it stands for towards the other end of the transport. */
  readonly role: "agent" | "client";
  readonly intercept: Intercept | undefined;
  readonly report: DiagnosticListener;
}

/** One side of a proxy: what arrives here goes out on the other side. */
export class ProxyHalf implements Dispatcher {
  readonly #connection: Connection;
  readonly #intercept: Intercept;
  /** The ids that requests which arrived here went out with, by the JSON text of their own. */
  readonly #passedOn = new Map<string, number>();
  #other: ProxyHalf | undefined;

  constructor({ transport, role, intercept, report }: ProxyHalfOptions) {
    this.#intercept = intercept ?? ((message, forward) => forward(message));
    const table = emptyTable(role);
    const methods = new OpenMethodIndex(table);
    const answersNoise = role === "agent";
    this.#connection = new Connection({ transport, table, methods, report, answersNoise, closingGrace: 1000 }, this);
  }

  get signal(): AbortSignal {
    return this.#connection.signal;
  }

  get closed(): Promise<void> {
    return this.#connection.closed;
  }

  join(other: ProxyHalf): void {
    this.#other = other;
    other.#other = this;
  }

  start(): void {
    this.#connection.start();
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  handles(): boolean {
    return true;
  }

  isUnclaimed(): boolean {
    return false;
  }

  kept(): void {}

  ended(): void {}

  request({ id, method, params }: IncomingRequest): unknown {
    return this.#intercept({ kind: "request", method, params }, (message) => this.#passOn(id, message));
  }

  notification(method: string, params: unknown): unknown {
    return this.#intercept({ kind: "notification", method, params }, (message) => {
      const isCancel = message.method === "$/cancel_request";
      return this.#far.#connection.notify(
        message.method,
        // By the id that the other side knows.
        isCancel ? withRequestId(message.params, (asked) => this.#passedOn.get(JSON.stringify(asked))) : message.params,
      );
    });
  }

  async #passOn(id: string, { method, params }: Pick<ProxyMessage, "method" | "params">): Promise<unknown> {
    const far = this.#far;
    // A question may belong to a request that the other side has made here (ELIC-05).
    const own = method === "elicitation/create" ? withRequestId(params, (asked) => far.#idOf(asked)) : params;
    try {
      return await far.#connection.request(method, own, { onSent: (sent) => this.#passedOn.set(id, sent) });
    } catch (error) {
      // Passed on as it came: an error of another request would not be.
      if (error instanceof RequestError) throw new RequestError(error.wire, { cause: error });
      throw error;
    } finally {
      this.#passedOn.delete(id);
    }
  }

  /** The id of a request that arrived here, from the one it went out with. */
  #idOf(sent: unknown): unknown {
    for (const [id, passedOn] of this.#passedOn) if (passedOn === sent) return JSON.parse(id);
    return undefined;
  }

  get #far(): ProxyHalf {
    if (this.#other === undefined) throw new Error("The other side of the proxy is not there yet");
    return this.#other;
  }
}

/** Params with the id of the same request on the other side, if they name one that is going on. */
function withRequestId(params: unknown, translate: (id: unknown) => unknown): unknown {
  if (typeof params !== "object" || params === null || !("requestId" in params)) return params;
  const requestId = translate(params.requestId);
  return requestId === undefined ? params : { ...params, requestId };
}
