import type { JsonSchema, SchemaDocument } from "../model/schema-document.ts";
import { describe, hintsOf, isExclusive, membersOf, schemasOf } from "./describe.ts";

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

/** Adds a fact and tells under which name: that of an earlier fact of its kind gets a number. */
type Add = (fact: Fact) => string;

/** What a document says about its methods and definitions, by kind and name. Envelopes are left out. */
export function factsOf(document: SchemaDocument): ReadonlyMap<string, Fact> {
  const facts = new Map<string, Fact>();
  const add: Add = (fact) => {
    // The generator refuses a variant or a value that is there twice; whoever imports one has to see it.
    let { name } = fact;
    for (let count = 2; facts.has(`${fact.what} ${name}`); count++) name = `${fact.name} (${count})`;
    facts.set(`${fact.what} ${name}`, { ...fact, name });
    return name;
  };
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

function definitionFacts(name: string, schema: JsonSchema, add: Add): void {
  const { properties: _, required: __, anyOf, oneOf, discriminator: ___, ...rest } = schema;
  const own = Object.keys(rest).every((keyword) => keyword.startsWith("x-")) ? [] : [describe(rest)];
  const says = [...own, ...(isExclusive(schema) ? ["exactly one of its variants"] : [])].join(", ");
  const { properties: ____, anyOf: _____, oneOf: ______, ...plain } = schema;
  add({ what: "definition", name, says, hints: hintsOf(plain), addingBreaks: false });
  const owner = `definition ${name}`;
  memberFacts(name, owner, schema, add);
  const branches = schemasOf(anyOf ?? oneOf);
  const open = branches.some((branch) => branch.not !== undefined || isBare(branch));
  for (const [index, branch] of branches.entries()) {
    const hints = hintsOf(payloadOf(branch));
    if (branch.const !== undefined) {
      const value = `${name} = ${JSON.stringify(branch.const)}`;
      add({ what: "value", name: value, says: "", hints, addingBreaks: !open, owner });
      continue;
    }
    const isOther = branch.not !== undefined;
    const label = constantOf(branch) ?? branch.title ?? describe(branch) ?? String(index);
    const variant = add({
      what: "variant",
      name: isOther ? `${name} (any other)` : `${name} = ${label}`,
      says: describe(payloadOf(branch)),
      hints,
      addingBreaks: !open,
      owner,
    });
    memberFacts(variant, `variant ${variant}`, branch, add);
  }
}

/** What a branch says apart from its members, which are facts of their own, and from what it excludes: the others. */
function payloadOf(branch: JsonSchema): JsonSchema {
  const { properties: _, required: __, not: ___, ...payload } = branch;
  return payload;
}

function memberFacts(name: string, owner: string, schema: JsonSchema, add: Add): void {
  for (const { name: member, inner, isRequired } of membersOf(schema)) {
    const says = `${isRequired ? "required" : "optional"} ${describe(inner)}`;
    add({ what: "member", name: `${name}.${member}`, says, hints: hintsOf(inner), addingBreaks: isRequired, owner });
  }
}

/** A branch such as `{ title: "other", type: "string" }`: it takes every value of its type. */
function isBare(branch: JsonSchema): boolean {
  return branch.const === undefined && (branch.type === "string" || branch.type === "integer");
}

function constantOf(branch: JsonSchema): string | undefined {
  const tag = membersOf(branch).find(({ inner }) => inner?.const !== undefined);
  return tag === undefined ? undefined : JSON.stringify(tag.inner.const);
}
