import { basename } from "node:path";
import { type DiffOptions, diffDocuments, type SchemaChange } from "../diff/diff-documents.ts";
import { formatChanges } from "../diff/format-changes.ts";
import { changesToMarkdown } from "../diff/markdown.ts";
import { parseRules } from "../model/rules.ts";
import { parseSchemaDocument } from "../model/schema-document.ts";
import { readText } from "./binding.ts";
import { type DiffValues, type Output, UsageError } from "./command-line.ts";

const formats = ["text", "markdown", "json"] as const;
const classes = ["wire", "source"] as const;

/** The exit code for changes that `--fail-on` names; 1 is for errors. */
const broken = 2;

/** `acp-codegen diff`: prints what changed between two schemas, and whom it breaks. */
export async function diffCommand(values: DiffValues, before: string, after: string, output: Output): Promise<number> {
  const format = oneOf(formats, values.format, "--format");
  const failOn = (values["fail-on"] ?? []).map((given) => oneOf(classes, given, "--fail-on"));
  const options: DiffOptions =
    values.rules === undefined
      ? {}
      : { openUnions: parseRules(await readText(values.rules), values.rules).openUnions ?? [] };
  const old = parseSchemaDocument(await readText(before), before);
  const changes = diffDocuments(old, parseSchemaDocument(await readText(after), after), options);
  const title = `From ${basename(before)} to ${basename(after)}`;
  if (format === "json") output.out(`${JSON.stringify({ changes }, null, 2)}\n`);
  else output.out(format === "markdown" ? changesToMarkdown(changes, title) : formatChanges(changes));
  const hits = failOn.map((given) => [given, changes.filter((change) => breaksClass(change, given)).length] as const);
  const failing = hits.filter(([, count]) => count > 0);
  for (const [given, count] of failing) {
    const what = given === "wire" ? "messages between old and new peers" : "TypeScript that uses the old types";
    output.error(`--fail-on ${given}: ${count} ${count === 1 ? "change breaks" : "changes break"} ${what}.\n`);
  }
  return failing.length === 0 ? 0 : broken;
}

function breaksClass({ breaks }: SchemaChange, given: (typeof classes)[number]): boolean {
  return given === "wire" ? breaks.readers || breaks.writers : breaks.sources;
}

function oneOf<T extends string>(allowed: readonly T[], given: string, option: string): T {
  const found = allowed.find((value) => value === given);
  if (found === undefined) throw new UsageError(`${option} is ${allowed.join(" or ")}, not ${given}`);
  return found;
}
