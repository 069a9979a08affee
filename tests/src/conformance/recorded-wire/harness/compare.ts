import { formatLine, type Line, parseLines } from "./line.ts";

/** How many lines of its side are shown before the one that differs. */
const context = 4;

interface Sequence {
  readonly name: string;
  readonly lines: readonly string[];
}

/** The first difference between two recordings, with its context; `undefined` if they are the same. */
export function findDifference(recorded: string, now: string): string | undefined {
  const expected = sequencesOf(recorded);
  const actual = sequencesOf(now);
  for (let at = 0; at < Math.max(expected.length, actual.length); at++) {
    const was = expected[at];
    const is = actual[at];
    if (was?.name !== is?.name)
      return `recorded: ${was?.name ?? "nothing more"}\nnow:      ${is?.name ?? "nothing more"}`;
    const difference = differenceOf(was, is);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function differenceOf(was: Sequence | undefined, is: Sequence | undefined): string | undefined {
  const before = was?.lines ?? [];
  const after = is?.lines ?? [];
  const length = Math.max(before.length, after.length);
  const first = Array.from({ length }, (_, at) => at).find((at) => before[at] !== after[at]);
  if (first === undefined) return undefined;
  return [
    `${was?.name}, line ${first + 1}`,
    ...before.slice(Math.max(0, first - context), first).map((line) => `          ${line}`),
    `recorded: ${before[first] ?? "nothing more"}`,
    `now:      ${after[first] ?? "nothing more"}`,
  ].join("\n");
}

/** What is compared line by line: a step as a whole where the order of both sides counts, else each side of it. */
function sequencesOf(file: string): readonly Sequence[] {
  const sequences: Sequence[] = [];
  let isTotal = false;
  let scenario = "";
  let step = "";
  let open = new Map<string, string[]>();
  const close = (): void => {
    for (const [side, lines] of [...open].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      sequences.push({ name: `${scenario}, ${step}, ${side}`, lines });
    open = new Map();
  };
  for (const line of parseLines(file)) {
    if ("scenario" in line) {
      close();
      isTotal = line.order === "total";
      scenario = line.scenario;
      step = "beginning";
      sequences.push({ name: `${scenario}, ${line.order}`, lines: [] });
    } else if ("step" in line) {
      close();
      step = line.step;
      sequences.push({ name: `${scenario}, ${step}`, lines: [] });
    } else {
      const side = sideOf(line, isTotal);
      open.set(side, [...(open.get(side) ?? []), formatLine(line)]);
    }
  }
  close();
  return sequences;
}

function sideOf(line: Line, isTotal: boolean): string {
  if ("outcome" in line) return `outcome of ${line.outcome}`;
  if (isTotal) return "both sides";
  return "from" in line ? line.from : "";
}
