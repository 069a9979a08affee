import { Comparison } from "./compare/comparison.ts";
import { kinds, type TraceEntry, type TraceFinding, type TraceIndex } from "../src/web/trace-index.ts";

/** How many answers a method needs before one of them can be slow. */
const fewest = 10;

/** Everything about the messages but their texts. A message is a number: its place in the trace. */
export class Trace {
  /** How many messages were dropped before the first one. */
  dropped = 0;
  readonly sessions: string[] = [];
  readonly names: string[] = [];
  readonly tools: { readonly id: string; title: string }[] = [];
  /** Milliseconds since the first message. */
  readonly times: number[] = [];
  readonly marks: number[] = [];
  readonly name: number[] = [];
  readonly session: number[] = [];
  readonly turn: number[] = [];
  readonly tool: number[] = [];
  readonly size: number[] = [];
  readonly id: (string | undefined)[] = [];
  /** The answer of a request, the request of an answer; else -1. */
  readonly partner: number[] = [];
  findings: Map<number, TraceFinding[]> = new Map();
  /** The first messages of the rows: chunks of one text are one row. */
  rows: number[] = [];
  start = 0;
  /** Only for two recordings. */
  comparison: Comparison | undefined;
  readonly #indexes = new Map<string, number>();
  #slow = new Map<number, number>();

  get count(): number {
    return this.marks.length;
  }

  /** The messages that the list has: of two recordings one for each pair. */
  get listed(): readonly number[] {
    return this.comparison?.listed ?? this.rows;
  }

  /** The message that stands for this one in the list. */
  listedOf(message: number): number {
    const [row] = this.rowOf(message);
    return this.comparison?.listedOf(row) ?? row;
  }

  /** Reads the index of a file. */
  static of(index: TraceIndex): Trace {
    const trace = new Trace();
    trace.start = index.start;
    trace.sessions.push(...index.sessions);
    trace.names.push(...index.names);
    trace.tools.push(...index.tools.map(([id, title]) => ({ id, title })));
    const [ids, answers] = [index.ids.values(), index.answers.values()];
    let time = 0;
    for (const [n, mark] of index.marks.entries()) {
      // The second recording has its own beginning.
      time = n === index.comparison?.from ? 0 : time + (index.times[n] ?? 0);
      const kind = kinds[mark >> 2];
      const hasId = kind !== "notification" && kind !== "noise";
      const before = kind === "result" || kind === "error" ? (answers.next().value ?? 0) : 0;
      trace.#push(mark, time, hasId ? ids.next().value : undefined, before);
      trace.name.push(index.name[n] ?? 0);
      trace.session.push(index.session[n] ?? 0);
      trace.turn.push(index.turn[n] ?? 0);
      trace.tool.push(index.tool[n] ?? 0);
      trace.size.push(index.size[n] ?? 0);
    }
    if (index.comparison !== undefined) trace.comparison = new Comparison(index.comparison);
    for (const [message, path, reason, isHint] of index.findings)
      trace.#find(message, { path, reason: index.reasons[reason] ?? "", isHint: isHint === 1 });
    return trace;
  }

  /** Takes the next message of a live connection. */
  add(entry: TraceEntry): void {
    if (this.count === 0) this.start = entry.time;
    const message = this.count;
    const mark = 4 * kinds.indexOf(entry.kind) + (entry.from === "agent" ? 1 : 0) + (entry.joins ? 2 : 0);
    this.#push(mark, entry.time - this.start, entry.id, entry.answers ?? 0);
    this.name.push(this.#indexOf("name", entry.name, () => this.names.push(entry.name)));
    const { session, tool } = entry;
    this.session.push(
      session === undefined ? 0 : this.#indexOf("session", session, () => this.sessions.push(session)) + 1,
    );
    this.turn.push(entry.turn ?? 0);
    if (tool === undefined) this.tool.push(0);
    else {
      const key = JSON.stringify([session, tool]);
      const at = this.#indexOf("tool", key, () => this.tools.push({ id: tool, title: "" }));
      const known = this.tools[at];
      if (known !== undefined && known.title === "") known.title = entry.title ?? "";
      this.tool.push(at + 1);
    }
    this.size.push(entry.size);
    for (const finding of entry.findings) this.#find(message, finding);
    this.#slow.clear();
  }

  /** Forgets the first messages. */
  drop(count: number): void {
    for (const column of [this.times, this.marks, this.name, this.session, this.turn, this.tool, this.size, this.id])
      column.splice(0, count);
    const partners = this.partner.splice(0);
    for (const partner of partners.slice(count)) this.partner.push(partner < count ? -1 : partner - count);
    const kept = [...this.findings].filter(([message]) => message >= count);
    this.findings = new Map(kept.map(([message, findings]) => [message - count, findings]));
    this.rows = this.rows.filter((row) => row >= count).map((row) => row - count);
    if (this.rows[0] !== 0 && this.count > 0) this.rows.unshift(0);
    this.dropped += count;
  }

  kindOf(message: number): (typeof kinds)[number] {
    return kinds[(this.marks[message] ?? 0) >> 2] ?? "noise";
  }

  isOfAgent(message: number): boolean {
    return ((this.marks[message] ?? 0) & 1) === 1;
  }

  nameOf(message: number): string {
    return this.names[this.name[message] ?? 0] ?? "";
  }

  sessionOf(message: number): string {
    return this.sessions[(this.session[message] ?? 0) - 1] ?? "";
  }

  /** How long a request or an answer took, in milliseconds. */
  tookOf(message: number): number | undefined {
    const partner = this.partner[message] ?? -1;
    if (partner < 0) return undefined;
    return Math.max(0, Math.abs((this.times[message] ?? 0) - (this.times[partner] ?? 0)));
  }

  isWrong(message: number): boolean {
    return this.findings.get(message)?.some(({ isHint }) => !isHint) === true;
  }

  /** Whether a request has no answer. */
  isOpen(message: number): boolean {
    return this.kindOf(message) === "request" && this.partner[message] === -1;
  }

  /** Whether an answer took longer than 95 of 100 to the same method. */
  isSlow(message: number): boolean {
    const took = this.tookOf(message);
    return took !== undefined && took > this.#limitOf(this.name[message] ?? 0);
  }

  #limitOf(name: number): number {
    if (this.#slow.size === 0) {
      const all = new Map<number, number[]>([[-1, []]]);
      for (const [message, partner] of this.partner.entries()) {
        if (partner < 0 || partner > message) continue;
        const list = all.get(this.name[message] ?? 0) ?? [];
        all.set(this.name[message] ?? 0, list);
        list.push(this.tookOf(message) ?? 0);
      }
      for (const [of, list] of all) {
        list.sort((one, other) => one - other);
        this.#slow.set(of, list.length < fewest ? Infinity : (list[Math.floor(list.length * 0.95)] ?? Infinity));
      }
    }
    return this.#slow.get(name) ?? Infinity;
  }

  /** The first message of the row of a message, and the first one of the next row. */
  rowOf(message: number): readonly [start: number, end: number] {
    const at = placeIn(this.rows, message);
    return [this.rows[at] ?? 0, this.rows[at + 1] ?? this.count];
  }

  #push(mark: number, time: number, id: string | undefined, before: number): void {
    const message = this.count;
    if ((mark & 2) === 0 || message === 0) this.rows.push(message);
    this.marks.push(mark);
    this.times.push(time);
    this.id.push(id);
    const partner = before > 0 && before <= message ? message - before : -1;
    this.partner.push(partner);
    if (partner >= 0) this.partner[partner] = message;
  }

  #find(message: number, finding: TraceFinding): void {
    const found = this.findings.get(message);
    if (found === undefined) this.findings.set(message, [finding]);
    else found.push(finding);
  }

  #indexOf(kind: string, text: string, push: () => number): number {
    const key = `${kind} ${text}`;
    const known = this.#indexes.get(key) ?? push() - 1;
    this.#indexes.set(key, known);
    return known;
  }
}

/** The place of the last number that is not above `value`, in a sorted list; 0 if there is none. */
export function placeIn(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}
