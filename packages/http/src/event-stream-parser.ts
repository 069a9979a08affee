/** Where an {@link EventStreamParser} delivers. */
export interface EventSink {
  /** The data of one event. */
  data(text: string): void;
  /** An event of more than the limit was left out. Of so many UTF-16 code units, and with these at its ends. */
  tooLarge(units: number, head: string, tail: string): void;
}

/** How much of each end of an event that is left out is kept, in UTF-16 code units. */
const keptUnits = 1024;

/**
 * Cuts a stream of server-sent events into the data of each, as the HTML standard says: lines end in CR, LF or both, those
 * that begin with a colon are comments, several lines of data are one text. Other fields mean nothing to ACP.
 *
 * The bytes may come in any chunks, cut within a character or between CR and LF. Each is looked at once, and no more than
 * the limit is kept.
 */
export class EventStreamParser {
  readonly #limit: number;
  readonly #sink: EventSink;
  /** It drops a BOM, too. */
  readonly #decoder = new TextDecoder();
  /** Which field the line is; `undefined` while its beginning may be that of any. */
  #field: "data" | "other" | undefined;
  /** The beginning of the line while that is so. */
  #start = "";
  /** The last character was a CR: a LF belongs to it. */
  #afterReturn = false;
  /** The data of the event so far, in pieces. */
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

  /** Whether an event was begun and not finished. It is none, by the standard: it may be cut off. */
  get isWithinEvent(): boolean {
    return this.#data !== undefined || (this.#start !== "" && "data:".startsWith(this.#start));
  }

  /** A part of a line. */
  #take(part: string): void {
    if (this.#field === "data") return this.#add(part);
    if (this.#field === "other" || part === "") return;
    this.#start += part;
    // `data:` and the space that may follow it.
    if (this.#start.length > 5) this.#beginField();
  }

  #beginField(): void {
    const start = this.#start;
    this.#start = "";
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

  #add(part: string): void {
    this.#units += part.length;
    if (this.#units <= this.#limit) {
      this.#data?.push(part);
      return;
    }
    // Of what is too large, only the ends are kept.
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
    this.#data = undefined;
    this.#units = 0;
    if (data === undefined || units === 0) return;
    if (units <= this.#limit) return this.#sink.data(data.join(""));
    const head = this.#head;
    // The two ends of a text that is hardly longer than one of them must not overlap.
    const tail = this.#tail.slice(Math.max(0, head.length + this.#tail.length - units));
    this.#head = "";
    this.#tail = "";
    this.#sink.tooLarge(units, head, tail);
  }
}
