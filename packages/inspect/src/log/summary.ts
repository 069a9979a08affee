import type { InspectedMessage, Side } from "../inspected.ts";
import { shownDuration, shownText } from "./shown.ts";
import type { Style } from "./style.ts";

/** How many kinds of violations are listed. */
const listedKinds = 20;
/** How many kinds are counted separately: a peer may invent names without end. */
const kept = 1_000;

/** The summary of a connection. */
export class Summary {
  readonly #style: Style;
  #first: Date | undefined;
  #last: Date | undefined;
  readonly #counts = { client: 0, agent: 0, notifications: 0 };
  /** How often each kind of violation occurred. */
  readonly #wrong = new Map<string, number>();
  #others = 0;
  /** How often each kind of hint occurred: there are few. */
  readonly #hints = new Map<string, number>();

  constructor(style: Style) {
    this.#style = style;
  }

  get isWrong(): boolean {
    return this.#wrong.size > 0;
  }

  add({ time, from, kind, method, findings }: InspectedMessage): void {
    this.#first ??= time;
    this.#last = time;
    if (kind === "request") this.#counts[from] += 1;
    if (kind === "notification") this.#counts.notifications += 1;
    for (const { path, reason, isHint } of findings) {
      // One place in many messages, whichever item of a list it was.
      const place = shownText(path.replaceAll(/\/\d+(?=\/|$)/gu, "/…"), false);
      const noun = kind === "noise" ? "text" : "answer";
      const subject = method === undefined ? noun : shownText(this.#style.redaction.text(method), false);
      const words = `${from} ${subject}${place === "" ? "" : ` ${place}:`} ${reason}`;
      if (isHint === true) this.#hints.set(words, (this.#hints.get(words) ?? 0) + 1);
      else this.#count(words);
    }
  }

  lost(from: Side, reason: string): void {
    this.#count(`${from} message: ${shownText(this.#style.redaction.text(reason), false)}`);
  }

  lines(unanswered: number): string[] {
    const { client, agent, notifications } = this.#counts;
    const took = (this.#last?.getTime() ?? 0) - (this.#first?.getTime() ?? 0);
    const open = unanswered === 0 ? "" : `, ${unanswered} never answered`;
    const lines = [
      `${shownDuration(took)}; requests: ${client} of the client, ${agent} of the agent${open}; notifications: ${notifications}`,
    ];
    const hints =
      this.#hints.size === 0 ? [] : ["What is allowed, but hardly meant:", ...[...this.#hints].map(counted)];
    if (!this.isWrong) return [...lines, "Nothing is wrong with the messages.", ...hints];
    const kinds = [...this.#wrong].toSorted(([, one], [, other]) => other - one);
    lines.push("What is wrong, and how often:", ...kinds.slice(0, listedKinds).map(counted));
    const more = kinds.slice(listedKinds).reduce((sum, [, count]) => sum + count, this.#others);
    if (more > 0) lines.push(counted(["something else", more]));
    return [...lines, ...hints];
  }

  #count(words: string): void {
    const count = this.#wrong.get(words);
    if (count === undefined && this.#wrong.size >= kept) this.#others += 1;
    else this.#wrong.set(words, (count ?? 0) + 1);
  }
}

function counted([words, count]: readonly [string, number]): string {
  return `${String(count).padStart(6)} × ${words}`;
}
