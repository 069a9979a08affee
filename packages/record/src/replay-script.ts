import { UsageError } from "@acp/core";
import { isObject } from "@acp/core/internal";
import type { RecordedMessage } from "./record-transport.ts";
import { Renames } from "./renames.ts";

type Message = Readonly<Record<PropertyKey, unknown>>;

/** A message that is played. */
export interface Line {
  readonly text: string;
  /** How long after the entry before it this one was recorded, in milliseconds. */
  readonly gap: number;
}

/** Who says what, in which order: a recording, and how far it was played. */
export class ReplayScript {
  readonly #entries: readonly RecordedMessage[];
  readonly #played: RecordedMessage["direction"];
  readonly #renames = new Renames();
  /** The sessions that are spoken of. */
  readonly #sessions: ReadonlySet<unknown>;
  /** How many messages of the other side still come in the recording, by what they are. */
  readonly #ahead = new Map<string, number>();
  /** What has come before its place in the recording. */
  readonly #early: Message[] = [];
  /** The ids of the other side's requests that have no answer yet: as recorded, in JSON, and as they are now. */
  readonly #ids = new Map<string, unknown>();
  #owed = 0;
  #next = 0;

  /** @throws {UsageError} for a recording in which nobody calls `initialize`. */
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
      if (!this.#isAwaited(entry)) continue;
      const kind = kindOf(entry.message);
      this.#ahead.set(kind, (this.#ahead.get(kind) ?? 0) + 1);
    }
  }

  get isOver(): boolean {
    return this.#next === this.#entries.length;
  }

  /** What has to come before it goes on, while the other side waits for an answer. */
  get missing(): string | undefined {
    const entry = this.#entries[this.#next];
    return entry !== undefined && this.#owed > 0 && this.#isAwaited(entry) ? kindOf(entry.message) : undefined;
  }

  /** Takes a message of the other side. Returns the answer to a request that the recording does not have. */
  take(message: unknown): object | undefined {
    if (!isObject(message)) return undefined;
    const kind = kindOf(message);
    const ahead = this.#ahead.get(kind);
    if (ahead === undefined || ahead === 0) {
      const reason = `The recording has no ${ahead === 0 ? "more " : ""}${kind}`;
      return isRequest(message)
        ? { jsonrpc: "2.0", id: message["id"], error: { code: -32603, message: reason } }
        : undefined;
    }
    this.#ahead.set(kind, ahead - 1);
    this.#early.push(message);
    if (isRequest(message)) this.#owed++;
    return undefined;
  }

  /** What is to be said next; nothing if the other side has to speak first, or all is said. */
  next(): Line | undefined {
    for (let entry = this.#entries[this.#next]; entry !== undefined; entry = this.#entries[this.#next]) {
      if (entry.direction === this.#played) return this.#line(entry);
      if (this.#isAwaited(entry) && !this.#hasCome(entry.message as Message)) return undefined;
      this.#next++;
    }
    return undefined;
  }

  #line({ message, time }: RecordedMessage): Line {
    const before = this.#entries[this.#next - 1]?.time ?? time;
    this.#next++;
    const gap = Math.max(0, Date.parse(time) - Date.parse(before)) || 0;
    if (!isObject(message)) return { text: String(message), gap };
    const said = this.#renames.applied(message) as Message;
    if ("method" in message) return { text: JSON.stringify(said), gap };
    const id = JSON.stringify(message["id"]);
    const isOwn = this.#ids.has(id);
    if (isOwn) this.#owed--;
    const answer = isOwn ? { ...said, id: this.#ids.get(id) } : said;
    this.#ids.delete(id);
    return { text: JSON.stringify(answer), gap };
  }

  #hasCome(recorded: Message): boolean {
    const index = this.#indexOf(recorded);
    if (index < 0) return false;
    const [actual] = this.#early.splice(index, 1);
    if (isRequest(recorded)) this.#ids.set(JSON.stringify(recorded["id"]), actual?.["id"]);
    this.#renames.learn(recorded, actual);
    return true;
  }

  /** The message that has this place in the recording: of its session, or of one that the recording does not know. */
  #indexOf(recorded: Message): number {
    const kind = kindOf(recorded);
    const session = sessionOf(recorded);
    const name = typeof session === "string" ? this.#renames.nameOf(session) : undefined;
    const isOf = (fits: (session: unknown) => boolean): number =>
      this.#early.findIndex((message) => kindOf(message) === kind && fits(sessionOf(message)));
    const own = isOf((actual) => actual === name);
    return own >= 0 ? own : isOf((actual) => !this.#sessions.has(actual));
  }

  /**
   * Requests and answers are waited for. Of notifications only what cancels is: what an agent tells on its way differs
   * from run to run.
   */
  #isAwaited({ direction, message }: RecordedMessage): boolean {
    if (direction === this.#played || !isObject(message)) return false;
    const { method } = message;
    return "id" in message || method === "session/cancel" || method === "$/cancel_request";
  }
}

function isRequest(message: Message): boolean {
  return "method" in message && "id" in message;
}

/** What a message is, in words: messages of one kind can stand for each other. */
function kindOf(message: unknown): string {
  const { id, method } = message as Message;
  return typeof method === "string" ? method : `the answer to request ${JSON.stringify(id)}`;
}

function sessionOf(message: unknown): unknown {
  if (!isObject(message) || !isObject(message["params"])) return undefined;
  return message["params"]["sessionId"];
}
