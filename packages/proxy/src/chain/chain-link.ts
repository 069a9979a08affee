import { RequestError } from "@acp/core";
import { type IncomingRequest, methodNotFound, type QueuedNotification } from "@acp/core/internal";
import { splitExtra } from "../extra-members.ts";
import { Relay, type RelayOptions } from "../relay.ts";
import { RelayEnd } from "../relay-end.ts";
import { createChainMethodIndex, isChainMethod } from "./chain-methods.ts";
import { envelopes, SuccessorEnvelope } from "./successor-envelope.ts";

export interface ChainLinkOptions extends Omit<RelayOptions, "methods"> {
  /** The methods of a chain that the peer may send. */
  readonly allowed: readonly string[];
}

/**
 * One connection of a chain. With a proxy it carries two paths: plain messages between the proxy and its predecessor, and
 * messages in envelopes between the proxy and its successor.
 */
export class ChainLink extends Relay {
  /** For plain messages. */
  readonly near: RelayEnd = new RelayEnd(this);
  /** For messages in envelopes. */
  readonly successor: RelayEnd = new RelayEnd(this, envelopes);
  readonly #report: RelayOptions["report"];

  constructor({ allowed, ...options }: ChainLinkOptions) {
    super({ ...options, methods: createChainMethodIndex(allowed) });
    this.#report = options.report;
  }

  request(request: IncomingRequest): unknown {
    const { params } = request;
    if (!(params instanceof SuccessorEnvelope)) return this.near.request(request, request.method, params);
    const { method } = params;
    if (!isChainMethod(method)) return this.successor.request(request, method, params.received);
    // Without its envelope, the conductor would take it for its own.
    const message = `There is no handler for the request ${method} in an envelope`;
    this.#report({ type: "unknown-request", level: "info", message, method });
    throw new RequestError(methodNotFound(method));
  }

  notification({ method: outer, params: received }: QueuedNotification): unknown {
    const isEnveloped = received instanceof SuccessorEnvelope;
    const method = isEnveloped ? received.method : outer;
    const inner = isEnveloped ? received.received : received;
    if (method === "$/cancel_request") return this.#cancel(inner);
    if (!isEnveloped) return this.near.notification(method, inner);
    if (!isChainMethod(method)) return this.successor.notification(method, inner);
    const message = `There is no handler for the notification ${method} in an envelope`;
    return this.#report({ type: "unknown-notification", level: "info", message, method, received });
  }

  /** Both paths of the connection share its ids. */
  #cancel(received: unknown): void {
    const { value, extra } = splitExtra(received);
    // Not awaited, so that nothing delays it.
    for (const end of [this.near, this.successor]) {
      end.cancel(value, extra).catch((error: unknown) => this.connection.reportFailure("$/cancel_request", error));
    }
  }
}
