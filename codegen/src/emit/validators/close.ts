import type { JsonSchema } from "../../model/schema-document.ts";
import type { Rules } from "../../model/rules.ts";
import type { ValueKind } from "../../model/protocol-model.ts";
import { mapSubschemas } from "../../model/subschemas.ts";

type Definitions = Readonly<Record<string, JsonSchema>>;

/** The rules about what messages may contain. */
export type ClosingRules = Pick<Rules, "values" | "reservesNames">;

/** Keywords whose schemas are about the value itself, and those whose schemas are about other values inside it. */
const partKeywords: readonly string[] = ["allOf", "anyOf", "oneOf"];
const valueKeywords: readonly string[] = ["items", "prefixItems", "additionalProperties", "patternProperties"];

/** A value that the schema does not name, where it names others. */
const nameOfExtension: JsonSchema = { format: "extension-name" };

/** How a value of each kind is described to the validators. */
const valueSchemas: Readonly<Record<ValueKind, JsonSchema>> = {
  path: { type: "string", format: "absolute-path" },
  command: { type: "string", format: "absolute-path" },
  line: { type: "integer", minimum: 1 },
  base64: { type: "string", format: "base64" },
};

/**
 * Closes the definitions of a schema: members that it does not name are refused (EXT-02), and values are held to the
 * rules. Returns `roots` and the definitions that they need.
 *
 * A definition is closed where it is a value of its own, and open where others include it (`allOf`): its members are
 * some of theirs. So one that is both comes out twice, the open one under its name with `_part` behind it.
 */
export function closeDefinitions(
  definitions: Definitions,
  { values, reservesNames }: ClosingRules,
  roots: readonly string[],
): Record<string, JsonSchema> {
  return new Closer(definitions, values, reservesNames).close(roots);
}

class Closer {
  readonly #definitions: Definitions;
  readonly #reservesNames: boolean;
  readonly #kinds = new Map<string, ValueKind>();
  readonly #done: Record<string, JsonSchema> = {};
  readonly #pending: (() => void)[] = [];

  constructor(definitions: Definitions, values: Rules["values"], reservesNames = false) {
    this.#definitions = definitions;
    this.#reservesNames = reservesNames;
    for (const [kind, places] of Object.entries(values)) {
      for (const place of places) this.#kinds.set(place, kind as ValueKind);
    }
  }

  close(roots: readonly string[]): Record<string, JsonSchema> {
    for (const root of roots) this.#closedName(root);
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) next();
    return this.#done;
  }

  #closedName(name: string): string {
    return this.#once(name, name, (schema) => this.#closed(schema, name));
  }

  #openName(name: string): string {
    return this.#once(`${name}_part`, name, (schema) => this.#open(schema, name));
  }

  #once(name: string, definition: string, make: (schema: JsonSchema) => JsonSchema): string {
    const schema = this.#definitions[definition];
    if (schema !== undefined && !Object.hasOwn(this.#done, name)) {
      this.#done[name] = {};
      this.#pending.push(() => {
        this.#done[name] = make(schema);
      });
    }
    return name;
  }

  /** A value of its own: it has the members that the schema names, and no others. */
  #closed(schema: JsonSchema, owner?: string): JsonSchema {
    const { $ref, allOf, anyOf, oneOf, properties } = schema;
    if ($ref !== undefined) return { ...schema, $ref: this.#reference($ref, (name) => this.#closedName(name)) };
    if (isOpen(schema) || (properties !== undefined && saysOthers(schema))) return this.#open(schema, owner);
    // Nothing but one of several, or but another one: that is the value.
    if (properties === undefined && (allOf === undefined || (allOf.length === 1 && !anyOf && !oneOf))) {
      return this.#parts(schema, owner, (part) => this.#closed(part, owner));
    }
    const isPlain = allOf === undefined && anyOf === undefined && oneOf === undefined;
    return {
      ...this.#open(schema, owner),
      ...(isPlain ? { additionalProperties: false } : { unevaluatedProperties: false }),
    };
  }

  /** A part of a value: its own members are closed, it is not. */
  #open(schema: JsonSchema, owner?: string): JsonSchema {
    const { $ref } = schema;
    if ($ref !== undefined) return { ...schema, $ref: this.#reference($ref, (name) => this.#openName(name)) };
    return this.#parts(schema, owner, (part) => this.#open(part, owner));
  }

  /** Closes the values inside a schema, and rewrites the parts of the value itself with `part`. */
  #parts(schema: JsonSchema, owner: string | undefined, part: (schema: JsonSchema) => JsonSchema): JsonSchema {
    const { properties, anyOf, ...others } = schema;
    return {
      ...mapSubschemas(others, (inner, keyword) => {
        if (partKeywords.includes(keyword)) return part(inner);
        return valueKeywords.includes(keyword) ? this.#closed(inner) : this.#open(inner);
      }),
      ...(properties && { properties: this.#members(properties, owner) }),
      ...(anyOf && { anyOf: this.#branches(anyOf).map(part) }),
      // A schema, since validators are written without `true` where no part of a schema asks what others looked at.
      ...(isOpen(schema) && { additionalProperties: {}, unevaluatedProperties: undefined }),
    };
  }

  /** The branches of a union. The one for what the schema does not name is for extensions only, if other names are reserved. */
  #branches(branches: readonly JsonSchema[]): readonly JsonSchema[] {
    const isEnum = branches.some((branch) => typeof branch.const === "string");
    return branches.map((branch) => {
      if (!this.#reservesNames) return branch;
      if (isEnum && branch.type === "string" && branch.const === undefined) return { ...branch, ...nameOfExtension };
      const [tag] = Object.keys(branch.not?.anyOf?.[0]?.properties ?? {});
      const member = tag === undefined ? undefined : branch.properties?.[tag];
      if (tag === undefined || member === undefined) return branch;
      return { ...branch, properties: { ...branch.properties, [tag]: { ...member, ...nameOfExtension } } };
    });
  }

  #members(properties: Definitions, owner: string | undefined): Record<string, JsonSchema> {
    return Object.fromEntries(
      Object.entries(properties).map(([name, member]) => {
        const kind = this.#kinds.get(`${owner}.${name}`);
        const closed = this.#closed(member);
        return [name, kind === undefined ? closed : held(closed, valueSchemas[kind])];
      }),
    );
  }

  #reference($ref: string, nameOf: (name: string) => string): string {
    const prefix = "#/$defs/";
    return `${prefix}${nameOf($ref.slice(prefix.length))}`;
  }
}

/** The schema of a member that must also follow a rule: its value, each of its items, or the value unless it is null. */
function held(member: JsonSchema, rule: JsonSchema): JsonSchema {
  const { type, items, anyOf } = member;
  if (items !== undefined) return { ...member, items: held(items, rule) };
  if (anyOf !== undefined)
    return { ...member, anyOf: anyOf.map((part) => (part.type === "null" ? part : held(part, rule))) };
  return { ...member, ...rule, ...(type !== undefined && { type }) };
}

/** Whether the schema itself allows any other member. */
function isOpen({ additionalProperties, unevaluatedProperties }: JsonSchema): boolean {
  return additionalProperties === true || unevaluatedProperties === true;
}

/** Whether the schema itself says what other members have to be. */
function saysOthers({ additionalProperties, unevaluatedProperties }: JsonSchema): boolean {
  return typeof additionalProperties === "object" || typeof unevaluatedProperties === "object";
}
