import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readModel } from "../model/read-model.ts";
import { readSchema, schemaNames } from "../testing/index.ts";
import { compareOutput } from "./output.ts";
import { generateWorkspace, workspaceSchemas } from "./workspace.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

describe("generateWorkspace()", () => {
  test("makes the very files that are committed, every time, and documents and illustrates everything", async () => {
    const output = await generateWorkspace(root);
    const again = await generateWorkspace(root);
    expect([...again.files]).toEqual([...output.files]);
    const { stale, leftover } = await compareOutput(output.files, { directories: output.directories });
    const hint = "run: node tools/pnpm.mjs --filter @acp/codegen run generate";
    expect(
      [...stale, ...leftover].map((path) => relative(root, path)),
      hint,
    ).toEqual([]);
    expect([...output.undocumented]).toEqual(workspaceSchemas.map(({ path }) => [path, []]));
    expect([...output.withoutExample]).toEqual(workspaceSchemas.map(({ path }) => [path, []]));
  });
});

describe("the models of the protocol", () => {
  test.each(schemaNames)("of %s have a method for each definition that is marked as one", (name) => {
    const document = readSchema(name);
    const marked = Object.entries(document.$defs).filter(([, schema]) => schema["x-method"] !== undefined);
    const described = readModel(document).methods.flatMap(({ name: method, side, params, result }) =>
      [params, result].flatMap((definition) => (definition === undefined ? [] : [[definition, method, side]])),
    );
    const wanted = marked.map(([definition, schema]) => [definition, schema["x-method"], schema["x-side"]]);
    expect(new Set(described)).toEqual(new Set(wanted));
    expect(wanted).not.toEqual([]);
  });

  test.each(schemaNames)("of %s have every session update", (name) => {
    const document = readSchema(name);
    const { shape } = readModel(document).definitions.get("SessionUpdate")!;
    const union = shape.kind === "object" ? shape.union : undefined;
    const { anyOf, oneOf } = document.$defs["SessionUpdate"]!;
    const tags = (anyOf ?? oneOf ?? []).map((branch) => branch.properties?.["sessionUpdate"]?.const);
    const known = tags.filter((tag) => tag !== undefined);
    expect(union?.kind === "tagged" && union.variants.map(({ value }) => value)).toEqual(known);
    expect(known).toContain("agent_message_chunk");
  });
});
