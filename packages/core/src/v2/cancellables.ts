import { LazyAbort } from "../connection/lazy-abort.ts";

interface Capabilities {
  readonly cancel?: object | null;
}

/** An update of something that a client may be able to cancel, as it is sent or received. */
export type CancellableUpdate =
  | {
      readonly sessionUpdate: "tool_call_update";
      readonly toolCallId: string;
      readonly status?: unknown;
      readonly capabilities?: Capabilities | null;
    }
  | {
      readonly sessionUpdate: "terminal_update";
      readonly terminalId: string;
      readonly exitStatus?: object | null;
      readonly capabilities?: Capabilities | null;
    };

/**
 * The tool calls and terminals of a session that its client may cancel: those whose last told `capabilities` say so, until
 * they are over. The key has the kind as well, since each kind has ids of its own.
 */
export class Cancellables {
  readonly #open = new Map<string, LazyAbort>();

  /** Takes note of what an update says of it. */
  see(update: CancellableUpdate): void {
    const { capabilities } = update;
    const isCall = update.sessionUpdate === "tool_call_update";
    const key = isCall ? `call ${update.toolCallId}` : `terminal ${update.terminalId}`;
    const isOver = isCall ? isFinal(update.status) : update.exitStatus != null;
    if (isOver || (capabilities !== undefined && capabilities?.cancel == null)) this.#open.delete(key);
    else if (capabilities?.cancel != null && !this.#open.has(key)) this.#open.set(key, new LazyAbort());
  }

  /** Aborts when the client cancels it; nothing for one that it cannot cancel. */
  get(kind: "call" | "terminal", id: string): LazyAbort | undefined {
    return this.#open.get(`${kind} ${id}`);
  }

  /** All of them are cancelled: the session ends. */
  end(reason: unknown): void {
    for (const abort of this.#open.values()) abort.abort(reason);
  }
}

function isFinal(status: unknown): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}
