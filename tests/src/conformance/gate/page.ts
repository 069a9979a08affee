import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path/posix";

import { type Requirement, sidesOf } from "@acp/check/requirements";
import { idsIn } from "./claims.ts";
import { type Evidence, root } from "./evidence.ts";
import type { Judged, JudgedArea, Judgement } from "./judge.ts";
import { checkable, inState, stateText, verdict } from "./summary.ts";

/** `docs/conformance.md`: how many rules are proven, by area. */
export function conformancePage(judgement: Judgement): string {
  return `${[introduction(judgement), overview(judgement)].join("\n\n")}\n`;
}

/** `docs/reports/conformance.md`: every rule, and the tests that prove it. */
export function conformanceReport({ areas }: Judgement): string {
  return `${[reportIntroduction, ...areas.map(section)].join("\n\n")}\n`;
}

function introduction(judgement: Judgement): string {
  return `# Conformance

The toolkit holds version 1 of the protocol to its rules, and tests prove it: **${verdict(judgement)}**.
[The report](reports/conformance.md) lists each rule with the tests that prove it.

The rules are data, in our words, in [\`packages/check/src/requirements\`](../packages/check/src/requirements).

- A test proves a rule by passing with the rule's id in its name.
- A rule for both sides needs a proof for each. The group around a test names its side, or the test names it behind the id,
  as in \`RPC-04/agent\`.
- A test that is expected to fail makes its rule a gap. A rule that no test can prove says why.
- \`npm run conformance\` runs the tests and writes both pages. \`npm test\` fails if a rule has no proof, or a page is stale.`;
}

const reportIntroduction = `# Conformance: every rule, and its proof

\`npm run conformance\` writes this page; [Conformance](../conformance.md) sums it up.

**Binds** names the side that a rule binds and how much, in capitals where the protocol uses a word of RFC 2119; behind a
plus stands the other side, if our words say what it does. **Checked** says where a test looks: at the wire, at a unit of
the library, at types, tables and sources (static), or at processes and files (behaviour). Brackets hold our reading where
sources disagree or are silent.`;

function overview({ areas }: Judgement): string {
  const lines = areas.map(({ area, rules }) => {
    const able = checkable(rules);
    return `| [${area.title}](reports/conformance.md#${anchor(heading(area.prefix, area.title))}) | ${able.length} | ${inState(rules, "verified").length} | ${rules.length - able.length} |`;
  });
  return ["| Area | Checkable | Verified | Not checkable |", "| --- | ---: | ---: | ---: |", ...lines].join("\n");
}

function section({ area, rules }: JudgedArea): string {
  return [
    `## ${heading(area.prefix, area.title)}`,
    [
      "| Rule | Binds | What it asks | Checked | Proven in |",
      "| --- | --- | --- | --- | --- |",
      ...rules.map(row),
    ].join("\n"),
  ].join("\n\n");
}

function row(judged: Judged): string {
  const { requirement, state } = judged;
  const { id, who, level, also, check } = requirement;
  const proof = state === "verified" || state === "unchecked" ? proofText(judged) : `**${stateText(judged)}**`;
  const binds = also === undefined ? `${who} ${level}` : `${who} ${level} + ${also}`;
  const cells = [id, binds, text(requirement), check === "none" ? "" : check, reasonOr(requirement, proof)];
  return `| ${cells.map(escape).join(" | ")} |`;
}

/** The files of its tests, for a rule of both sides those of each. */
function proofText({ requirement, state, proofs }: Judged): string {
  const sides = state === "unchecked" ? [] : sidesOf(requirement);
  const linked = (wanted: readonly Judged["proofs"][number][]): string =>
    links(
      requirement.id,
      wanted.map(({ evidence }) => evidence),
    );
  if (sides.length < 2) return linked(proofs);
  return sides.map((side) => `${side}: ${linked(proofs.filter((proof) => proof.sides.includes(side)))}`).join("; ");
}

function text({ rule, follows }: Requirement): string {
  return follows === undefined ? rule : `${rule} (${follows})`;
}

function reasonOr({ reason }: Requirement, proof: string): string {
  if (reason === undefined) return proof;
  return proof === "" ? `_${reason}_` : `_${reason}_ All the same: ${proof}`;
}

function links(id: string, proofs: readonly Evidence[]): string {
  const files = [...new Set(proofs.flatMap(({ file }) => claimants(file, id)))].toSorted();
  return files.map((file) => `[${file.replace(/^.*\/(?=[^/]+\/[^/]+$)/u, "")}](../../${file})`).join(", ");
}

/** Where a claim is written: in the test's file, or in the rows that it takes from files below its folder. */
function claimants(file: string, id: string): readonly string[] {
  if (claims(file, id)) return [file];
  const folder = dirname(file);
  const below = readdirSync(root + folder, { recursive: true, encoding: "utf8" })
    .map((each) => `${folder}/${each.replaceAll("\\", "/")}`)
    .filter((each) => each.endsWith(".ts") && !each.endsWith(".test.ts") && claims(each, id));
  return below.length === 0 ? [file] : below;
}

function claims(file: string, id: string): boolean {
  return idsIn(readFileSync(root + file, "utf8")).has(id);
}

function heading(prefix: string, title: string): string {
  return `${prefix}: ${title}`;
}

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/gu, "")
    .replaceAll(" ", "-");
}

function escape(cell: string): string {
  return cell.replaceAll("|", String.raw`\|`);
}
