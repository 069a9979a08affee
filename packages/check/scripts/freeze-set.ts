// `freeze-set.ts <month>`: writes the set of that month with all checks that there are, such as `freeze-set.ts 2026-11`. A set
// that is frozen stays as it is.
import { writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { agentChecks } from "../src/agent/checks/index.ts";
import { clientChecks } from "../src/client/checks/index.ts";
import { checkSets } from "../src/sets/index.ts";
import { setText } from "../src/sets/set-text.ts";

const [name = ""] = process.argv.slice(2);
const existing = checkSets.find((set) => set.name === name);
if (!/^\d{4}-\d{2}$/u.test(name)) {
  process.stderr.write("Name the month of the set, such as 2026-11\n");
  process.exitCode = 2;
} else if (existing !== undefined && existing.isOpen !== true) {
  process.stderr.write(`The set ${name} is frozen. New checks join the next one: name a later month\n`);
  process.exitCode = 1;
} else {
  const file = fileURLToPath(new URL(`../src/sets/${name}.ts`, import.meta.url));
  writeFileSync(file, setText(name, [...agentChecks, ...clientChecks]));
  process.stdout.write(
    `Wrote ${file}${existing === undefined ? ". Add it to checkSets in index.ts, as the last" : ""}\n`,
  );
}
