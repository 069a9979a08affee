import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { applyRules } from "../model/apply-rules.ts";
import type { Definition, ModelGate } from "../model/protocol-model.ts";
import { readModel } from "../model/read-model.ts";
import { parseRules } from "../model/rules.ts";
import { readSchema } from "../testing/index.ts";
import { mergeProse } from "./index.ts";

const read = (version: string, file = "prose.md"): string =>
  readFileSync(new URL(`../../../schema/${version}/${file}`, import.meta.url), "utf8");

describe("The prose of the repository", () => {
  test.each(["v1", "v2"] as const)("of %s describes everything in its schemas and nothing else", (version) => {
    const stable = readSchema(version);
    const unstable = readSchema(`${version}/unstable`);
    const options = { source: `schema/${version}/prose.md`, ...(version === "v2" && { bases: { v1: read("v1") } }) };
    const prose = read(version);
    expect(mergeProse(stable, prose, { ...options, alsoIn: [unstable] }).missing).toEqual([]);
    expect(mergeProse(unstable, prose, { ...options, alsoIn: [stable] }).missing).toEqual([]);
  });

  test.each(["v1", "v2"] as const)("of %s names the capability that the rules demand for a variant", (version) => {
    const bases = version === "v1" ? undefined : { v1: read("v1") };
    const { document } = mergeProse(readSchema(`${version}/unstable`), read(version), { ...(bases && { bases }) });
    const model = applyRules(readModel(document), parseRules(read(version, "rules.json"), "rules.json"));
    const unsaid = model.variantGates.filter(
      ({ union, tag, gate }) => !docsOf(model.definitions.get(union), tag).includes(`\`${pathOf(gate)}\``),
    );
    expect(unsaid).toEqual([]);
  });
});

function docsOf(definition: Definition | undefined, tag: string): string {
  const union = definition?.shape.kind === "object" ? definition.shape.union : undefined;
  const variant = union?.kind === "tagged" ? union.variants.find(({ value }) => value === tag) : undefined;
  return variant?.docs ?? "";
}

function pathOf(gate: ModelGate): string {
  return gate.kind === "capability" ? gate.path.join(".") : "";
}
