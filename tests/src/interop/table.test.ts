/** That the samples of the table have what the schema has. */
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { at, type Json } from "./json.ts";
import { contentBlocks, updates } from "../support/samples.ts";
import {
  accounts,
  acpServer,
  plans,
  providers,
  states,
  systemPrompts,
  unstableUpdates,
  usages,
} from "../support/samples-unstable.ts";

const schemas = { stable: readSchema("schema.json"), unstable: readSchema("schema.unstable.json") };

function readSchema(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../schema/v1/${name}`, import.meta.url), "utf8"));
}

function variantsOf(schema: unknown, union: string): readonly unknown[] {
  return (at(schema, "$defs", union, "oneOf") ?? at(schema, "$defs", union, "anyOf")) as readonly unknown[];
}

/** The tags of a union's variants, or the values of an enumeration. */
function tagsOf(schema: unknown, union: string, tag: string): readonly string[] {
  return variantsOf(schema, union)
    .map((variant) => at(variant, "properties", tag, "const") ?? at(variant, "const"))
    .filter((value) => typeof value === "string");
}

function membersOf(schema: unknown, type: string): readonly string[] {
  return Object.keys(at(schema, "$defs", type, "properties") as object);
}

/** Fails if a variant of a union has no sample, or a sample lacks a member of its type. */
function expectEveryMember(schema: unknown, union: string, tag: string, samples: Readonly<Record<string, Json>>): void {
  expect(Object.keys(samples).toSorted()).toEqual(tagsOf(schema, union, tag).toSorted());
  for (const variant of variantsOf(schema, union)) {
    const type = String(at(variant, "allOf", 0, "$ref")).replace("#/$defs/", "");
    const sample = { ...samples[String(at(variant, "properties", tag, "const"))], [tag]: "" };
    expect(Object.keys(sample).toSorted(), type).toEqual([...membersOf(schema, type), tag].toSorted());
  }
}

test("there is an update of every stable variant, with every member", () => {
  expectEveryMember(schemas.stable, "SessionUpdate", "sessionUpdate", updates);
});

test("there is an update of every unstable variant, with every member", () => {
  expectEveryMember(schemas.unstable, "SessionUpdate", "sessionUpdate", { ...updates, ...unstableUpdates });
});

test("there is a block of every kind of content, with every member", () => {
  expectEveryMember(schemas.stable, "ContentBlock", "type", contentBlocks);
});

test("there is a plan of every form, with every member", () => {
  expectEveryMember(schemas.unstable, "PlanUpdateContent", "type", plans);
});

test.each([
  { type: "McpServerAcp", sample: { ...acpServer, _meta: {} }, tags: ["type"] },
  { type: "SystemPrompt", sample: systemPrompts[0] },
  { type: "Usage", sample: usages[0] },
  { type: "AuthAccount", sample: accounts[0] },
  { type: "ProviderInfo", sample: providers[0] },
  { type: "IdleStateUpdate", sample: states.find(({ state }) => state === "idle"), tags: ["state"] },
  { type: "SubagentSessionCapabilities", sample: unstableUpdates["subagent_update"]?.["capabilities"] as Json },
])("there is a $type with every member", ({ type, sample = {}, tags = [] }) => {
  const members: readonly string[] = [...membersOf(schemas.unstable, type), ...tags];
  expect(Object.keys(sample).toSorted()).toEqual(members.toSorted());
});

test.each([
  { union: "SystemPromptMode", member: "mode", samples: systemPrompts },
  { union: "StateUpdate", member: "state", samples: states },
  { union: "IdleStateUpdate", member: "stopReason", samples: states },
  { union: "LlmProtocol", member: "supported", samples: providers },
])("there is a sample for every value of $union", ({ union, member, samples }) => {
  const used = new Set(samples.flatMap((sample) => sample[member]));
  expect(tagsOf(schemas.unstable, union, member).filter((tag) => !used.has(tag))).toEqual([]);
});
