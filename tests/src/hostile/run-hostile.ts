/**
 * `run-hostile.ts [--check] [part of a title]`: attacks processes over their pipes with all rows, and fails if one is open.
 * Writes what came of them to `docs/robustness.md` and its report; `--check` fails instead if a page is stale. With a part
 * of the title of a theme it runs only that theme, and leaves the pages alone.
 */
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

import { runThemes } from "./harness/run-themes.ts";
import { robustnessPage, robustnessReport } from "./report/markdown.ts";
import { themes } from "./rows/index.ts";

const root = new URL("../../../", import.meta.url);

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

const pages = { "docs/robustness.md": robustnessPage, "docs/reports/robustness.md": robustnessReport };
for (const [document, write] of part === undefined ? Object.entries(pages) : []) {
  const page = write(results);
  if (!isCheck) writeFileSync(new URL(document, root), page);
  else if (readFileSync(new URL(document, root), "utf8") !== page) {
    console.log(`${document} is stale. Run node tools/pnpm.mjs --filter @acp/tests run robustness.`);
    process.exitCode = 1;
  }
}
