import type { DiagnosticListener, Transport } from "@acp/core";
import type { IncomingRequest, QueuedNotification } from "@acp/core/internal";
import { createOpenMethodIndex } from "./open-method-index.ts";
import { Relay } from "./relay.ts";
import { RelayEnd } from "./relay-end.ts";

export interface ProxyHalfOptions {
  readonly transport: Transport;
  /** Whom it stands for towards the other end of the transport. */
  readonly role: "agent" | "client";
  readonly report: DiagnosticListener;
}

/** One side of a proxy: what arrives here goes out on the other side. */
export class ProxyHalf extends Relay {
  readonly end: RelayEnd = new RelayEnd(this);

  constructor({ transport, role, report }: ProxyHalfOptions) {
    super({ transport, role, methods: createOpenMethodIndex(), report });
  }

  request(request: IncomingRequest): unknown {
    return this.end.request(request, request.method, request.params);
  }

  notification({ method, params: received }: QueuedNotification): unknown {
    return this.end.notification(method, received);
  }
}
