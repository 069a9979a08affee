import { UsageError } from "@acp/core";
import { isObject } from "@acp/core/internal";
import type { RecordedMessage } from "./record-transport.ts";
import { Renames } from "./renames.ts";

type Message = Readonly<Record<PropertyKey, unknown>>;

/** A message to play. */
export interface ReplayedMessage {
  readonly text: string;
  /** The recorded time since the entry before it, in milliseconds. */
  readonly gap: number;
}

/** A recording, and how far it was played. */
export class ReplayScript {
  readonly #entries: readonly RecordedMessage[];
  readonly #played: RecordedMessage["direction"];
  readonly #renames = new Renames();
  /** The sessions of the recording. */
  readonly #sessions: ReadonlySet<unknown>;
  /** How many messages of the peer are left in the recording, by kind. */
  readonly #expected = new Map<string, number>();
  /** Messages that were received before their place in the recording. */
  readonly #early: Message[] = [];
  /** The current ids of the pending requests of the peer, by the recorded ones in JSON. */
  readonly #ids = new Map<string, unknown>();
  /** Pending requests of the peer. */
  #pending = 0;
  #next = 0;

  /** @throws {UsageError} for a recording without `initialize`. */
  constructor(entries: readonly RecordedMessage[], as: "agent" | "client") {
    const opening = entries.find(({ message }) => isObject(message) && message["method"] === "initialize");
    if (opening === undefined) {
      throw new UsageError("The recording has no initialize: it must begin where its connection does");
    }
    this.#entries = entries;
    const ofAgent = opening.direction === "sent" ? "received" : "sent";
    this.#played = as === "client" ? opening.direction : ofAgent;
    this.#sessions = new Set(entries.map(({ message }) => sessionOf(message)));
    for (const entry of entries) {
      if (!this.#isExpected(entry)) continue;
      const kind = kindOf(entry.message);
      this.#expected.set(kind, (this.#expected.get(kind) ?? 0) + 1);
    }
  }

  get isOver(): boolean {
    return this.#next === this.#entries.length;
  }

  /** The message that the replay waits for, while the peer waits for an answer. */
  get missing(): string | undefined {
    const entry = this.#entries[this.#next];
    return entry !== undefined && this.#pending > 0 && this.#isExpected(entry) ? kindOf(entry.message) : undefined;
  }

  /** Receives a message of the peer. Returns an error for a request that is not in the recording. */
  receive(message: unknown): object | undefined {
    if (!isObject(message)) return undefined;
    const kind = kindOf(message);
    const expected = this.#expected.get(kind);
    if (!expected) {
      if (!isRequest(message)) return undefined;
      const reason = `The recording has no ${expected === 0 ? "more " : ""}${kind}`;
      return { jsonrpc: "2.0", id: message["id"], error: { code: -32603, message: reason } };
    }
    this.#expected.set(kind, expected - 1);
    this.#early.push(message);
    if (isRequest(message)) this.#pending++;
    return undefined;
  }

  /** The next message to play; `undefined` at the end, or if the peer has to send one first. */
  next(): ReplayedMessage | undefined {
    for (let entry = this.#entries[this.#next]; entry !== undefined; entry = this.#entries[this.#next]) {
      if (entry.direction === this.#played) return this.#play(entry);
      if (this.#isExpected(entry) && !this.#takeEarly(entry.message as Message)) return undefined;
      this.#next++;
    }
    return undefined;
  }

  #play({ message, time }: RecordedMessage): ReplayedMessage {
    const before = this.#entries[this.#next - 1]?.time ?? time;
    this.#next++;
    const gap = Math.max(0, Date.parse(time) - Date.parse(before)) || 0;
    if (!isObject(message)) return { text: String(message), gap };
    const renamed = this.#renames.apply(message) as Message;
    const id = JSON.stringify(message["id"]);
    if ("method" in message || !this.#ids.has(id)) return { text: JSON.stringify(renamed), gap };
    this.#pending--;
    const text = JSON.stringify({ ...renamed, id: this.#ids.get(id) });
    this.#ids.delete(id);
    return { text, gap };
  }

  #takeEarly(recorded: Message): boolean {
    const index = this.#indexOf(recorded);
    if (index < 0) return false;
    const [actual] = this.#early.splice(index, 1);
    if (isRequest(recorded)) this.#ids.set(JSON.stringify(recorded["id"]), actual?.["id"]);
    this.#renames.compare(recorded, actual);
    return true;
  }

  /** The received message in this place of the recording: of its session, or of one that the recording does not have. */
  #indexOf(recorded: Message): number {
    const kind = kindOf(recorded);
    const session = sessionOf(recorded);
    const current = typeof session === "string" ? this.#renames.currentId(session) : undefined;
    const find = (fits: (session: unknown) => boolean): number =>
      this.#early.findIndex((message) => kindOf(message) === kind && fits(sessionOf(message)));
    const own = find((actual) => actual === current);
    return own >= 0 ? own : find((actual) => !this.#sessions.has(actual));
  }

  /** The replay waits for requests, answers and cancellations. Other notifications differ from run to run. */
  #isExpected({ direction, message }: RecordedMessage): boolean {
    if (direction === this.#played || !isObject(message)) return false;
    const { method } = message;
    return "id" in message || method === "session/cancel" || method === "$/cancel_request";
  }
}

function isRequest(message: Message): boolean {
  return "method" in message && "id" in message;
}

/** The kind of a message, in words. Messages of the same kind can replace each other. */
function kindOf(message: unknown): string {
  const { id, method } = message as Message;
  return typeof method === "string" ? method : `the answer to request ${JSON.stringify(id)}`;
}

function sessionOf(message: unknown): unknown {
  if (!isObject(message) || !isObject(message["params"])) return undefined;
  return message["params"]["sessionId"];
}
