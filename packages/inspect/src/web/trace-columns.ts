import { kinds, type TraceEntry, type TraceIndex } from "./trace-index.ts";

/** Collects entries as the columns of an index. */
export class TraceColumns {
  readonly #names = new Dictionary();
  readonly #sessions = new Dictionary();
  readonly #tools = new Dictionary();
  readonly #reasons = new Dictionary();
  readonly #titles: string[] = [];
  readonly #times: number[] = [];
  readonly #marks: number[] = [];
  readonly #name: number[] = [];
  readonly #session: number[] = [];
  readonly #turn: number[] = [];
  readonly #tool: number[] = [];
  readonly #size: number[] = [];
  readonly #ids: string[] = [];
  readonly #answers: number[] = [];
  readonly #findings: [number, string, number, 0 | 1][] = [];
  #start = 0;
  #last: number | undefined;

  get count(): number {
    return this.#marks.length;
  }

  add(entry: TraceEntry): void {
    const index = this.count;
    const time = Number.isNaN(entry.time) ? (this.#last ?? 0) : entry.time;
    if (this.#last === undefined) this.#start = time;
    this.#times.push(time - (this.#last ?? time));
    this.#last = time;
    this.#marks.push(4 * kinds.indexOf(entry.kind) + (entry.from === "agent" ? 1 : 0) + (entry.joins ? 2 : 0));
    this.#name.push(this.#names.indexOf(entry.name));
    this.#session.push(entry.session === undefined ? 0 : this.#sessions.indexOf(entry.session) + 1);
    this.#turn.push(entry.turn ?? 0);
    this.#tool.push(this.#toolOf(entry));
    this.#size.push(entry.size);
    if (entry.kind !== "notification" && entry.kind !== "noise") this.#ids.push(entry.id ?? "");
    if (entry.kind === "result" || entry.kind === "error") this.#answers.push(entry.answers ?? 0);
    for (const { path, reason, isHint } of entry.findings)
      this.#findings.push([index, path, this.#reasons.indexOf(reason), isHint ? 1 : 0]);
  }

  /** A tool call is one in its session: two sessions may have the same id. */
  #toolOf({ session, tool, title }: TraceEntry): number {
    if (tool === undefined) return 0;
    const index = this.#tools.indexOf(JSON.stringify([session, tool]));
    if (title !== undefined) this.#titles[index] ??= title;
    return index + 1;
  }

  index(about: Pick<TraceIndex, "title" | "chunks" | "withSecrets" | "withoutText" | "comparison">): TraceIndex {
    return {
      ...about,
      start: this.#start,
      names: this.#names.values,
      sessions: this.#sessions.values,
      tools: this.#tools.values.map((key, index) => {
        const [, id] = JSON.parse(key) as [unknown, string];
        return [id, this.#titles[index] ?? ""];
      }),
      reasons: this.#reasons.values,
      times: this.#times,
      marks: this.#marks,
      name: this.#name,
      session: this.#session,
      turn: this.#turn,
      tool: this.#tool,
      size: this.#size,
      ids: this.#ids,
      answers: this.#answers,
      findings: this.#findings,
    };
  }
}

/** Texts that occur often, each kept once. */
class Dictionary {
  readonly #indexes = new Map<string, number>();

  get values(): string[] {
    return [...this.#indexes.keys()];
  }

  indexOf(text: string): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    this.#indexes.set(text, this.#indexes.size);
    return this.#indexes.size - 1;
  }
}
