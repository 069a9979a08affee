import type { Results } from "../main.ts";
import type { ScenarioResult } from "../run/run-scenario.ts";
import { table } from "./table.ts";

/** A figure and the limit it should keep. */
interface Goal {
  readonly kind: "raw" | "official" | "start";
  readonly title: string;
  readonly aim: string;
  readonly figure: string;
  readonly isReached: boolean;
}

/** What an import and a bundle may be, in the units of the results. */
const limits = {
  "start-up": [["@acp/core and the runtime's package", "importing", 15, "import, ms"]],
  "bundle-size": [
    ["agent over stdio, @acp", "minified", 72_000, "minimal agent, kB minified"],
    ["framing by lines alone", "minified", 4_100, "framing by lines, kB minified"],
  ],
} as const;

const kinds = {
  raw: "Time, where the raw loop takes 1",
  official: "Time of the official SDK, where this toolkit takes 1",
  start: "Start-up and code",
} as const;

/** Every aim that was measured and every runtime's figure for it; those that are not reached stand out. */
export function summary(results: readonly Results[]): string {
  const columns = results.map((each) => each.parts.flatMap(goalsOf));
  const measured = Object.entries(kinds).filter(([kind]) =>
    columns.some((goals) => goals.some((goal) => goal.kind === kind)),
  );
  const tables = measured.map(([kind, caption]) => {
    const titles = new Map(columns.flatMap((goals) => goals.filter((goal) => goal.kind === kind)).map(titleAndAim));
    const rows = [...titles].map(([title, aim]) => [
      title,
      aim,
      ...columns.map((goals) => cell(goals.find((goal) => goal.kind === kind && goal.title === title))),
    ]);
    return table([caption, "aim", ...results.map(({ machine }) => shortName(machine.runtime))], rows);
  });
  return tables.join("\n\n");
}

function titleAndAim({ title, aim }: Goal): readonly [string, string] {
  return [title, aim];
}

/** `Deno 2.9.6`, of a line that may also tell how it was built. */
function shortName(runtime: string): string {
  const name = runtime.replace(/ \(.*/u, "");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function cell(goal: Goal | undefined): string {
  if (goal === undefined) return "";
  return goal.isReached ? goal.figure : `**${goal.figure}**`;
}

function goalsOf({ name, group, figures }: Results["parts"][number]): readonly Goal[] {
  if (group === "throughput") return againstOthers(figures as ScenarioResult);
  const known = name === "start-up" || name === "bundle-size" ? limits[name] : [];
  return known.map(([program, member, limit, title]) => {
    const found = (figures as readonly Record<string, unknown>[]).find((each) => each["title"] === program);
    const told = found?.[member] as number | { readonly median: number };
    const value = typeof told === "number" ? told : told.median;
    const scale = name === "bundle-size" ? 1_000 : 1;
    const text = (value / scale).toFixed(1);
    return { kind: "start", title, aim: `at most ${limit / scale}`, figure: text, isReached: value <= limit };
  });
}

/** Time beside raw, and how often it fits into the official SDK's. */
function againstOthers({ title, aim, ahead, contestants }: ScenarioResult): readonly Goal[] {
  const ours = contestants.find(({ contestant }) => contestant.startsWith("toolkit"))?.againstRaw.median;
  const official = contestants.find(({ contestant }) => contestant === "official")?.againstToolkit.median;
  const goals: Goal[] = [];
  if (aim !== undefined && ours !== undefined) {
    goals.push({
      kind: "raw",
      title,
      aim: `at most ${aim}`,
      figure: ours.toFixed(2),
      isReached: Number(ours.toFixed(2)) <= aim,
    });
  }
  if (ahead !== undefined && official !== undefined) {
    goals.push({
      kind: "official",
      title,
      aim: `at least ${ahead}`,
      figure: official.toFixed(1),
      isReached: Number(official.toFixed(1)) >= ahead,
    });
  }
  return goals;
}
