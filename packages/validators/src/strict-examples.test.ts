import { readdirSync, readFileSync } from "node:fs";
import { matchExamples, parseSchemaDocument, readExamples, readModel } from "@acp/codegen";
import { describe, expect, test } from "vitest";
import { compile as compileUnstable } from "./generated/v1-unstable-strict.js";
import { compile } from "./generated/v1-strict.js";
import { createMessageChecks } from "./strict/message-checks.ts";

const folder = new URL("../../../schema/v1/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");
const document = (name: string): ReturnType<typeof parseSchemaDocument> => parseSchemaDocument(read(name), name);

describe.each([
  ["schema.json", createMessageChecks(compile)],
  ["schema.unstable.json", createMessageChecks(compileUnstable)],
] as const)("the examples in the reference of version 1, %s", (file, checks) => {
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
    expect(methods.size).toBeGreaterThan(20);
  });
});
