/**
 * Generates everything that this repository keeps under version control from `schema/`: `packages/schema/src/v1`, `v2`
 * and `docs/protocol`. With `--check` it writes nothing, lists the files that are stale, and fails if there are any.
 */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { compareOutput, writeOutput } from "../src/pipeline/output.ts";
import { generateWorkspace } from "../src/pipeline/workspace.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const check = process.argv.includes("--check");

const { files, directories, undocumented } = await generateWorkspace(root);
const { stale, leftover } = await (check ? compareOutput : writeOutput)(files, directories);

const list = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `${title}\n${lines.map((line) => `  ${line}\n`).join("")}`;
const gaps = [...undocumented].map(([schema, places]) => list(`${schema} has no prose for:`, places)).join("");
const names = (paths: readonly string[]): readonly string[] => paths.map((path) => relative(root, path));

process.stderr.write(gaps);
if (check) {
  const problems = list("Not as generated:", names(stale)) + list("No longer generated:", names(leftover));
  if (problems !== "") process.stderr.write(`${problems}Run: node tools/pnpm.mjs --filter @acp/codegen run generate\n`);
  // Every definition, member and variant is documented; a new one has to be, too.
  process.exitCode = problems === "" && gaps === "" ? 0 : 1;
} else {
  process.stdout.write(list("Written:", names(stale)) + list("Removed:", names(leftover)) || "Nothing to do.\n");
}
