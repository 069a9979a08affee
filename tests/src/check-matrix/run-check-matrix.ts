/**
 * Runs `acp check` on the agents and clients of the matrix, and writes `docs/check-matrix.md` with a report for each. `--only
 * gemini-cli,acpx` runs some and keeps the reports of the others, `--check fifty-sessions` does so with checks; `--page` only
 * writes the page, and what is known of failures into the reports. It fails if a check fails that is not known to, or if one
 * that is known to passes.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";

import { root } from "../support/packages.ts";
import { checkProgram } from "./check-program.ts";
import { checkedPrograms } from "./checked-programs.ts";
import { entryOf, explained, mergeEntry, readEntry, unavailableEntry, writeEntry } from "./matrix-entry.ts";
import { matrixPage } from "./matrix-page.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    check: { type: "string", default: "" },
    page: { type: "boolean", default: false },
    jobs: { type: "string", default: "2" },
    timeout: { type: "string", default: "30" },
  },
});
const names = words(values.only);
const checks = words(values.check);
const chosen = checkedPrograms.filter(({ name }) => names.length === 0 || names.includes(name));
const strangers = names.filter((name) => !checkedPrograms.some((program) => program.name === name));
if (strangers.length > 0) {
  const all = checkedPrograms.map(({ name }) => name).join(", ");
  throw new Error(`There is no program ${strangers.join(" or ")} in the matrix. It has ${all}`);
}
const settings = {
  jobs: Number(values.jobs),
  timeout: Number(values.timeout) * 1000,
  ...(checks.length === 0 ? {} : { only: checks }),
};

let problems = 0;
for (const program of values.page ? [] : chosen) {
  for (const protocol of program.versions) await check(program, protocol);
}
const entries = checkedPrograms.flatMap(({ name, versions }) =>
  versions.flatMap((protocol) => readEntry(name, protocol) ?? []).map(explained),
);
for (const entry of entries) writeEntry(entry);
writeFileSync(join(root, "docs/check-matrix.md"), matrixPage(checkedPrograms, entries));
if (problems > 0)
  console.log(`\n${problems} problems: look at each, and mend the check or tell why in the known failures`);
// Not at the end of the last timer: a check may have waited for a minute that nobody needs any more.
process.exit(problems === 0 ? 0 : 1);

async function check(program: (typeof checkedPrograms)[number], protocol: 1 | 2): Promise<void> {
  const title = `${program.name}, version ${protocol}`;
  try {
    const report = await checkProgram(program, protocol, settings);
    const { entry, stale, unknown } = entryOf(program, report);
    const before = readEntry(program.name, protocol);
    // A part of the checks takes its place in a whole run.
    if (checks.length === 0) writeEntry(entry);
    else if (before !== undefined && before.passed.length > 0) writeEntry(mergeEntry(before, entry));
    const all = entry.passed.length + entry.rest.length;
    console.log(`${title}: ${entry.passed.length} of ${all} passed in ${entry.seconds} s`);
    for (const line of unknown) console.log(`  FAIL ${line}`);
    for (const line of checks.length === 0 ? stale : []) console.log(`  Not known any more: ${line}`);
    problems += unknown.length + (checks.length === 0 ? stale.length : 0);
    if (checks.length > 0) console.log(JSON.stringify(entry.rest, null, 2));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`${title}: not run. ${reason}`);
    // An installer says much, and last what is wrong.
    const [last = reason] = reason.trim().split("\n").slice(-1);
    writeEntry(
      unavailableEntry(
        program,
        protocol,
        last
          .trim()
          .replace(/^ERROR: /u, "")
          .slice(0, 600),
      ),
    );
  }
}

function words(text: string): readonly string[] {
  return text.split(",").filter((word) => word !== "");
}
