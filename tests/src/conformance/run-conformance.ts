/**
 * Weighs what tests claim against the rules of the protocol, and prints what is proven. Runs the tests that claim
 * rules and writes `docs/conformance.md`; with `--check` takes what the last runs have left, and fails if the page is not
 * up to date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

import { type Evidence, readEvidence, root, type Runner } from "./gate/evidence.ts";
import { judge } from "./gate/judge.ts";
import { conformancePage } from "./gate/page.ts";
import { runClaimingTests } from "./gate/run-tests.ts";
import { areaTable, missing, stateText, verdict } from "./gate/summary.ts";
import { areas } from "./requirements/index.ts";

const isCheck = process.argv.includes("--check");
const problems: string[] = [];
if (!isCheck && !runClaimingTests()) problems.push("Some of the tests failed, see above.");

const judgement = judge(areas, [...evidenceOf("vitest"), ...evidenceOf("scenarios")]);
problems.push(...judgement.errors);
const page = conformancePage(judgement);
const document = `${root}docs/conformance.md`;
if (!isCheck) writeFileSync(document, page);
else if (readFileSync(document, "utf8") !== page) {
  problems.push("docs/conformance.md is not up to date: npm run conformance writes it.");
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
