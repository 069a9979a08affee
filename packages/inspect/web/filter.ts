import type { Trace } from "./trace.ts";

/** What a message must be to be shown. */
export interface Filter {
  /** Whether a message fits, as far as that can be seen without its text. */
  readonly test: (message: number) => boolean;
  /** What its text must contain; empty for anything. */
  readonly text: string;
}

/** Reads a filter: words such as `session:s-1`, `wrong` and `slow:>1s`; all others are text. Quotes keep words together. */
export function parseFilter(query: string, trace: Trace): Filter {
  const tests: ((message: number) => boolean)[] = [];
  const texts: string[] = [];
  for (const [, word = "", quoted] of query.matchAll(/((?:[a-z]+:)?"([^"]*)"?|\S+)/gu)) {
    const [, name = "", value = ""] = /^([a-z]+)(?::(.*))?$/u.exec(word.replaceAll('"', "")) ?? [];
    const test = word.startsWith('"') ? undefined : testOf(name, value, trace);
    if (test === undefined) texts.push(quoted ?? word);
    else tests.push(test);
  }
  return { test: (message) => tests.every((test) => test(message)), text: texts.join(" ") };
}

function testOf(name: string, value: string, trace: Trace): ((message: number) => boolean) | undefined {
  const wanted = value.toLowerCase();
  const has = (text: string): boolean => text.toLowerCase().includes(wanted);
  switch (name) {
    case "wrong":
      return (message) => trace.isWrong(message);
    case "hint":
      return (message) => trace.findings.has(message) && !trace.isWrong(message);
    case "open":
      return (message) => trace.isOpen(message);
    case "slow":
      return slow(wanted, trace);
  }
  const { comparison } = trace;
  if (comparison !== undefined && value === "") {
    const statusOf = (message: number): string => comparison.statusOf(trace.listedOf(message));
    if (name === "differs") return (message) => statusOf(message) !== "same";
    if (name === "changed" || name === "left" || name === "right") return (message) => statusOf(message) === name;
  }
  if (value === "") return undefined;
  switch (name) {
    case "method":
      return (message) => has(trace.nameOf(message));
    case "session":
      return (message) => trace.sessionOf(message).toLowerCase().startsWith(wanted);
    case "turn":
      return (message) => String(trace.turn[message] ?? 0) === value;
    case "tool":
      return (message) => {
        const tool = trace.tools[(trace.tool[message] ?? 0) - 1];
        return tool !== undefined && (has(tool.id) || has(tool.title));
      };
    case "id":
      return (message) => trace.id[message]?.replaceAll('"', "") === value;
    case "from":
      return (message) => (trace.isOfAgent(message) ? "agent" : "client") === wanted;
    case "kind":
      return (message) => trace.kindOf(message) === wanted;
    default:
      return undefined;
  }
}

/** `slow` alone means slower than others of the same method. */
function slow(value: string, trace: Trace): ((message: number) => boolean) | undefined {
  if (value === "") return (message) => trace.isSlow(message);
  const [, sign, number, unit] = /^([<>]?)(\d+(?:\.\d+)?)(ms|s)?$/u.exec(value) ?? [];
  if (number === undefined) return undefined;
  const limit = Number(number) * (unit === "s" ? 1_000 : 1);
  return (message) => {
    const took = trace.tookOf(message);
    return took !== undefined && (sign === "<" ? took < limit : took > limit);
  };
}
