/** Receives the results of an {@link EventStreamParser}. */
export interface EventSink {
  /** The data of one event, and its id if it has one. */
  data(text: string, id: string | undefined): void;
  /** An event over the limit was discarded. Its length is in UTF-16 code units; `head` and `tail` are its ends. */
  tooLarge(units: number, head: string, tail: string, id: string | undefined): void;
}

/** The length of `head` and `tail` of a discarded event, in UTF-16 code units. */
const keptUnits = 1024;
/** The longest id that is read. */
const longestId = 64;

/**
 * Parses server-sent events by the HTML standard: lines end with CR, LF or both, lines that start with a colon are comments,
 * and the lines of data of an event are joined. An event has an id only if it brings one. ACP does not use other fields.
 *
 * Chunks may be cut anywhere, also within a character or between CR and LF. The parser keeps no more than the limit.
 */
export class EventStreamParser {
  readonly #limit: number;
  readonly #sink: EventSink;
  /** Also drops a byte order mark. */
  readonly #decoder = new TextDecoder();
  /** The field of the line; `undefined` while `#start` is too short to tell. */
  #field: "data" | "id" | "other" | undefined;
  #start = "";
  #id: string | undefined;
  /** The last character was a CR: a LF that follows belongs to the same line end. */
  #afterReturn = false;
  /** The data of the event so far. */
  #data: string[] | undefined;
  #units = 0;
  #head = "";
  #tail = "";

  /** @param limit of the data of an event, in UTF-16 code units. */
  constructor(limit: number, sink: EventSink) {
    this.#limit = limit;
    this.#sink = sink;
  }

  push(bytes: Uint8Array): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (text === "") return;
    let from = this.#afterReturn && text.startsWith("\n") ? 1 : 0;
    this.#afterReturn = text.endsWith("\r");
    const lineEnd = /\r\n?|\n/g;
    lineEnd.lastIndex = from;
    for (let found = lineEnd.exec(text); found !== null; found = lineEnd.exec(text)) {
      this.#take(text.slice(from, found.index));
      this.#endLine();
      from = lineEnd.lastIndex;
    }
    this.#take(text.slice(from));
  }

  /** Whether the last event is incomplete. By the standard, it does not count. */
  get isWithinEvent(): boolean {
    return this.#data !== undefined || (this.#start !== "" && "data:".startsWith(this.#start));
  }

  #take(part: string): void {
    if (this.#field === "data") return this.#add(part);
    if (this.#field === "id") return this.#addToId(part);
    if (this.#field === "other" || part === "") return;
    this.#start += part;
    // `data:` and an optional space.
    if (this.#start.length > 5) this.#beginField();
  }

  #beginField(): void {
    const start = this.#start;
    this.#start = "";
    if (start.startsWith("id:")) {
      this.#field = "id";
      this.#id = "";
      return this.#addToId(start.slice(start[3] === " " ? 4 : 3));
    }
    if (start !== "data" && !start.startsWith("data:")) {
      this.#field = "other";
      return;
    }
    this.#field = "data";
    if (this.#data === undefined) this.#data = [];
    else this.#add("\n");
    this.#add(start.slice(start[5] === " " ? 6 : 5));
  }

  #endLine(): void {
    if (this.#field === undefined) {
      if (this.#start === "") return this.#endEvent();
      this.#beginField();
    }
    this.#field = undefined;
  }

  #addToId(part: string): void {
    this.#id = ((this.#id ?? "") + part).slice(0, longestId);
  }

  #add(part: string): void {
    this.#units += part.length;
    if (this.#units <= this.#limit) {
      this.#data?.push(part);
      return;
    }
    // Over the limit: keep only the ends.
    if (this.#data !== undefined && this.#data.length > 0) {
      const before = this.#data.join("");
      this.#data = [];
      this.#head = before.slice(0, keptUnits);
      this.#tail = before.slice(-keptUnits);
    }
    if (this.#head.length < keptUnits) this.#head += part.slice(0, keptUnits - this.#head.length);
    this.#tail = (this.#tail + part.slice(-keptUnits)).slice(-keptUnits);
  }

  #endEvent(): void {
    const data = this.#data;
    const units = this.#units;
    const id = this.#id;
    this.#data = undefined;
    this.#units = 0;
    this.#id = undefined;
    if (data === undefined || units === 0) return;
    if (units <= this.#limit) return this.#sink.data(data.join(""), id);
    const head = this.#head;
    // In a short text, the two ends must not overlap.
    const tail = this.#tail.slice(Math.max(0, head.length + this.#tail.length - units));
    this.#head = "";
    this.#tail = "";
    this.#sink.tooLarge(units, head, tail, id);
  }
}
