import { Connection, type Dispatcher } from "../connection/connection.ts";
import type { IncomingRequest } from "../connection/incoming-request.ts";
import { methodNotFound } from "../connection/wire-errors.ts";
import type { DiagnosticListener } from "../diagnostics.ts";
import { RequestError } from "../errors.ts";
import { emptyTable } from "../proxy/open-method-index.ts";
import { isSameId } from "../proxy/passed-on.ts";
import type { Transport } from "../transport/transport.ts";
import { ChainEnd } from "./chain-end.ts";
import { ChainMethodIndex, isChainMethod } from "./chain-method-index.ts";
import { SuccessorEnvelope } from "./successor-envelope.ts";

export interface ChainLinkOptions {
  readonly transport: Transport;
  /** Whom this side stands for. */
  readonly role: "agent" | "client";
  /** The methods of a chain that the other side may send. */
  readonly spoken: readonly string[];
  readonly report: DiagnosticListener;
}

/**
 * One connection of a chain. With a proxy it carries two things: what goes by its own name, between the proxy and
 * its predecessor, and what is in envelopes, between the proxy and its successor.
 */
export class ChainLink implements Dispatcher {
  readonly connection: Connection;
  /** Of messages that go by their own names. */
  readonly near: ChainEnd;
  /** Of messages in envelopes. */
  readonly successor: ChainEnd;
  readonly #report: DiagnosticListener;

  constructor({ transport, role, spoken, report }: ChainLinkOptions) {
    this.#report = report;
    const methods = new ChainMethodIndex(role, spoken);
    this.connection = new Connection(
      { transport, table: emptyTable(role), methods, report, answersNoise: role === "agent", closingGrace: 1000 },
      this,
    );
    this.near = new ChainEnd(this.connection, false);
    this.successor = new ChainEnd(this.connection, true);
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
    const { method, params } = request;
    if (!(params instanceof SuccessorEnvelope)) return this.near.receive({ kind: "request", method, params }, request);
    // Out of its envelope it would be a message of the conductor itself.
    if (isChainMethod(params.method)) {
      const message = `There is no handler for ${params.method} in an envelope`;
      this.#report({ type: "unknown-request", level: "info", message, method: params.method });
      throw new RequestError(methodNotFound(params.method));
    }
    return this.successor.receive({ kind: "request", method: params.method, params: params.params }, request);
  }

  notification(method: string, params: unknown): unknown {
    const isInside = params instanceof SuccessorEnvelope;
    const message = { kind: "notification", ...(isInside ? open(params) : { method, params }) } as const;
    // Ids are those of the connection, in an envelope or not.
    if (message.method === "$/cancel_request") return this.#cancel(message.params);
    if (isInside && isChainMethod(message.method)) {
      const told = `There is no handler for ${message.method} in an envelope`;
      const received = params;
      this.#report({ type: "unknown-notification", level: "info", message: told, method: message.method, received });
      return undefined;
    }
    return (isInside ? this.successor : this.near).receive(message, undefined);
  }

  /** Takes a request of the other side back here, and where it went from here. */
  #cancel(params: unknown): void {
    if (typeof params !== "object" || params === null || !("requestId" in params)) return;
    const { requestId } = params;
    for (const request of this.connection.unanswered()) {
      if (isSameId(request.id, requestId)) request.abort(new DOMException("The peer cancelled it", "AbortError"));
    }
    for (const end of [this.near, this.successor]) end.cancel(requestId, params);
  }
}

function open({ method, params }: SuccessorEnvelope): { readonly method: string; readonly params: unknown } {
  return { method, params };
}
