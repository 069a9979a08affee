import { deepStrictEqual } from "node:assert";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readModel } from "../../../model/read-model.ts";
import type { JsonSchema } from "../../../model/schema-document.ts";
import { emitDecoders } from "../index.ts";

const runtime = fileURLToPath(new URL("../../../../../packages/schema/src/decoding/index.ts", import.meta.url));

/** What decoding came to, as the tests look at it. */
export interface Outcome {
  readonly ok: boolean;
  readonly value?: unknown;
  readonly path?: readonly (string | number)[];
  readonly reason?: string;
  readonly issues: readonly {
    readonly action: string;
    readonly path: readonly (string | number)[];
    readonly reason: string;
  }[];
}

interface Loaded {
  readonly decode: (decoder: unknown, value: unknown) => Outcome;
  readonly decoders: Readonly<Record<string, unknown>>;
  readonly unknownVariant: string;
}

/** Generates decoders into a folder of their own and loads them as any program would, by its runtime's loader. */
async function load(
  definitions: Record<string, JsonSchema>,
  rules: { readonly openUnions: readonly string[]; readonly hot?: readonly string[] },
): Promise<Loaded> {
  const model = { ...readModel({ $defs: definitions }), ...rules };
  const code = emitDecoders(model, { runtime: pathToFileURL(runtime).href, received: "./received.ts", header: [] });
  const directory = mkdtempSync(join(tmpdir(), "emit-decoders-"));
  const entry = join(directory, "entry.ts");
  writeFileSync(join(directory, "decoders.ts"), code);
  writeFileSync(
    entry,
    `export { decode, unknownVariant } from ${JSON.stringify(pathToFileURL(runtime).href)};
     export * as decoders from "./decoders.ts";`,
  );
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(entry).href)) as Loaded;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Decodes values as the definition `X`. Written out or described, decoders come to the same. */
export async function decoderOf(
  schema: JsonSchema,
  more: Record<string, JsonSchema> = {},
  openUnions: readonly string[] = [],
): Promise<((value: unknown) => Outcome) & { readonly unknownVariant: string }> {
  const { decode, decoders, unknownVariant } = await load({ X: schema, ...more }, { openUnions });
  const described = await load({ X: schema, ...more }, { openUnions, hot: [] });
  const run = (value: unknown): Outcome => {
    const outcome = decode(decoders["decodeX"], value);
    deepStrictEqual(described.decode(described.decoders["decodeX"], value), outcome);
    return outcome;
  };
  return Object.assign(run, { unknownVariant });
}

/** Any string. */
export const string: JsonSchema = { type: "string" };
/** A reference to another definition of the test. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
/** An object with these members. */
export const object = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
});
/** A branch of a tagged union, with the members of `payload`. */
export const variant = (tag: string, value: string, payload?: string): JsonSchema => ({
  ...object({ [tag]: { type: "string", const: value } }, [tag]),
  ...(payload !== undefined && { allOf: [ref(payload)] }),
});
/** The branch for unknown variants; `more` is what it asks for besides the tag. */
export const other = (tag: string, known: readonly string[], more: JsonSchema = {}): JsonSchema => ({
  ...more,
  title: "other",
  type: "object",
  properties: { ...more.properties, [tag]: string },
  required: [...(more.required ?? []), tag],
  not: { anyOf: known.map((value) => variant(tag, value)) },
  additionalProperties: true,
});
/** Beside a member: a bad value is left out. */
export const tolerant: JsonSchema = { "x-deserialize-default-on-error": true };
/** Beside a list: bad items are left out. */
export const skipping: JsonSchema = { "x-deserialize-skip-invalid-items": true };
/** Beside a list or map: null is empty. */
export const nullIsEmpty: JsonSchema = { "x-deserialize-default-on-null": true };

/** A reference to another definition of the test. */
/** A refusal for this reason, at this place. */
export const refused = (reason: string, ...path: readonly (string | number)[]): Outcome => ({
  ok: false,
  path,
  reason,
  issues: [],
});
/** The value, with nothing to say about it. */
export const accepted = (value: unknown): Outcome => ({ ok: true, value, issues: [] });
