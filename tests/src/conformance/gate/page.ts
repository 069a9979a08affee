import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path/posix";

import { type Requirement, sidesOf } from "../requirement.ts";
import { idsIn } from "./claims.ts";
import { type Evidence, root } from "./evidence.ts";
import type { Judged, JudgedArea, Judgement } from "./judge.ts";
import { checkable, inState, stateText, verdict } from "./summary.ts";

/** `docs/conformance.md`: every rule, and where it is proven. */
export function conformancePage(judgement: Judgement): string {
  return `${[introduction(judgement), overview(judgement), ...judgement.areas.map(section)].join("\n\n")}\n`;
}

function introduction(judgement: Judgement): string {
  return `# Conformance

Every rule of the protocol's first version, in our words, and the tests that prove it: **${verdict(judgement)}**.

The rules are data in [\`tests/src/conformance/requirements\`](../tests/src/conformance/requirements). A test proves a rule
by passing with the rule's id in its name. A rule that binds both sides needs a proof for each: tests stand in a group that
names the side they look at, or name it behind the id, as in \`RPC-04/agent\`. What the side does that a rule does not bind
proves nothing. A test that is expected to fail makes its rule a gap. Rules that no test can prove say why.
\`npm run conformance\` runs the tests, writes this page, and fails if a rule is left that nothing proves; \`npm test\` fails
if this page is not up to date.

**Binds** names whom a rule binds and how much, in capitals where the protocol uses a word of RFC 2119; behind a plus stands
the other side, where our words say what it does as well. **Checked** says where a test looks: at the wire, at a unit of the
library, at types, tables and sources (static), or at processes and files (behaviour). Where sources disagree or are silent,
what we hold to stands in brackets.`;
}

function overview({ areas }: Judgement): string {
  const lines = areas.map(({ area, rules }) => {
    const able = checkable(rules);
    return `| [${area.title}](#${anchor(heading(area.prefix, area.title))}) | ${able.length} | ${inState(rules, "verified").length} | ${rules.length - able.length} |`;
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
  return files.map((file) => `[${file.replace(/^.*\/(?=[^/]+\/[^/]+$)/u, "")}](../${file})`).join(", ");
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
