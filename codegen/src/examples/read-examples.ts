import { isPlainObject, parseJson, SchemaError } from "../model/schema-document.ts";

/** A file of examples: a list of {@link Example}s as JSON. */
export interface ExampleFile {
  /** Names the file in errors: `schema/v1/examples/turns.json`. */
  readonly source: string;
  readonly text: string;
}

/** What is common to all examples. */
interface Described {
  /** What it shows, where that is not plain: `the user allows it`. */
  readonly title?: string;
  /** The file and the position in it, for errors. */
  readonly source: string;
}

/** A request with its answer, or, without `result`, a notification. */
export interface MethodExample extends Described {
  readonly method: string;
  readonly params: unknown;
  readonly result?: unknown;
}

/** A value of a definition. */
export interface DefinitionExample extends Described {
  readonly definition: string;
  readonly value: unknown;
}

/** One entry of a file of examples. */
export type Example = MethodExample | DefinitionExample;

/**
 * Reads files of examples.
 *
 * An entry is `{ method, title?, params, result? }` or `{ definition, title?, value }`. A request has a result, a
 * notification has none; that tells them apart where both have one name.
 *
 * @throws SchemaError naming file and position for anything else.
 */
export function readExamples(files: readonly ExampleFile[]): readonly Example[] {
  return files.flatMap(({ source, text }) => {
    const list = parseJson(text, source);
    if (!Array.isArray(list)) throw new SchemaError(`${source} is not a list of examples`);
    return list.map((entry, index) => readExample(entry, `${source}[${index}]`));
  });
}

function readExample(entry: unknown, source: string): Example {
  if (!isPlainObject(entry)) throw new SchemaError(`${source}: expected an object`);
  const { method, definition, title } = entry;
  if (title !== undefined && typeof title !== "string") throw new SchemaError(`${source}: \`title\` is not a string`);
  const described = { source, ...(title !== undefined && { title }) };
  if (typeof method === "string") {
    only(entry, ["method", "title", "params", "result"], source);
    if (!("params" in entry)) throw new SchemaError(`${source}: the example of ${method} has no \`params\``);
    return {
      ...described,
      method,
      params: entry["params"],
      ...("result" in entry && { result: entry["result"] }),
    };
  }
  if (typeof definition !== "string") throw new SchemaError(`${source}: expected \`method\` or \`definition\``);
  only(entry, ["definition", "title", "value"], source);
  if (!("value" in entry)) throw new SchemaError(`${source}: the example of ${definition} has no \`value\``);
  return { ...described, definition, value: entry["value"] };
}

function only(entry: Readonly<Record<string, unknown>>, known: readonly string[], source: string): void {
  const unknown = Object.keys(entry).find((member) => !known.includes(member));
  if (unknown !== undefined) throw new SchemaError(`${source}: \`${unknown}\` is not a member of an example`);
}
