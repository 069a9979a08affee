import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Method } from "../model/protocol-model.ts";
import { readModel } from "../model/read-model.ts";
import { parseSchemaDocument } from "../model/schema-document.ts";
import { compareOutput } from "./output.ts";
import { generateWorkspace, workspaceSchemas } from "./workspace.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

describe("generateWorkspace()", { timeout: 60_000 }, () => {
  test("makes the very files that are committed, every time, and documents and illustrates everything", async () => {
    const output = await generateWorkspace(root);
    const again = await generateWorkspace(root);
    expect([...again.files]).toEqual([...output.files]);
    const { stale, leftover } = await compareOutput(output.files, output.directories);
    const hint = "run: node tools/pnpm.mjs --filter @acp/codegen run generate";
    expect(
      [...stale, ...leftover].map((path) => relative(root, path)),
      hint,
    ).toEqual([]);
    expect([...output.undocumented]).toEqual(workspaceSchemas.map(({ path }) => [path, []]));
    expect([...output.withoutExample]).toEqual(workspaceSchemas.map(({ path }) => [path, []]));
  });
});

describe("the methods of the protocol", () => {
  const methods = (path: string): readonly Method[] =>
    readModel(parseSchemaDocument(readFileSync(join(root, path), "utf8"), path)).methods;
  const count = (all: readonly Method[], kind: Method["kind"], side?: Method["side"]): number =>
    all.filter((method) => method.kind === kind && (side === undefined || method.side === side)).length;

  test.each([
    ["schema/v1/schema.json", 21, 4, 12, 9, 0],
    ["schema/v1/schema.unstable.json", 33, 7, 21, 10, 2],
    ["schema/v2/schema.json", 14, 4, 12, 2, 0],
    ["schema/v2/schema.unstable.json", 26, 7, 21, 3, 2],
  ])("%s has %i requests and %i notifications", (path, requests, notifications, agent, client, proxy) => {
    const all = methods(path);
    expect([count(all, "request"), count(all, "notification")]).toEqual([requests, notifications]);
    const bySide = (["agent", "client", "proxy"] as const).map((side) => count(all, "request", side));
    expect(bySide).toEqual([agent, client, proxy]);
  });

  test.each([
    ["v1", "schema.json", 14],
    ["v1", "schema.unstable.json", 19],
    ["v2", "schema.json", 19],
    ["v2", "schema.unstable.json", 23],
  ])("%s %s has the known session updates", (version, file, variants) => {
    const path = join("schema", version, file);
    const model = readModel(parseSchemaDocument(readFileSync(join(root, path), "utf8"), path));
    const shape = model.definitions.get("SessionUpdate")!.shape;
    const union = shape.kind === "object" ? shape.union : undefined;
    expect(union?.kind === "tagged" && union.variants).toHaveLength(variants);
  });
});
