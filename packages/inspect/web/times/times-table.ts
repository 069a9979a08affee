import { button, duration, element, line } from "../dom.ts";
import type { Trace } from "../trace.ts";

/** How long the answers to one method took, in milliseconds. */
interface MethodTimes {
  readonly method: string;
  readonly count: number;
  readonly errors: number;
  readonly median: number;
  readonly p95: number;
  readonly longest: number;
}

/** How long requests took, by their methods: those that took the longest in all come first. */
function timesOf(trace: Trace): readonly MethodTimes[] {
  const all = new Map<string, { readonly times: number[]; errors: number }>();
  for (const [message, partner] of trace.partner.entries()) {
    if (partner < 0 || partner > message) continue;
    const name = trace.nameOf(message);
    const known = all.get(name) ?? { times: [], errors: 0 };
    all.set(name, known);
    known.times.push(trace.tookOf(message) ?? 0);
    if (trace.kindOf(message) === "error") known.errors++;
  }
  const sum = (times: readonly number[]): number => times.reduce((whole, one) => whole + one, 0);
  return [...all]
    .toSorted(([, one], [, other]) => sum(other.times) - sum(one.times))
    .map(([method, { times, errors }]) => {
      const sorted = times.toSorted((one, other) => one - other);
      const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
      return { method, count: times.length, errors, median: at(0.5), p95: at(0.95), longest: at(1) };
    });
}

/** The same as a table; a method in it filters the list. */
export function timesTable(trace: Trace, filter: (query: string) => void): HTMLElement {
  const head = ["Method", "answers", "errors", "median", "95 of 100", "longest"];
  const rows = timesOf(trace).map(({ method, count, errors, median, p95, longest }) =>
    element(
      "tr",
      {},
      element(
        "th",
        { scope: "row" },
        button(line(method.slice(0, 80)), () => filter(`method:"${method.replaceAll('"', "")}"`), { class: "place" }),
      ),
      ...[String(count), String(errors), ...[median, p95, longest].map(duration)].map((cell) =>
        element("td", {}, cell),
      ),
    ),
  );
  return element(
    "div",
    {},
    element("h2", {}, "How long requests took"),
    element(
      "table",
      { class: "times" },
      element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, ...rows),
    ),
  );
}
