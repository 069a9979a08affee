import type { Diagnostic, DiagnosticListener, Transport } from "@acp/core";
import {
  answersInOrder,
  type CheckedIncomingLimits,
  type Connection,
  createConnection,
  createMethodIndex,
  type Dispatcher,
  type IncomingRequest,
  type MethodIndex,
  type QueuedNotification,
  requireStart,
} from "@acp/core/internal";
import { type ExtraMembers, originalOf, parseMessage } from "./extra-members.ts";

/** Methods that do not wait for earlier messages of their session, as in the tables of the schema (CANC-01). */
export const unqueuedMethods: ReadonlySet<string> = new Set(["session/cancel", "$/cancel_request"]);

// The tables of the roles have decoders for all methods, which a proxy does not need.
const none = { requests: {}, notifications: {} };

/** Accepts every method, and decodes none. */
export function createOpenMethodIndex(): MethodIndex {
  return {
    ...createMethodIndex({ handles: none, calls: none, variants: {} }),
    // No answer overtakes the messages that came before it.
    calledRequest: () => ({ endsTurn: true }),
    isOpen: () => true,
    isUnqueued: (method) => unqueuedMethods.has(method),
  };
}

export interface RelayOptions {
  readonly transport: Transport;
  /** The role towards the peer at the other end of the transport. */
  readonly role: "agent" | "client";
  readonly methods?: MethodIndex;
  /** How much the peer may ask at a time. */
  readonly limits: CheckedIncomingLimits;
  readonly report: DiagnosticListener;
}

/** One connection of a program that passes messages on, with their extra members. */
export abstract class Relay implements Dispatcher {
  readonly connection: Connection;
  /** Sends what `send` sends first with these extra members. */
  readonly sendWithExtra: <T>(extra: ExtraMembers | undefined, send: () => T) => T;

  constructor({ transport, role, methods, report, limits }: RelayOptions) {
    requireStart(transport, "connect takes a transport");
    let next: ExtraMembers | undefined;
    this.sendWithExtra = (extra, send) => {
      next = extra;
      try {
        return send();
      } finally {
        next = undefined;
      }
    };
    const sender: Transport = {
      start: (sink) => transport.start(sink),
      send(text, flush, isStringified) {
        const extra = next;
        next = undefined;
        // Neither the message nor its extra members are an empty object.
        const whole = extra === undefined ? text : `${text.slice(0, -1)},${JSON.stringify(extra).slice(1)}`;
        return transport.send(whole, flush, isStringified);
      },
      pause: () => transport.pause(),
      resume: () => transport.resume(),
      close: () => transport.close(),
    };
    this.connection = createConnection(
      {
        transport: sender,
        methods: methods ?? createOpenMethodIndex(),
        report: (diagnostic) => report(withOriginal(diagnostic)),
        answersNoise: role === "agent",
        closingGrace: 1000,
        notifiesInGrace: true,
        parse: parseMessage,
        answers: answersInOrder,
        limits,
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

function withOriginal(diagnostic: Diagnostic): Diagnostic {
  if (!("received" in diagnostic)) return diagnostic;
  return { ...diagnostic, received: originalOf(diagnostic.received) } as Diagnostic;
}
