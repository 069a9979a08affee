import type { Diagnostic, DiagnosticListener, Transport } from "@acp/core";
import {
  answersInOrder,
  Connection,
  type Dispatcher,
  type IncomingRequest,
  type MethodIndex,
  type QueuedNotification,
} from "@acp/core/internal";
import { AddingTransport } from "./adding-transport.ts";
import { asItCame, parseMessage } from "./beside.ts";

export interface RelayOptions {
  readonly transport: Transport;
  /** Whom it stands for towards the other end of the transport. */
  readonly role: "agent" | "client";
  readonly methods: MethodIndex;
  readonly report: DiagnosticListener;
}

/** One connection of a program that passes messages on. Its messages may have members that JSON-RPC does not know. */
export abstract class Relay implements Dispatcher {
  readonly connection: Connection;
  /** What the connection sends with. */
  readonly transport: AddingTransport;

  constructor({ transport, role, methods, report }: RelayOptions) {
    this.transport = new AddingTransport(transport);
    this.connection = new Connection(
      {
        transport: this.transport,
        methods,
        report: (diagnostic) => report(withReceived(diagnostic)),
        answersNoise: role === "agent",
        closingGrace: 1000,
        notifiesInGrace: true,
        parse: parseMessage,
        answers: answersInOrder,
      },
      this,
    );
  }

  abstract request(request: IncomingRequest): unknown;

  abstract notification(notification: QueuedNotification): unknown;

  handles(): boolean {
    return true;
  }

  ended(): void {}
}

/** A diagnostic that shows a message as it came. */
function withReceived(diagnostic: Diagnostic): Diagnostic {
  if (!("received" in diagnostic)) return diagnostic;
  return { ...diagnostic, received: asItCame(diagnostic.received) } as Diagnostic;
}
