import { isPlainObject, type JsonSchema, type SchemaDocument } from "../model/schema-document.ts";

/** One statement a schema makes, as far as a diff is concerned. */
export interface Fact {
  readonly what: "definition" | "method" | "member" | "variant" | "value";
  /** `PromptResponse.stopReason`, `session/prompt (agent request)`. */
  readonly name: string;
  /** What is said, in a few words. Two facts with one name differ when this differs. */
  readonly says: string;
  /** Reading hints, defaults and titles: a change here breaks nobody. */
  readonly hints: string;
  /** Whether its arrival can break a peer or a reader. */
  readonly addingBreaks: boolean;
  /** The key of the fact that this one is a part of: when that one is new or gone, so is this. */
  readonly owner?: string;
}

const hintKeywords: readonly string[] = ["title", "default"];

/** What a document says about its methods and definitions, by kind and name. Envelopes are left out. */
export function factsOf(document: SchemaDocument): ReadonlyMap<string, Fact> {
  const facts = new Map<string, Fact>();
  const add = (fact: Fact): void => void facts.set(`${fact.what} ${fact.name}`, fact);
  for (const [name, schema] of Object.entries(document.$defs)) {
    if (schema["x-docs-ignore"] === true) continue;
    const method = methodOf(name, schema);
    if (method !== undefined) {
      add({ what: "method", name: method, says: "", hints: "", addingBreaks: false });
    }
    definitionFacts(name, schema, add);
  }
  return facts;
}

function methodOf(name: string, schema: JsonSchema): string | undefined {
  const kind = /(Request|Notification)$/.exec(name)?.[1]?.toLowerCase();
  if (kind === undefined || schema["x-method"] === undefined) return undefined;
  return `${schema["x-method"]} (${schema["x-side"]} ${kind})`;
}

function definitionFacts(name: string, schema: JsonSchema, add: (fact: Fact) => void): void {
  const { properties: _, required: __, anyOf, oneOf, discriminator: ___, ...rest } = schema;
  const says = Object.keys(rest).every((keyword) => keyword.startsWith("x-")) ? "" : describe(rest);
  add({ what: "definition", name, says, hints: hintsOf(schema), addingBreaks: false });
  const owner = `definition ${name}`;
  memberFacts(name, owner, schema, add);
  const branches = anyOf ?? oneOf ?? [];
  const open = branches.some((branch) => branch.not !== undefined || isBare(branch));
  branches.forEach((branch, index) => {
    if (branch.not !== undefined) {
      add({ what: "variant", name: `${name} (any other)`, says: "", hints: "", addingBreaks: false, owner });
      return;
    }
    if (branch.const !== undefined) {
      add({
        what: "value",
        name: `${name} = ${JSON.stringify(branch.const)}`,
        says: "",
        hints: hintsOf(branch),
        addingBreaks: !open,
        owner,
      });
      return;
    }
    const label = constantOf(branch) ?? branch.title ?? describe(branch) ?? String(index);
    const { properties: ____, required: _____, ...payload } = branch;
    const variant = `${name} = ${label}`;
    add({ what: "variant", name: variant, says: describe(payload), hints: "", addingBreaks: !open, owner });
    memberFacts(variant, `variant ${variant}`, branch, add);
  });
}

function memberFacts(name: string, owner: string, schema: JsonSchema, add: (fact: Fact) => void): void {
  for (const [member, inner] of Object.entries(schema.properties ?? {})) {
    const required = schema.required?.includes(member) ?? false;
    const says = `${required ? "required" : "optional"} ${describe(inner)}`;
    add({ what: "member", name: `${name}.${member}`, says, hints: hintsOf(inner), addingBreaks: required, owner });
  }
}

/** A branch such as `{ title: "other", type: "string" }`: it takes every value of its type. */
function isBare(branch: JsonSchema): boolean {
  return branch.const === undefined && (branch.type === "string" || branch.type === "integer");
}

function constantOf(branch: JsonSchema): string | undefined {
  const entry = Object.entries(branch.properties ?? {}).find(([, member]) => member.const !== undefined);
  return entry === undefined ? undefined : JSON.stringify(entry[1].const);
}

function hintsOf(schema: JsonSchema): string {
  const hints = Object.entries(schema).filter(
    ([name]) => hintKeywords.includes(name) || name.startsWith("x-deserialize-"),
  );
  return hints
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .toSorted()
    .join(", ");
}

/** A schema in the words of a type: `string | null`, `list of ContentBlock`, `integer (uint32, minimum 0)`. */
function describe(schema: JsonSchema): string {
  const { $ref, type, items, allOf, anyOf, oneOf } = schema;
  if ($ref !== undefined) return $ref.replace("#/$defs/", "");
  const parts: string[] = [];
  if (schema.const !== undefined) parts.push(JSON.stringify(schema.const));
  else if (type !== undefined)
    parts.push(
      [type]
        .flat()
        .map((name) => (name === "array" ? listOf(items) : name))
        .join(" | "),
    );
  for (const part of allOf ?? []) parts.push(describe(part));
  const branches = anyOf ?? oneOf;
  if (branches !== undefined) parts.push(branches.map(describe).join(" | "));
  const free = schema.additionalProperties;
  if (isPlainObject(free)) parts.push(`of ${describe(free)}`);
  const limits = ["format", "minimum", "maximum", "minLength", "minItems", "contentEncoding"] as const;
  const limited = limits.filter((name) => schema[name] !== undefined).map((name) => `${name} ${schema[name]}`);
  if (limited.length > 0) parts.push(`(${limited.join(", ")})`);
  const known = new Set<string>([...limits, ...hintKeywords, ...describedKeywords]);
  for (const [name, value] of Object.entries(schema)) {
    if (!known.has(name) && !name.startsWith("x-")) parts.push(`${name} ${JSON.stringify(value)}`);
  }
  return parts.join(" ") || "anything";
}

const describedKeywords = [
  "$ref",
  "type",
  "const",
  "items",
  "allOf",
  "anyOf",
  "oneOf",
  "additionalProperties",
  "description",
  "properties",
  "required",
];

function listOf(items: JsonSchema | undefined): string {
  return items === undefined ? "list" : `list of ${describe(items)}`;
}
