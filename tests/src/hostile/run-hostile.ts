/**
 * `run-hostile.ts [--check] [part of a title]`: attacks processes over their pipes with all rows, and fails if one is open.
 * Writes what came of them to `docs/robustness.md`; `--check` fails instead if that page is not up to date. With a part
 * of the title of a theme it runs only that theme, and leaves the page alone.
 */
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

import { runThemes } from "./harness/run-themes.ts";
import { robustnessPage } from "./report/markdown.ts";
import { themes } from "./rows/index.ts";

const document = new URL("../../../docs/robustness.md", import.meta.url);

const isCheck = process.argv.includes("--check");
const [part] = process.argv.slice(2).filter((argument) => argument !== "--check");
const chosen = themes.filter(({ title }) => part === undefined || title.toLowerCase().includes(part.toLowerCase()));
const begun = performance.now();
const results = await runThemes(chosen);
for (const { theme, results: runs } of results) {
  const open = runs.filter(({ isOpen }) => isOpen);
  console.log(`${theme.title}: ${runs.length} runs, ${open.length} open`);
  for (const { row, role, framing, expected, seen } of open.slice(0, 20)) {
    console.log(`- ${role}, ${framing}: ${row.name}`);
    console.log(`  must happen: ${JSON.stringify(expected).slice(0, 600)}`);
    console.log(`  happens:     ${JSON.stringify(seen).slice(0, 600)}`);
  }
  // A theme without runs would prove nothing.
  if (open.length > 0 || runs.length === 0) process.exitCode = 1;
}
console.log(`${((performance.now() - begun) / 1000).toFixed(1)} s`);

const page = robustnessPage(results);
if (part === undefined && !isCheck) writeFileSync(document, page);
if (part === undefined && isCheck && readFileSync(document, "utf8") !== page) {
  console.log(
    "docs/robustness.md is not up to date: node tools/pnpm.mjs --filter @acp/tests run robustness writes it.",
  );
  process.exitCode = 1;
}
const failed = results.flatMap(({ results: runs }) => runs).filter(({ isOpen }) => isOpen).length;
console.log(`${results.flatMap(({ results: runs }) => runs).length - failed} passed, ${failed} failed`);
