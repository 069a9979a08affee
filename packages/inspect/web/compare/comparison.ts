import type { TraceComparison } from "../../src/web/trace-index.ts";

type Row = TraceComparison["rows"][number];

/** How two messages differ. */
export type Status = "same" | "changed" | "left" | "right";

/** Which messages of two recordings belong together. A row is known by the message that stands for it in the list. */
export class Comparison {
  /** The first message of the second recording. */
  readonly from: number;
  /** The messages that the list has, in its order. */
  readonly listed: readonly number[];
  readonly #rows = new Map<number, Row>();
  /** For the messages of the second recording that have a partner: the partner. */
  readonly #lefts = new Map<number, number>();

  constructor({ from, rows }: TraceComparison) {
    this.from = from;
    this.listed = rows.map((row) => (row.left < 0 ? row.right : row.left));
    for (const row of rows) {
      this.#rows.set(row.left < 0 ? row.right : row.left, row);
      if (row.left >= 0 && row.right >= 0) this.#lefts.set(row.right, row.left);
    }
  }

  /** The message in the list for a message that a row begins with; of a text that goes on, the one before it. */
  listedOf(message: number): number {
    for (let at = message; at >= 0; at--) {
      const listed = this.#lefts.get(at) ?? at;
      if (this.#rows.has(listed)) return listed;
    }
    return message;
  }

  row(listed: number): Row | undefined {
    return this.#rows.get(listed);
  }

  /** The message in the other recording that belongs to this one; -1 if there is none. */
  other(message: number): number {
    const row = this.#rows.get(this.listedOf(message));
    return row === undefined ? -1 : message < this.from ? row.right : row.left;
  }

  statusOf(listed: number): Status {
    const row = this.#rows.get(listed);
    if (row === undefined || (row.left >= 0 && row.right >= 0)) return row?.changes.length ? "changed" : "same";
    return row.left < 0 ? "right" : "left";
  }
}
