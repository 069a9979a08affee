import type { JsonSchema, SchemaDocument } from "../model/schema-document.ts";
import { describe, hintsOf, isExclusive, membersOf, schemasOf } from "./describe.ts";

/** Where in a schema something is: in which type, and which part of it. */
export interface ChangePlace {
  readonly type: string;
  /** The variant of a union, by its tag: `"text"`. */
  readonly variant?: string;
  /** The value of an enum, as JSON. */
  readonly value?: string;
  readonly member?: string;
}

/** One statement a schema makes, as far as a diff is concerned. */
export interface Fact {
  readonly what: "definition" | "method" | "member" | "variant" | "value";
  /** `PromptResponse.stopReason`, `session/prompt (agent request)`. */
  readonly name: string;
  /** What is said, in a few words. Two facts with one name differ when this differs. */
  readonly says: string;
  /** Reading hints, defaults and titles: a change here breaks nobody. */
  readonly hints: string;
  readonly place: ChangePlace;
  /** What the definition, the member, the variant or the value itself accepts, apart from facts of their own. */
  readonly schema: JsonSchema;
  /** Whether the union has it already: the generator refuses that, and with `oneOf` nothing can fit. */
  readonly isRepeated: boolean;
  /** Of a member: whether it has to be there. */
  readonly isRequired: boolean;
  /** What the fact is part of: the object of a member, the union of a variant or value. */
  readonly whole: JsonSchema;
  /** The key of the fact that this one is a part of: when that one is new or gone, so is this. */
  readonly owner?: string;
}

/** Adds a fact and returns its name: that of an earlier fact of its kind gets a number. */
type Add = (fact: Omit<Fact, "isRepeated">) => string;

/** What a document says about its methods and definitions, by kind and name. Envelopes are left out. */
export function factsOf(document: SchemaDocument): ReadonlyMap<string, Fact> {
  const facts = new Map<string, Fact>();
  const add: Add = (fact) => {
    // The generator refuses a variant or a value that is there twice; whoever imports one has to see it.
    let { name } = fact;
    for (let count = 2; facts.has(`${fact.what} ${name}`); count++) name = `${fact.name} (${count})`;
    facts.set(`${fact.what} ${name}`, { ...fact, name, isRepeated: name !== fact.name });
    return name;
  };
  for (const [name, schema] of Object.entries(definitionsOf(document))) {
    if (schema["x-docs-ignore"] === true) continue;
    const method = methodOf(name, schema);
    if (method !== undefined && !name.endsWith("Response")) {
      const place = { type: name };
      add({ what: "method", name: method, says: "", hints: "", place, schema: {}, isRequired: false, whole: {} });
    }
    definitionFacts(name, schema, add);
  }
  return facts;
}

/** The definitions of a document, under the newer and the older name of their keyword, and its root if it has members. */
export function definitionsOf(document: SchemaDocument): Readonly<Record<string, JsonSchema>> {
  const { $defs, definitions, ...root } = document;
  const name = typeof root.title === "string" ? root.title : "Root";
  return { ...(root.properties !== undefined && { [name]: root }), ...definitions, ...$defs };
}

/** The method whose params or result a definition is: `session/prompt (agent request)`. */
export function methodOf(name: string, schema: JsonSchema): string | undefined {
  const role = /(Request|Response|Notification)$/.exec(name)?.[1];
  if (role === undefined || schema["x-method"] === undefined) return undefined;
  const kind = role === "Notification" ? "notification" : "request";
  return `${schema["x-method"]} (${schema["x-side"]} ${kind})`;
}

function definitionFacts(name: string, schema: JsonSchema, add: Add): void {
  const { properties: _, required: __, anyOf, oneOf, discriminator: ___, ...rest } = schema;
  const own = Object.keys(rest).every((keyword) => keyword.startsWith("x-")) ? [] : [describe(rest)];
  const says = [...own, ...(isExclusive(schema) ? ["exactly one of its variants"] : [])].join(", ");
  const { properties: ____, anyOf: _____, oneOf: ______, ...plain } = schema;
  const base = { place: { type: name }, isRequired: false, whole: schema };
  add({ ...base, what: "definition", name, says, hints: hintsOf(plain), schema: rest });
  const owner = `definition ${name}`;
  memberFacts(name, { type: name }, owner, schema, add);
  for (const [index, branch] of schemasOf(anyOf ?? oneOf).entries()) {
    const hints = hintsOf(payloadOf(branch));
    if (branch.const !== undefined) {
      const value = JSON.stringify(branch.const);
      const at = { ...base, place: { type: name, value }, schema: branch, owner };
      add({ ...at, what: "value", name: `${name} = ${value}`, says: "", hints });
      continue;
    }
    const isOther = branch.not !== undefined;
    const label = constantOf(branch) ?? branch.title ?? describe(branch) ?? String(index);
    const place = { type: name, variant: isOther ? "any other" : label };
    const variant = add({
      ...base,
      what: "variant",
      name: isOther ? `${name} (any other)` : `${name} = ${label}`,
      says: describe(payloadOf(branch)),
      hints,
      place,
      schema: branch,
      owner,
    });
    memberFacts(variant, place, `variant ${variant}`, branch, add);
  }
}

/** What a branch says apart from its members, which are facts of their own, and from what it excludes: the others. */
export function payloadOf(branch: JsonSchema): JsonSchema {
  const { properties: _, required: __, not: ___, ...payload } = branch;
  return payload;
}

function memberFacts(name: string, place: ChangePlace, owner: string, whole: JsonSchema, add: Add): void {
  for (const { name: member, inner, isRequired } of membersOf(whole)) {
    const says = `${isRequired ? "required" : "optional"} ${describe(inner)}`;
    const at = { place: { ...place, member }, schema: inner, isRequired, whole, owner };
    add({ ...at, what: "member", name: `${name}.${member}`, says, hints: hintsOf(inner) });
  }
}

function constantOf(branch: JsonSchema): string | undefined {
  const tag = membersOf(branch).find(({ inner }) => inner?.const !== undefined);
  return tag === undefined ? undefined : JSON.stringify(tag.inner.const);
}
