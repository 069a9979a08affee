import { LazyAbort } from "../../base/abort.ts";

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

/** How many are remembered: the agent picks their ids. */
const maxCount = 10_000;

/**
 * The tool calls and terminals of a session that its client may cancel: those whose latest `capabilities` allow it, unless they
 * are over. One that starts again may be cancelled again. Keys contain the kind, since each kind has ids of its own.
 */
export class Cancellables {
  /** Those whose capabilities allow it; `undefined` for one that is over. */
  readonly #known = new Map<string, LazyAbort | undefined>();

  /** Takes an update of a tool call or terminal: members that it leaves out are as before. */
  receive(update: CancellableUpdate): void {
    const { capabilities } = update;
    const isCall = update.sessionUpdate === "tool_call_update";
    const key = isCall ? `call ${update.toolCallId}` : `terminal ${update.terminalId}`;
    const isKnown = this.#known.has(key);
    if (capabilities === undefined ? !isKnown : capabilities?.cancel == null) return void this.#known.delete(key);
    if (!isKnown && this.#known.size >= maxCount) return;
    const before = this.#known.get(key);
    const now = isCall ? update.status : update.exitStatus;
    const isOver = now === undefined ? isKnown && before === undefined : isCall ? isFinal(now) : now !== null;
    this.#known.set(key, isOver ? undefined : (before ?? new LazyAbort()));
  }

  /** Aborts when the client cancels it; `undefined` for one that it cannot cancel. */
  get(kind: "call" | "terminal", id: string): LazyAbort | undefined {
    return this.#known.get(`${kind} ${id}`);
  }

  /** Cancels all of them: the session ends. */
  end(reason: unknown): void {
    for (const abort of this.#known.values()) abort?.abort(reason);
  }
}

function isFinal(status: unknown): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}
