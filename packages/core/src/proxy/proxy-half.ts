import { Connection, type Dispatcher } from "../connection/connection.ts";
import type { IncomingRequest } from "../connection/incoming-request.ts";
import { isThenable } from "../connection/thenable.ts";
import type { Diagnostic, DiagnosticListener } from "../diagnostics.ts";
import { RequestError } from "../errors.ts";
import type { Transport } from "../transport/transport.ts";
import { AddingTransport } from "./adding-transport.ts";
import { asItCame, besideError, type Members, parseMessage, separate } from "./beside.ts";
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
export type Forward = (message: Passed) => Promise<unknown>;

type Passed = Pick<ProxyMessage, "method" | "params">;

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
  readonly #transport: AddingTransport;
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
    this.#transport = new AddingTransport(transport);
    this.#connection = new Connection(
      {
        transport: this.#transport,
        table,
        methods,
        report: (diagnostic) => report(withReceived(diagnostic)),
        answersNoise,
        closingGrace: 1000,
        parse: parseMessage,
      },
      this,
    );
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

  request(request: IncomingRequest): unknown {
    const { id, method } = request;
    const { value: params, beside } = separate(request.params);
    let besideAnswer: Members | undefined;
    const outcome = this.#intercept({ kind: "request", method, params }, async (message) => {
      const answer = separate(await this.#passOn(id, message, beside));
      besideAnswer = answer.beside;
      return answer.value;
    });
    if (!isThenable(outcome)) return outcome;
    return outcome.then(
      (result) => {
        // What stood beside the answer goes with it; the connection finds it answered then.
        if (besideAnswer !== undefined) this.#transport.adding(besideAnswer, () => request.answer(result));
        return result;
      },
      (error: unknown) => {
        const besides = error instanceof RequestError ? besideError(error.wire) : undefined;
        if (besides !== undefined) this.#transport.adding(besides, () => request.fail((error as RequestError).wire));
        throw error;
      },
    );
  }

  notification(method: string, received: unknown): unknown {
    const { value: params, beside } = separate(received);
    const far = this.#far;
    return this.#intercept({ kind: "notification", method, params }, (message) => {
      const isCancel = message.method === "$/cancel_request";
      // By the id that the other side knows.
      const named = isCancel
        ? withRequestId(message.params, (asked) => this.#passedOn.get(JSON.stringify(asked)))
        : message.params;
      return far.#transport.adding(beside, () => far.#connection.notify(message.method, named));
    });
  }

  async #passOn(id: string, { method, params }: Passed, beside: Members | undefined): Promise<unknown> {
    const far = this.#far;
    // A question may belong to a request that the other side has made here (ELIC-05).
    const own = method === "elicitation/create" ? withRequestId(params, (asked) => far.#idOf(asked)) : params;
    const onSent = (sent: number): void => void this.#passedOn.set(id, sent);
    try {
      return await far.#transport.adding(beside, () => far.#connection.request(method, own, { onSent }));
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

/** A diagnostic that shows a message as it came. */
function withReceived(diagnostic: Diagnostic): Diagnostic {
  if (!("received" in diagnostic)) return diagnostic;
  return { ...diagnostic, received: asItCame(diagnostic.received) } as Diagnostic;
}
