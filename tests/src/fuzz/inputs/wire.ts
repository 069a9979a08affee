import type { Transport, TransportSink } from "@acp/core";

import type { Choices } from "./choices.ts";
import { edited } from "./edit.ts";
import type { Example } from "./examples.ts";

/** The other end of a connection: what it is told, and what it has sent. */
export class Wire implements Transport {
  readonly sent: string[] = [];
  #sink: TransportSink | undefined;
  #isClosed = false;

  start(sink: TransportSink): void {
    this.#sink = sink;
  }

  send(text: string): void {
    this.sent.push(text);
  }

  receive(text: string): void {
    this.#sink?.message(text);
  }

  pause(): void {}

  resume(): void {}

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#sink?.closed();
  }
}

/** Waits until everything that needs no time is done. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** One text of a peer: mostly a message with a mistake. `open` are the ids that wait for an answer. */
export function textOf(choices: Choices, known: readonly Example[], open: readonly unknown[]): string {
  const { method, params, result } = choices.pick(known);
  const id = choices.pick([1, 2, "a", 0, null, -1.5, 2 ** 60, ...open]);
  const message = choices.pick<() => object>([
    () => ({ jsonrpc: "2.0", id, method, params }),
    () => ({ jsonrpc: "2.0", method, params }),
    () => ({ jsonrpc: "2.0", id, result: result ?? {} }),
    () => ({ jsonrpc: "2.0", id, error: { code: -32603, message: "Failed", data: params } }),
    () => ({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: id } }),
    () => ({ jsonrpc: "2.0", id, method: "_echo", params }),
    () => [{ jsonrpc: "2.0", id, method, params }],
  ])();
  const text = JSON.stringify(edited(message, choices, [params, result, id]));
  const at = choices.below(256);
  return choices.pick([
    () => text,
    () => text,
    () => text,
    () => text + text,
    () => `${choices.text(30)}${text}${choices.text(10)}`,
    () => text.slice(0, at),
    () => text.slice(0, at) + choices.text(8) + text.slice(at),
    () => choices.text(200),
  ])();
}
