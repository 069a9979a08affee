/**
 * `npm run bench:report`: writes `docs/benchmarks.md`, its picture and `docs/reports/benchmarks.md` from the results in
 * `bench/results` and the words in `bench/benchmarks.md`, in which `<!-- summary -->` stands for the tables of all aims.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

import type { Results } from "./main.ts";
import { plot } from "./report/plot.ts";
import { summary } from "./report/summary.ts";
import { quotient, table } from "./report/table.ts";
import type { ScenarioResult } from "./run/run-scenario.ts";

const root = new URL("../../", import.meta.url);
const folder = new URL("bench/results/", root);
const results = resultsIn(folder);
const words = readFileSync(new URL("bench/benchmarks.md", root), "utf8");
const [first] = results;
if (first === undefined)
  throw new Error("There are no results; run `npm run bench -- --json bench/results/node24.json`");

writeFileSync(
  new URL("docs/benchmarks.md", root),
  words.replace("<!-- summary -->", () => summary(results)),
);
const introduction =
  "# Benchmarks: every table\n\n`npm run bench:report` writes this page; [Benchmarks](../benchmarks.md) sums it up.";
writeFileSync(new URL("docs/reports/benchmarks.md", root), `${[introduction, ...results.map(chapter)].join("\n\n")}\n`);
const throughput = first.parts
  .filter(({ group }) => group === "throughput")
  .map(({ figures }) => figures as ScenarioResult);
const caption = `Time, as a multiple of the raw loop (${first.machine.runtime}); shorter is faster`;
writeFileSync(new URL("docs/benchmarks.svg", root), plot(throughput, caption));
process.stdout.write(`Written from ${results.length} results\n`);

function resultsIn(place: URL): readonly Results[] {
  return readdirSync(place)
    .filter((name) => name.endsWith(".json"))
    .toSorted(byInterest)
    .map((name) => JSON.parse(readFileSync(new URL(name, place), "utf8")) as Results);
}

/** Node before the others, and its newer versions first: the picture is of the first. */
function byInterest(one: string, other: string): number {
  const isNode = Number(other.startsWith("node")) - Number(one.startsWith("node"));
  return isNode || other.localeCompare(one, "en", { numeric: true });
}

function chapter({ machine, rounds, parts }: Results): string {
  const { cpu, cores, memory, system, runtime } = machine;
  const aims = parts.filter(({ group }) => group === "throughput").map(({ figures }) => figures as ScenarioResult);
  return [
    `## ${runtime}`,
    `${cpu}, ${cores} cores, ${memory}, ${system}; ${rounds} rounds of fresh processes, interleaved. Of quotients: the median, and the least and greatest.`,
    ...(aims.length === 0
      ? []
      : [table(["", "@acp, raw = 1", "aim", "official SDK, @acp = 1", "aim"], aims.map(against))]),
    ...parts.map(({ title, head, rows }) => `### ${title}\n\n${table(head, rows)}`),
  ].join("\n\n");
}

/** What the toolkit aims at, and where it is. */
function against({ title, aim, ahead, contestants }: ScenarioResult): readonly string[] {
  const ours = contestants.find(({ contestant }) => contestant.startsWith("toolkit"));
  const official = contestants.find(({ contestant }) => contestant === "official");
  return [
    title,
    ours === undefined ? "" : quotient(ours.againstRaw),
    aim === undefined ? "" : `at most ${aim}`,
    official === undefined ? "" : quotient(official.againstToolkit),
    ahead === undefined ? "" : `at least ${ahead}`,
  ];
}
