import type { Transport, TransportSink } from "@acp/core";
import { strictValidator } from "@acp/validators/v1/strict";

import type { Side } from "@acp/check/requirements";
import type { Message as AnyMessage } from "@acp/testing";

/** A message as it was on the wire; what is in it is for tests to assert. */
export interface Message extends AnyMessage {
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly params?: any;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly result?: any;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly error?: any;
}

/** Takes what is written to nowhere, and gives what a test sends to whoever listens. */
class NoTransport implements Transport {
  sink: TransportSink | undefined;

  start(sink: TransportSink): void {
    this.sink = sink;
  }

  send(): void {}
  pause(): void {}
  resume(): void {}

  async close(): Promise<void> {}
}

/**
 * Holds every line that our side writes in a test to the protocol: one message of JSON-RPC, by the strict schema, without
 * members that are not of the protocol, and in an order that it allows.
 */
export class FrameCheck {
  readonly #peer = new NoTransport();
  readonly #strict: Transport;

  /** @param role Of our side. */
  constructor(role: Side) {
    this.#strict = strictValidator(this.#peer, { role, report: () => {} });
    this.#strict.start({ message: () => {}, issue: () => {}, closed: () => {} });
  }

  /** A line that the test has sent: what our side may answer depends on it. */
  sent(line: string): void {
    this.#peer.sink?.message(line);
  }

  /** What is wrong with a line of our side. */
  problemOf(line: string): string | undefined {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      return `no JSON: ${line}`;
    }
    const { jsonrpc, id, method, result, error } = message;
    if (jsonrpc !== "2.0") return `no JSON-RPC: ${line}`;
    if (method === undefined) {
      if (id === undefined || (result === undefined) === (error === undefined)) return `no response: ${line}`;
      if (error !== undefined && !(Number.isInteger(error.code) && typeof error.message === "string")) {
        return `no error: ${line}`;
      }
    } else if (id !== undefined && typeof id !== "string" && !Number.isInteger(id)) return `no id: ${line}`;
    try {
      void this.#strict.send(line, "soon");
      return undefined;
    } catch (refusal) {
      return `${(refusal as Error).message}: ${line}`;
    }
  }
}
