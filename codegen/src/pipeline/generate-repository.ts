import { relative } from "node:path";
import { SchemaError } from "../model/schema-document.ts";
import { compareOutput, writeOutput } from "./output.ts";
import { generateWorkspace, type WorkspaceOutput } from "./workspace.ts";

/** Where {@link generateRepository} writes what it has to say. */
export interface Report {
  out(text: string): void;
  error(text: string): void;
}

/**
 * Generates everything that the repository at `root` keeps under version control from `schema/`, and lists what has no
 * prose or no example. With `check` it writes nothing and lists the files that are stale.
 *
 * @returns The exit code: 1 when something in `schema/` is not understood or an example is not valid; with `check` also
 * when a file is stale, and when prose or an example is missing.
 */
export async function generateRepository(root: string, check: boolean, report: Report): Promise<0 | 1> {
  let output: WorkspaceOutput;
  try {
    output = await generateWorkspace(root);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    report.error(`${error.message}\n`);
    return 1;
  }
  const { files, directories, undocumented, withoutExample } = output;
  const { stale, leftover } = await (check ? compareOutput : writeOutput)(files, { directories });
  const names = (paths: readonly string[]): readonly string[] => paths.map((path) => relative(root, path));
  const gaps = [
    ...[...undocumented].map(([schema, places]) => list(`${schema} has no prose for:`, places)),
    ...[...withoutExample].map(([schema, places]) => list(`${schema} has no example of:`, places)),
  ].join("");

  report.error(gaps);
  if (!check) {
    report.out(list("Written:", names(stale)) + list("Removed:", names(leftover)) || "Nothing to do.\n");
    return 0;
  }
  const problems = list("Not as generated:", names(stale)) + list("No longer generated:", names(leftover));
  if (problems !== "") report.error(`${problems}Run: npm run generate\n`);
  return problems === "" && gaps === "" ? 0 : 1;
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${title}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}
