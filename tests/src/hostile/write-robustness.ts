/** Runs all rows and writes what came of them to `docs/robustness.md`. Fails if a row is open. */
import { writeFileSync } from "node:fs";

import { runThemes } from "./harness/run-themes.ts";
import { robustnessPage } from "./report/markdown.ts";
import { themes } from "./rows/index.ts";

/** Only themes whose title contains this, and nothing is written: for work on some rows. */
const [part] = process.argv.slice(2);
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
  if (open.length > 0) process.exitCode = 1;
}
console.log(`${((performance.now() - begun) / 1000).toFixed(1)} s`);
if (part === undefined) writeFileSync(new URL("../../../docs/robustness.md", import.meta.url), robustnessPage(results));
