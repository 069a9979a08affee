// A page for each area of rules, from the data that the tests and `acp check` use.
import { mkdirSync, writeFileSync } from "node:fs";

import { type Area, areas, type Requirement } from "../packages/check/src/requirements/index.ts";

const parties = { agent: "An agent", client: "A client", both: "Both sides", transport: "A transport" };
const checks = {
  wire: "Tests look at the messages.",
  unit: "Tests look at a unit of the library.",
  static: "Tests look at types, tables and sources.",
  behaviour: "Tests look at processes and files.",
  none: "No test can see it",
};

function section({ id, who, level, also, rule, check, reason, follows }: Requirement): string {
  const other = also === undefined ? "" : ` The rule also says what the ${also} does.`;
  const reading = follows === undefined ? [] : [`Where sources disagree or say nothing: ${follows}.`];
  const checked = reason === undefined ? checks[check] : `${checks[check]}. ${reason}`;
  return [`## ${id}`, `**${parties[who]} ${level}.** ${rule}`, ...reading, `${checked}${other}`].join("\n\n");
}

function page({ prefix, title, requirements }: Area): string {
  const proofs = `${prefix.toLowerCase()}-${title.toLowerCase().replaceAll(" ", "-")}`;
  return [
    `# ${prefix}: ${title}`,
    `Rules of version 1, in our words. [The report](../../../docs/reports/conformance.md#${proofs}) names the tests that prove each.`,
    ...requirements.map(section),
    "",
  ].join("\n\n");
}

const contents = [
  "# The rules of the protocol",
  "What version 1 asks of agents, clients and transports, in our words, each with a number. Comments of the code, names of tests and `acp check` name the rules by these numbers. Words in capitals are those of RFC 2119, as the protocol has them; others are ours.",
  "| area | rules | about |\n| --- | ---: | --- |\n" +
    areas
      .map(
        ({ prefix, title, requirements }) =>
          `| [${prefix}](${prefix.toLowerCase()}.md) | ${requirements.length} | ${title} |`,
      )
      .join("\n"),
  "",
].join("\n\n");

/** All pages: the table of the areas, and a page for each. */
export function rulePages(): readonly { readonly name: string; readonly text: string }[] {
  const pages = areas.map((area) => ({ name: `${area.prefix.toLowerCase()}.md`, text: page(area) }));
  return [{ name: "index.md", text: contents }, ...pages];
}

/** Writes the pages into a folder. */
export function writeRules(folder: URL): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of rulePages()) writeFileSync(new URL(name, folder), text);
}
