import { checkCurrentValues } from "./current-values.ts";
import type { MessageChecks, Violations } from "./message-checks.ts";
import type { MessageOrder } from "./message-order.ts";
import { isParams, type Params } from "./params.ts";

/** The two sides of a connection. */
export type Side = "agent" | "client";

/** The rules of one version of the protocol. */
export interface StrictRules {
  readonly checks: MessageChecks;
  /**
   * Creates the rules for the order of one connection. `mayCross`: the agent may have sent its message before it read the
   * client's last request.
   */
  readonly order: (mayCross: boolean) => MessageOrder;
  readonly version: 1 | 2;
}

/** A request or a notification. */
export interface Call {
  readonly method: string;
  readonly params: Params;
  readonly isRequest: boolean;
  /** {@link keyOf} of its id. */
  readonly key: string | undefined;
}

/** What both sides of a connection have sent so far, and the rules of one version for their next messages. */
export class Conversation {
  readonly #checks: MessageChecks;
  readonly #order: MessageOrder;
  readonly #version: number;
  /** The pending requests, by sender, and the keys of their ids. */
  readonly #pending = { agent: new Map<string, Call>(), client: new Map<string, Call>() };

  constructor({ checks, order, version }: StrictRules, mayCross: boolean) {
    this.#checks = checks;
    this.#order = order(mayCross);
    this.#version = version;
  }

  /** Whether there is no such method, or not with or without an id. */
  misnamed({ method, isRequest }: Call): Violations {
    return this.#checks.method(method, isRequest);
  }

  /** Finds what is wrong with the params of a call, or with its place. */
  misplaced(from: Side, { method, params, isRequest }: Call): Violations {
    if (this.isOlder(method, params)) return [];
    const found = isRequest ? this.#checks.request(method, params) : this.#checks.notification(method, params);
    if (found.length > 0) return found;
    if (from === "client") return this.#order.checkClient?.(method, params) ?? [];
    const values = checkCurrentValues(method, params);
    return values.length > 0 ? values : this.#order.check(method, params);
  }

  /** Records a call that was sent. */
  record(from: Side, call: Call): void {
    if (call.key !== undefined) this.#pending[from].set(call.key, call);
    const params = membersOf(call.params);
    if (from === "agent") this.#order.sentByAgent(call.method, params);
    else this.#order.askedByClient(call.method, params);
  }

  /** The pending request of `side` with this id. */
  pendingCall(side: Side, id: unknown): Call | undefined {
    const key = keyOf(id);
    return key === undefined ? undefined : this.#pending[side].get(key);
  }

  /** Finds what is wrong with a result. The rules of an {@link isOlder older} version check its own. */
  checkResult({ method, params }: Call, result: unknown): Violations {
    const checked = this.#checks.result(method, result);
    const found = checked.length > 0 ? checked : checkCurrentValues(method, result);
    return found.length > 0 ? found : (this.#order.checkResult?.(method, membersOf(params)) ?? []);
  }

  /** Records the answer to a request of `side`; `result` is `undefined` for an error. */
  recordAnswer(side: Side, { method, params, key }: Call, result: unknown): void {
    if (key !== undefined) this.#pending[side].delete(key);
    this.#order.answered(method, membersOf(params), result);
  }

  /** Whether it is for an older version, and has that version's shape: that is how the sides find a common version. */
  isOlder(method: string, body: unknown): boolean {
    const version = method === "initialize" && isParams(body) ? body["protocolVersion"] : undefined;
    return typeof version === "number" && version >= 1 && version < this.#version;
  }
}

/** The members of what was sent as `params`, which may be anything. */
function membersOf(params: unknown): Params {
  return isParams(params) ? params : {};
}

/** Reads a message as a call; `undefined` for an answer. */
export function callIn({ method, id, params }: Params): Call | undefined {
  if (typeof method !== "string") return undefined;
  // Absent params count as empty, as everywhere.
  const members = isParams(params) ? params : params === undefined ? {} : (params as Params);
  return { method, params: members, isRequest: id !== undefined, key: keyOf(id) };
}

/**
 * Writes an id as JSON, since 1 and "1" are two; `undefined` if there is none. Any other value is no id, and may be
 * nested too deeply to be written.
 */
function keyOf(id: unknown): string | undefined {
  return typeof id === "string" || typeof id === "number" || id === null ? JSON.stringify(id) : undefined;
}
