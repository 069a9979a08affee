import { membersOf, type Side } from "../../inspected.ts";

/** What may have to be sent before another message makes sense. */
const setupMethods =
  /^(?:initialize|authenticate|session\/(?:new|load|resume|fork|set_mode|set_config_option|prompt)|auth\/.*|_.*)$/u;
/** How many of them are kept, and how many files that the agent has read. */
const mostCalls = 2_000;
const mostFiles = 500;
/** Larger messages are not kept, in UTF-16 code units. */
const largest = 1_000_000;

/** A request or a notification of the client, as it was sent. */
export interface KeptCall {
  readonly method: string;
  readonly params: unknown;
  readonly isNotification: boolean;
  /** The session that its answer has named. */
  session?: string;
}

/** What the client has sent, with all secrets: an agent needs them, and the page does not get them. */
export class KeptCalls {
  readonly #calls = new Map<number, KeptCall>();
  readonly #pending = new Map<string, KeptCall>();
  /** The answers of the client to what the agent wanted to read, by the params. */
  readonly #files = new Map<string, unknown>();
  readonly #reads = new Map<string, string>();
  #count = 0;

  /** Takes each message of the connection, in order. */
  take(from: Side, message: unknown): void {
    const number = this.#count++;
    const { id, method, params, result } = membersOf(message);
    const key = JSON.stringify(id) ?? "";
    if (typeof method === "string" && from === "client" && setupMethods.test(method) && isShort(params)) {
      const call: KeptCall = { method, params, isNotification: id === undefined };
      this.#calls.set(number, call);
      if (this.#calls.size > mostCalls) forgetOldest(this.#calls);
      if (id !== undefined) this.#pending.set(key, call);
    } else if (method === "fs/read_text_file" && from === "agent") this.#reads.set(key, fileOf(params));
    else if (method === undefined && from === "agent") {
      const { sessionId } = membersOf(result);
      const call = this.#pending.get(key);
      if (call !== undefined && typeof sessionId === "string") call.session = sessionId;
      this.#pending.delete(key);
    } else if (method === undefined) {
      const file = this.#reads.get(key);
      this.#reads.delete(key);
      if (file === undefined || result === undefined || !isShort(result)) return;
      this.#files.set(file, result);
      if (this.#files.size > mostFiles) forgetOldest(this.#files);
    }
  }

  /** The call with this number among all messages. */
  call(number: number): KeptCall | undefined {
    return this.#calls.get(number);
  }

  /** What the client answered when the agent read the same part of the same file. */
  file(params: unknown): unknown {
    return this.#files.get(fileOf(params));
  }
}

function fileOf(params: unknown): string {
  const { path, line, limit } = membersOf(params);
  return JSON.stringify([path, line, limit]);
}

function isShort(value: unknown): boolean {
  try {
    return (JSON.stringify(value) ?? "").length <= largest;
  } catch {
    return false;
  }
}

function forgetOldest(map: Map<unknown, unknown>): void {
  for (const key of map.keys()) return void map.delete(key);
}
