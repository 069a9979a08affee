/** That the samples of the table have what the schema has. */
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { at } from "./json.ts";
import { contentBlocks, updates } from "./samples.ts";

const schema: unknown = JSON.parse(readFileSync(new URL("../../../schema/v1/schema.json", import.meta.url), "utf8"));

/** The tags of a union's variants. */
function tagsOf(union: string, tag: string): readonly string[] {
  const variants = at(schema, "$defs", union, "oneOf") as readonly unknown[];
  return variants.map((variant) => String(at(variant, "properties", tag, "const")));
}

test("there is an update of every stable variant, with every member", () => {
  expect(Object.keys(updates).toSorted()).toEqual(tagsOf("SessionUpdate", "sessionUpdate").toSorted());
  const variants = at(schema, "$defs", "SessionUpdate", "oneOf") as readonly unknown[];
  for (const variant of variants) {
    const type = String(at(variant, "allOf", 0, "$ref")).replace("#/$defs/", "");
    const members = Object.keys(at(schema, "$defs", type, "properties") as object);
    const sample = updates[String(at(variant, "properties", "sessionUpdate", "const"))] ?? {};
    expect(Object.keys(sample).toSorted(), type).toEqual(members.toSorted());
  }
});

test("there is a block of every kind of content, with every member", () => {
  expect(Object.keys(contentBlocks).toSorted()).toEqual(tagsOf("ContentBlock", "type").toSorted());
  const variants = at(schema, "$defs", "ContentBlock", "oneOf") as readonly unknown[];
  for (const variant of variants) {
    const type = String(at(variant, "allOf", 0, "$ref")).replace("#/$defs/", "");
    const members = Object.keys(at(schema, "$defs", type, "properties") as object);
    const sample = contentBlocks[String(at(variant, "properties", "type", "const"))] ?? {};
    expect(Object.keys(sample).toSorted(), type).toEqual([...members, "type"].toSorted());
  }
});
