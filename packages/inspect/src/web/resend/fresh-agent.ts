import type { Transport } from "@acp/core";
import type { SpawnedTransport } from "#runtime";

import { type InspectedMessage, membersOf, type Side } from "../../inspected.ts";
import { createInspector } from "../../inspector.ts";
import type { KeptCalls } from "./kept-calls.ts";

/** Receives each message between this program and the fresh agent. */
export type FreshTraffic = (inspected: InspectedMessage, message: unknown) => void;

/** An agent that was started for one message. What it asks for is refused, unless the client has answered it before. */
export class FreshAgent {
  readonly #transport: Transport | SpawnedTransport;
  readonly #kept: KeptCalls;
  readonly #traffic: FreshTraffic;
  readonly #inspector = createInspector();
  readonly #pending = new Map<unknown, (answer: unknown) => void>();
  #ids = 0;
  /** Resolves when the agent has ended, with the reason. */
  readonly ended: Promise<string>;
  /** Calls this with each update of a session. */
  onUpdate: (update: Readonly<Record<string, unknown>>) => void = () => {};

  constructor(transport: Transport | SpawnedTransport, kept: KeptCalls, traffic: FreshTraffic) {
    this.#transport = transport;
    this.#kept = kept;
    this.#traffic = traffic;
    this.ended = new Promise((resolve) => {
      transport.start({
        message: (text) => this.#receive(text),
        issue: () => {},
        closed: (reason) => resolve(reason?.message ?? "the agent ended"),
      });
    });
  }

  /** Sends a request, and resolves with its answer. */
  request(method: string, params: unknown): Promise<unknown> {
    const id = `again-${++this.#ids}`;
    const answer = new Promise((resolve) => this.#pending.set(id, resolve));
    this.#send({ jsonrpc: "2.0", id, method, params });
    return answer;
  }

  notify(method: string, params: unknown): void {
    this.#send({ jsonrpc: "2.0", method, params });
  }

  /** Ends the agent at once. */
  async close(): Promise<void> {
    await ("process" in this.#transport ? this.#transport.close("now") : this.#transport.close());
  }

  #send(message: object): void {
    this.#report("client", message);
    try {
      void this.#transport.send(JSON.stringify(message), "soon")?.catch(() => {});
    } catch {
      // `closed` says what is wrong.
    }
  }

  #receive(text: string): void {
    let message: unknown = text;
    try {
      message = JSON.parse(text);
    } catch {
      // No message: it is shown as it is.
    }
    this.#report("agent", message);
    const { id, method, params } = membersOf(message);
    if (typeof method !== "string") {
      const take = this.#pending.get(id);
      this.#pending.delete(id);
      return take?.(message);
    }
    if (id !== undefined) return this.#send({ jsonrpc: "2.0", id, ...this.#answer(method, params) });
    if (method === "session/update") this.onUpdate(membersOf(membersOf(params)["update"]));
  }

  /** Nothing is written and no command runs; files have the text that the client answered before. */
  #answer(method: string, params: unknown): object {
    if (method === "session/request_permission") return { result: { outcome: refusal(params) } };
    if (method === "elicitation/create") return { result: { action: "decline" } };
    const file = method === "fs/read_text_file" ? this.#kept.file(params) : undefined;
    if (file !== undefined) return { result: file };
    const message =
      method === "fs/read_text_file"
        ? "The client did not read this file in the connection that is inspected"
        : "Refused: a message that is sent again writes no files and runs no commands";
    return { error: { code: -32603, message } };
  }

  #report(from: Side, message: unknown): void {
    this.#traffic(this.#inspector.take(from, message), message);
  }
}

/** The first option that rejects, once rather than always. */
function refusal(params: unknown): object {
  const { options } = membersOf(params);
  const all = (Array.isArray(options) ? options : []).map(membersOf);
  const no = ["reject_once", "reject_always"].flatMap((kind) => all.filter((option) => option["kind"] === kind));
  return no[0] === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: no[0]["optionId"] };
}
