import { RequestError } from "@acp/core";

import type { Command, EntryBody, WireError } from "../journal/entry.ts";
import { toWireError } from "../wire-error.ts";
import type { AgentLink } from "./agent-link.ts";

/** What the calls of clients need of their keeper. */
export interface AgentCallsParts {
  /** The agent, which is started if need be. */
  open(): Promise<AgentLink>;
  /** Stores an entry; resolves once it is stored. */
  add(body: EntryBody, by?: string): Promise<void>;
  /** Stores an update that the agent has not sent itself. */
  addUpdate(update: unknown): void;
  /** A call is over. */
  done(at: number, key: string, error: WireError | undefined, by?: string, result?: unknown): void;
  /** No call runs any more. */
  onIdle(): void;
}

/** How a call ended whose keeper has died. */
export const lostCall: WireError = {
  code: -32603,
  message: "The agent's keeper has died: whether the request was carried out is unknown",
};

type Call = Extract<Command, { type: "call" }>;

/** The requests and notifications of clients, on their way to the agent. */
export class AgentCalls {
  readonly #parts: AgentCallsParts;
  readonly #running = new Map<string, { readonly end: Promise<void>; readonly cancel: AbortController }>();

  constructor(parts: AgentCallsParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#running.size;
  }

  has(key: string): boolean {
    return this.#running.has(key);
  }

  take(at: number, key: string, call: Call): void {
    const cancel = new AbortController();
    const end = this.#run(at, key, call, cancel.signal).finally(() => {
      this.#running.delete(key);
      if (this.#running.size === 0) this.#parts.onIdle();
    });
    this.#running.set(key, { end, cancel });
  }

  /** Whoever sent it cancels it. */
  drop(key: string): void {
    this.#running.get(key)?.cancel.abort(new RequestError({ code: -32800, message: "Request cancelled" }));
  }

  /** Resolves when all of them have ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ end }) => end));
  }

  async #run(at: number, key: string, call: Call, signal: AbortSignal): Promise<void> {
    const { done } = this.#parts;
    let result: unknown;
    try {
      result = await this.#call(key, call, signal);
    } catch (error) {
      return done(at, key, toWireError(error), call.by);
    }
    this.#note(call, result);
    done(at, key, undefined, call.by, result);
  }

  async #call(
    key: string,
    { method, params, by, isNotification = false }: Call,
    signal: AbortSignal,
  ): Promise<unknown> {
    const agent = await this.#parts.open();
    // Nobody knows what it does when it is done twice.
    if (method.startsWith("_")) await this.#parts.add({ t: "began", key }, by);
    signal.throwIfAborted();
    return await agent.call(method, Object(params) as object, isNotification, signal);
  }

  /** Agents need not report what a client has set: everybody else learns of it by an update. */
  #note({ method, params }: Call, result: unknown): void {
    const { modeId } = Object(params) as { modeId?: unknown };
    const { configOptions } = Object(result) as { configOptions?: unknown };
    if (method === "session/set_mode")
      this.#parts.addUpdate({ sessionUpdate: "current_mode_update", currentModeId: modeId });
    if (method === "session/set_config_option" && Array.isArray(configOptions))
      this.#parts.addUpdate({ sessionUpdate: "config_option_update", configOptions });
  }
}
