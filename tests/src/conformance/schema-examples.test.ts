import { matchExamples, parseSchemaDocument, readExamples, readModel } from "@acp/codegen";
import { decode, type Decoder } from "@acp/schema";
import * as v1 from "@acp/schema/v1";
import * as v1Unstable from "@acp/schema/v1/unstable";
import * as v2 from "@acp/schema/v2";
import * as v2Unstable from "@acp/schema/v2/unstable";
import * as validateV1 from "@acp/validators/v1";
import * as validateV1Unstable from "@acp/validators/v1/unstable";
import * as validateV2 from "@acp/validators/v2";
import * as validateV2Unstable from "@acp/validators/v2/unstable";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/** The schemas whose reference shows the examples, with what reads and what validates messages. */
const editions = [
  { version: "v1", file: "schema.json", decoders: v1, validators: validateV1 },
  { version: "v1", file: "schema.unstable.json", decoders: v1Unstable, validators: validateV1Unstable },
  { version: "v2", file: "schema.json", decoders: v2, validators: validateV2 },
  { version: "v2", file: "schema.unstable.json", decoders: v2Unstable, validators: validateV2Unstable },
] as const;

type Edition = (typeof editions)[number];

const read = (path: string): string => readFileSync(new URL(`../../../schema/${path}`, import.meta.url), "utf8");

/** Every value that the reference of an edition shows, with its definition. */
function shown({ version, file }: Edition): readonly (readonly [definition: string, value: unknown])[] {
  const files = readdirSync(new URL(`../../../schema/${version}/examples`, import.meta.url)).toSorted();
  const sources = files.map((name) => ({ source: name, text: read(`${version}/examples/${name}`) }));
  const model = (name: string): ReturnType<typeof readModel> =>
    readModel(parseSchemaDocument(read(`${version}/${name}`), name));
  const examples = matchExamples(readExamples(sources), {
    document: parseSchemaDocument(read(`${version}/${file}`), file),
    model: model(file),
    alsoIn: [model("schema.json"), model("schema.unstable.json")],
  });
  return [
    ...[...examples.methods].flatMap(([{ params, result }, all]) =>
      all.flatMap((example) => [
        [params, example.params] as const,
        ...(result === undefined ? [] : [[result, example.result] as const]),
      ]),
    ),
    ...[...examples.definitions.values()].flat().map(({ definition, value }) => [definition, value] as const),
  ];
}

describe.each(editions)("the examples in the reference of $version, $file", (edition) => {
  const values = shown(edition);

  test("are read as they are, without a note", () => {
    for (const [definition, value] of values) {
      const decoder: unknown = Reflect.get(edition.decoders, `decode${definition}`);
      if (typeof decoder !== "function") expect.fail(`there is no decoder of ${definition}`);
      const decoded = decode(decoder as Decoder<unknown>, value);
      expect(decoded, definition).toEqual({ ok: true, value, issues: [] });
      expect(decoded.ok && decoded.value, definition).toBe(value);
    }
  });

  test("are valid, formats of URLs and times and numbers included", () => {
    const validate: (definition: never, value: unknown) => unknown = edition.validators.validate;
    for (const [definition, value] of values) {
      expect(validate(definition as never, value), `${definition}: ${JSON.stringify(value)}`).toEqual({ ok: true });
    }
  });
});

test("there are examples", () => {
  for (const edition of editions) expect(shown(edition).length).toBeGreaterThan(40);
});
