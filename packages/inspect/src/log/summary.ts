import type { InspectedMessage } from "../inspected.ts";
import { shownDuration, shownText } from "./shown.ts";

/** How many kinds of what is wrong are listed. */
const listed = 20;

/** What a connection came to. */
export class Summary {
  #first: Date | undefined;
  #last: Date | undefined;
  readonly #counts = { client: 0, agent: 0, notifications: 0 };
  /** How often each thing was wrong. */
  readonly #wrong = new Map<string, number>();

  get isWrong(): boolean {
    return this.#wrong.size > 0;
  }

  add({ time, from, kind, method, findings }: InspectedMessage): void {
    this.#first ??= time;
    this.#last = time;
    if (kind === "request") this.#counts[from] += 1;
    if (kind === "notification") this.#counts.notifications += 1;
    for (const { path, reason } of findings) {
      // One place in each of many messages, whichever item of a list it was.
      const place = shownText(path.replaceAll(/\/\d+(?=\/|$)/gu, "/…"), false);
      const subject = kind === "noise" ? "text" : method === undefined ? "answer" : shownText(method, false);
      const words = `${from} ${subject}${place === "" ? "" : ` ${place}:`} ${reason}`;
      this.#wrong.set(words, (this.#wrong.get(words) ?? 0) + 1);
    }
  }

  lines(unanswered: number): string[] {
    const { client, agent, notifications } = this.#counts;
    const took = (this.#last?.getTime() ?? 0) - (this.#first?.getTime() ?? 0);
    const open = unanswered === 0 ? "" : `, ${unanswered} never answered`;
    const lines = [
      `${shownDuration(took)}; requests: ${client} of the client, ${agent} of the agent${open}; notifications: ${notifications}`,
    ];
    if (!this.isWrong) return [...lines, "Nothing is wrong with the messages."];
    const kinds = [...this.#wrong].toSorted(([, one], [, other]) => other - one);
    lines.push("What is wrong, and how often:");
    for (const [words, count] of kinds.slice(0, listed)) lines.push(`${String(count).padStart(6)} × ${words}`);
    if (kinds.length > listed) lines.push(`        and ${kinds.length - listed} more`);
    return lines;
  }
}
