/**
 * Weighs the claims of passing tests against the rules of the protocol, and prints what is proven. Runs the tests that claim
 * rules and writes `docs/conformance.md` and its report. With `--last` it uses the outcome of the last `npm test`; with
 * `--check` as well, and fails if a page is stale.
 */
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

import { type Evidence, readEvidence, root, type Runner } from "./gate/evidence.ts";
import { judge } from "./gate/judge.ts";
import { conformancePage, conformanceReport } from "./gate/page.ts";
import { runClaimingTests } from "./gate/run-tests.ts";
import { areaTable, missing, stateText, verdict } from "./gate/summary.ts";
import { areas } from "@acp/check/requirements";

const isCheck = process.argv.includes("--check");
const problems: string[] = [];
if (!isCheck && !process.argv.includes("--last") && !runClaimingTests())
  problems.push("Some of the tests failed, see above.");

const judgement = judge(areas, [...evidenceOf("vitest"), ...evidenceOf("scenarios")]);
problems.push(...judgement.errors);
const pages = { "docs/conformance.md": conformancePage, "docs/reports/conformance.md": conformanceReport };
for (const [document, write] of Object.entries(pages)) {
  const page = write(judgement);
  if (!isCheck) writeFileSync(root + document, page);
  else if (readFileSync(root + document, "utf8") !== page) {
    problems.push(`${document} is stale. Run npm run conformance.`);
  }
}

const unproven = missing(judgement);
console.log(`\n${areaTable(judgement)}\n`);
for (const judged of unproven) {
  const { id, who, level, rule } = judged.requirement;
  console.log(`${id} ${stateText(judged)}: ${who} ${level}: ${rule}`);
}
for (const problem of problems) console.log(`Error: ${problem}`);
console.log(`\n${verdict(judgement)}`);
if (unproven.length > 0) console.log(`missing: ${unproven.map(({ requirement }) => requirement.id).join(" ")}`);
process.exitCode = unproven.length === 0 && problems.length === 0 ? 0 : 1;

function evidenceOf(runner: Runner): readonly Evidence[] {
  const evidence = readEvidence(runner);
  if (evidence === undefined) problems.push(`The tests of ${runner} have not run to their end.`);
  return evidence ?? [];
}
