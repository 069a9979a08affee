import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { emitDecoders } from "../emit/decoders/index.ts";
import { readModel } from "../model/read-model.ts";
import type { SchemaDocument } from "../model/schema-document.ts";
import { type DecodedMessage, disagreement } from "./agreement.ts";
import { copyJson, deepFreeze } from "./json.ts";
import { messages } from "./messages.ts";
import { mutated } from "./mutations.ts";
import { randomSchema } from "./random-schema.ts";
import { referenceReader } from "./reference-reader.ts";

const folder = mkdtempSync(join(tmpdir(), "random-schema-"));
afterAll(() => rmSync(folder, { recursive: true }));

const runtime = new URL("../../../packages/schema/src/decoding/index.ts", import.meta.url).href;

type Decode = (definition: string, message: unknown) => DecodedMessage;

/** Emits the decoders of a schema and loads them. */
async function decodersOf(
  document: SchemaDocument,
  rules: { readonly openUnions: readonly string[]; readonly hot: readonly string[] },
  name: string,
): Promise<Decode> {
  const code = emitDecoders({ ...readModel(document), ...rules }, { runtime, received: "./received.ts", header: [] });
  const file = join(folder, `${name}.ts`);
  const run = `
    import { decode as run } from ${JSON.stringify(runtime)};
    import * as decoders from "./${name}.ts";
    export const decode = (definition, message) => run(decoders["decode" + definition], message);
  `;
  writeFileSync(file, code);
  writeFileSync(join(folder, `${name}-entry.ts`), run);
  const module: { decode: Decode } = await import(
    /* @vite-ignore */ pathToFileURL(join(folder, `${name}-entry.ts`)).href
  );
  return module.decode;
}

/** Which definitions are written out, and which are described. */
const manners = [
  ["all of it written out", () => true],
  ["all of it described", () => false],
  ["some of it described", (_name: string, index: number) => index % 2 === 0],
] as const;

const seeds = process.env["THOROUGH"] === undefined ? [1] : [1, 2, 3, 4, 5, 6];

test.each(seeds.flatMap((seed) => manners.map(([manner, isHot]) => [seed, manner, isHot] as const)))(
  "emitDecoders() agrees with the reference reader when the schema is random: %d, %s",
  async (seed, manner, isHot) => {
    const [document] = fc.sample(randomSchema(40), { seed, numRuns: 1 });
    if (document === undefined) throw new Error("no schema");
    const openUnions = Object.keys(document.$defs).filter((_name, index) => index % 3 === 0);
    const hot = Object.keys(document.$defs).filter(isHot);
    const name = `schema-${seed}-${manner.replaceAll(" ", "-")}`;
    const decode = await decodersOf(document, { openUnions, hot }, name);
    const reference = referenceReader(document, openUnions);
    for (const [definition, valid] of Object.entries(messages(document))) {
      const check = (generated: unknown): void => {
        const message = deepFreeze(copyJson(generated));
        const wrong = disagreement(message, decode(definition, message), reference(definition, message));
        if (wrong === undefined) return;
        expect.fail(
          `${definition} ${JSON.stringify(message)}: ${wrong}\n${JSON.stringify(document.$defs, undefined, 1)}`,
        );
      };
      fc.assert(fc.property(fc.oneof(valid, mutated(valid)), check), { seed, numRuns: 40 });
    }
  },
);
