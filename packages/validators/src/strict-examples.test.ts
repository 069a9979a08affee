import { readdirSync, readFileSync } from "node:fs";
import { matchExamples, parseSchemaDocument, readExamples, readModel } from "@acp/codegen";
import { describe, expect, test } from "vitest";
import { compile as compileUnstable } from "./generated/v1-unstable-strict.js";
import { compile } from "./generated/v1-strict.js";
import { compile as compileV2Unstable } from "./generated/v2-unstable-strict.js";
import { compile as compileV2 } from "./generated/v2-strict.js";
import { createMessageChecks } from "./strict/message-checks.ts";

describe.each([
  ["v1", "schema.json", createMessageChecks(compile)],
  ["v1", "schema.unstable.json", createMessageChecks(compileUnstable)],
  ["v2", "schema.json", createMessageChecks(compileV2)],
  ["v2", "schema.unstable.json", createMessageChecks(compileV2Unstable)],
] as const)("the examples in the reference of %s, %s", (version, file, checks) => {
  const folder = new URL(`../../../schema/${version}/`, import.meta.url);
  const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");
  const document = (name: string): ReturnType<typeof parseSchemaDocument> => parseSchemaDocument(read(name), name);

  test("are right to the letter", () => {
    const sources = readdirSync(new URL("examples", folder)).map((name) => ({
      source: name,
      text: read(`examples/${name}`),
    }));
    const { methods } = matchExamples(readExamples(sources), {
      document: document(file),
      model: readModel(document(file)),
      alsoIn: ["schema.json", "schema.unstable.json"].map((name) => readModel(document(name))),
    });
    const wrong = [...methods].flatMap(([{ name, kind }, examples]) =>
      examples.flatMap(({ params, result }) =>
        kind === "notification"
          ? checks.notification(name, params)
          : [...checks.request(name, params), ...checks.result(name, result)],
      ),
    );
    expect(wrong).toEqual([]);
    expect(methods.size).toBeGreaterThan(17);
  });
});
