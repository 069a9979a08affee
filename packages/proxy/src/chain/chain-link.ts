import { type DiagnosticListener, RequestError, type Transport } from "@acp/core";
import { type IncomingRequest, methodNotFound, type QueuedNotification } from "@acp/core/internal";
import { separate } from "../beside.ts";
import { Relay } from "../relay.ts";
import { RelayEnd } from "../relay-end.ts";
import { createChainMethodIndex, isChainMethod } from "./chain-method-index.ts";
import { envelopes, SuccessorEnvelope } from "./successor-envelope.ts";

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
export class ChainLink extends Relay {
  /** Of messages that go by their own names. */
  readonly near: RelayEnd = new RelayEnd(this);
  /** Of messages in envelopes. */
  readonly successor: RelayEnd = new RelayEnd(this, envelopes);
  readonly #report: DiagnosticListener;

  constructor({ transport, role, spoken, report }: ChainLinkOptions) {
    super({ transport, role, methods: createChainMethodIndex(spoken), report });
    this.#report = report;
  }

  request(request: IncomingRequest): unknown {
    const { params } = request;
    if (!(params instanceof SuccessorEnvelope)) return this.near.request(request, request.method, params);
    const { method } = params;
    if (!isChainMethod(method)) return this.successor.request(request, method, params.received);
    // Out of its envelope it would be a message of the conductor itself.
    const message = `There is no handler for the request ${method} in an envelope`;
    this.#report({ type: "unknown-request", level: "info", message, method });
    throw new RequestError(methodNotFound(method));
  }

  notification({ method: outer, params: received }: QueuedNotification): unknown {
    const isInside = received instanceof SuccessorEnvelope;
    const method = isInside ? received.method : outer;
    const inner = isInside ? received.received : received;
    // Ids are those of the connection, in an envelope or not.
    if (method === "$/cancel_request") return this.#cancel(inner);
    if (!isInside) return this.near.notification(method, inner);
    if (!isChainMethod(method)) return this.successor.notification(method, inner);
    const message = `There is no handler for the notification ${method} in an envelope`;
    return this.#report({ type: "unknown-notification", level: "info", message, method, received });
  }

  /** Takes a request of the other side back here, and where it went from here. */
  #cancel(received: unknown): void {
    const { value, beside } = separate(received);
    // Not waited for: nothing may hold it up.
    for (const end of [this.near, this.successor]) {
      end.cancel(value, beside).catch((error: unknown) => this.connection.reportFailure("$/cancel_request", error));
    }
  }
}
