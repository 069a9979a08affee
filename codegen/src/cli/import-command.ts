import { diffDocuments, formatChanges } from "../import/diff-documents.ts";
import { formatDocument, stripProse } from "../import/strip-prose.ts";
import { parseSchemaDocument } from "../model/schema-document.ts";
import { readIfPresent, writeWhole } from "../pipeline/output.ts";
import { type Output, UsageError } from "./command-line.ts";

/** `acp-codegen import`: takes over the structure of an upstream schema, and says what is new. */
export async function importCommand(upstreamPath: string, ourPath: string, output: Output): Promise<number> {
  const upstream = stripProse(parseSchemaDocument(await readUpstream(upstreamPath), upstreamPath));
  const previous = await readIfPresent(ourPath);
  const changes =
    previous === undefined
      ? `${ourPath} is new: ${Object.keys(upstream.$defs).length} definitions.\n`
      : formatChanges(diffDocuments(parseSchemaDocument(previous, ourPath), upstream));
  await writeWhole(ourPath, formatDocument(upstream));
  output.out(changes);
  return 0;
}

async function readUpstream(path: string): Promise<string> {
  const text = await readIfPresent(path);
  if (text === undefined) throw new UsageError(`there is no file ${path}`);
  return text;
}
