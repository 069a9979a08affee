import { findCompileErrors } from "../status/compile-errors.ts";
import { parseRules } from "../model/rules.ts";
import { SchemaError } from "../model/schema-document.ts";
import { findCasesLeft, findExamplesLeft, findProseLeft, formatLeft } from "../status/left-to-write.ts";
import { findRulesLeft, type Left, tagsOf } from "../status/rules-left.ts";
import type { Report } from "./generate-repository.ts";
import { type Sources, sourcesOf } from "./sources.ts";
import { type Edition, generateEditions, type ProtocolVersion, protocolVersions } from "./workspace.ts";

/**
 * Lists all that is left to write about the schemas of the repository at `root`, with a skeleton for each: rules, prose,
 * examples, and cases of the reducers.
 *
 * @param compile Returns what the compiler prints about the code that uses the schemas: its errors are listed as well.
 * @returns The exit code: 1 when something in `schema/` is not understood.
 */
export async function statusRepository(
  root: string,
  report: Report,
  compile: () => Promise<readonly string[]> = async () => await Promise.resolve([]),
): Promise<0 | 1> {
  const sources = sourcesOf(root);
  let editions: readonly Edition[];
  try {
    editions = await generateEditions(sources);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    report.error(`${error.message}\nFix this first. Then npm run schema:status lists what is left to write.\n`);
    return 1;
  }
  const files: (readonly [string, readonly Left[]])[] = [];
  for (const version of protocolVersions) {
    const own = editions.filter(({ schema }) => schema.version === version);
    const models = own.map(({ generated }) => generated.model);
    const rules = `schema/${version}/rules.json`;
    const missing = own.flatMap(({ examples, generated: { model } }) =>
      examples.missing.map((place) => ({ place, model })),
    );
    const tags = [...new Set(models.flatMap((model) => tagsOf(model, "SessionUpdate")))];
    files.push(
      [rules, findRulesLeft(parseRules(await sources.read(rules), rules), models)],
      [`schema/${version}/prose.md`, findProseLeft(own.flatMap(({ generated }) => generated.undocumented))],
      [`schema/${version}/examples`, findExamplesLeft(missing)],
      [reducerOf(version), findCasesLeft(tags, await readReducer(sources, version))],
    );
  }
  files.push(...findCompileErrors(await compile()));
  report.out(formatLeft(files) || "Nothing is left to write.\n");
  return 0;
}

function reducerOf(version: ProtocolVersion): string {
  return `packages/core/src/state/${version}/reduce-update.ts`;
}

/** What says how updates change the state of a session: some of them do the same in both versions. */
async function readReducer(sources: Sources, version: ProtocolVersion): Promise<string> {
  const shared = "packages/core/src/state/shared/reduce-items.ts";
  return `${await sources.read(reducerOf(version))}\n${await sources.read(shared)}`;
}
