import { accepts } from "./accepts.ts";
import { pascalCase } from "./pascal-case.ts";
import { isCheckedInFull } from "./checks/is-checked-in-full.ts";
import { combinators, type Keywords, keywordsOf, shapeKeywords, titleOf } from "./keywords.ts";
import type { Place } from "./place.ts";
import type {
  Alternative,
  AlternativesShape,
  Branch,
  EnumerationShape,
  EnumerationValue,
  NullableShape,
  ObjectShape,
  Shape,
  TaggedUnion,
  Variant,
} from "./protocol-model.ts";
import { readObject, readParts } from "./read-object.ts";
import { readShape } from "./read-shape.ts";
import { isPlainObject, type JsonSchema } from "./schema-document.ts";
import { taggedShape, type TaggedShape } from "./union-shape.ts";

/** What decoders put in the place of a tag that they do not know. */
const unknownVariant = "unknown variant";

/** A branch and where it is. */
interface PlacedBranch {
  readonly schema: Keywords;
  readonly at: Place;
}

/** Reads the `anyOf` or `oneOf` of a schema. The caller reads its other keywords. */
export function readUnion(keywords: Keywords, place: Place): TaggedUnion | Exclude<Shape, ObjectShape> {
  const keyword = keywords["anyOf"] === undefined ? "oneOf" : "anyOf";
  const at = place.at(keyword);
  const list = keywords[keyword];
  if (!Array.isArray(list) || list.length === 0) throw at.unsupported("expected a list of branches");
  const all = list.map((branch, index) => ({ schema: keywordsOf(branch, at.at(index)), at: at.at(index) }));
  const discriminator = readDiscriminator(keywords["discriminator"], place);
  const branches = all.filter(({ schema }) => schema["type"] !== "null");
  const isNullable = branches.length === all.length - 1 && branches.length > 0;
  if (isNullable) {
    const only = branches.length === 1 ? branches[0] : undefined;
    const shape = only ? readShape(only.schema, only.at) : readDistinct(branches, keyword, discriminator, at);
    if (shape !== undefined) {
      const inner: Shape =
        shape.kind === "tagged" ? { kind: "object", members: [], includes: [], union: shape } : shape;
      return inner.kind === "nullable" ? inner : ({ kind: "nullable", shape: inner } satisfies NullableShape);
    }
  }
  const distinct = readDistinct(all, keyword, discriminator, at);
  if (distinct !== undefined) return distinct;
  if (discriminator !== undefined) {
    const what = "the discriminator is not the member that tells the branches apart";
    place.at("discriminator").tolerate(`${what}: each of them has to require it, as a constant of its own`);
  }
  return {
    kind: "alternatives",
    exclusive: isExclusive(all, keyword, place),
    branches: all.flatMap(({ schema, at: where }) => where.collect(() => [readAlternative(schema, where)], [])),
  };
}

/** Whether a value may fit one branch only. Decoders can hold it to that where they check all that the branches say. */
function isExclusive(branches: readonly PlacedBranch[], keyword: "anyOf" | "oneOf", place: Place): boolean {
  const { definitions } = place.around;
  return keyword === "oneOf" && branches.every(({ schema }) => isCheckedInFull(schema as JsonSchema, definitions));
}

/** Reads a union whose branches differ by a tag or are constants; `undefined` for others. */
function readDistinct(
  branches: readonly PlacedBranch[],
  keyword: "anyOf" | "oneOf",
  discriminator: JsonSchema["discriminator"],
  place: Place,
): TaggedUnion | EnumerationShape | AlternativesShape | undefined {
  const schemas = branches.map(({ schema }) => schema as JsonSchema);
  const shape = taggedShape(schemas, place.around.definitions, discriminator);
  if (shape !== undefined) return readTagged(branches, shape);
  refuseForgottenVariants(branches, place);
  return readConstants(branches, keyword, place);
}

function readDiscriminator(discriminator: unknown, place: Place): JsonSchema["discriminator"] {
  if (discriminator === undefined) return undefined;
  const propertyName = isPlainObject(discriminator) ? discriminator["propertyName"] : undefined;
  if (!isPlainObject(discriminator) || typeof propertyName !== "string") {
    throw place.at("discriminator").unsupported("expected an object with the name of a member as `propertyName`");
  }
  const mapping = isPlainObject(discriminator["mapping"]) ? discriminator["mapping"] : {};
  return {
    propertyName,
    mapping: Object.fromEntries(Object.entries(mapping).map(([value, target]) => [value, String(target)])),
  };
}

/** A branch of a union without a tag. One without a title or a name is called after its members. */
function readAlternative(schema: Keywords, place: Place): Alternative {
  const shape = readShape(schema, place);
  const documented = titleOf(schema);
  const isNamed = documented.title !== undefined || shape.kind !== "object" || shape.members.length === 0;
  return { ...documented, ...(!isNamed && { title: nameByMembers(shape) }), shape };
}

/** `CommandAndArgs`: the members that a branch requires, or all of them if it requires none. */
function nameByMembers({ members }: ObjectShape): string {
  const required = members.filter((member) => member.required);
  const names = (required.length > 0 ? required : members).map(({ name }) => pascalCase(name));
  const shown = names.slice(0, 3).join("And");
  return names.length > 3 ? `${shown}AndMore` : shown;
}

function readTagged(branches: readonly PlacedBranch[], tagged: TaggedShape): TaggedUnion {
  const { tag, other, untagged } = tagged;
  const placeOf = (schema: JsonSchema): PlacedBranch => branches.find((branch) => branch.schema === schema)!;
  const variants = tagged.branches.flatMap(({ value, schema, isCarried }) => {
    const { at } = placeOf(schema);
    if (value === unknownVariant) {
      throw at.unsupported(`${JSON.stringify(value)} is the tag of variants that a receiver does not know; rename it`);
    }
    const read = (): Variant[] => [
      {
        value,
        ...titleOf(schema as Keywords),
        shape: readBranch(schema as Keywords, tag, at),
        ...(isCarried && { isCarried }),
      },
    ];
    return at.collect(read, []);
  });
  const fallback = untagged === undefined ? undefined : readFallback(placeOf(untagged), tag);
  const isTitled = other === undefined && fallback !== undefined && fallback.value !== null;
  return {
    kind: "tagged",
    tag,
    variants,
    ...(other !== undefined && { other: readOther(placeOf(other), tag) }),
    ...(fallback !== undefined && { fallback: { ...fallback, value: isTitled ? fallback.title! : null } }),
  };
}

/** `allOf: [payload]`, a reference, and inline members, without the tag. */
function readBranch(branch: Keywords, tag: string, place: Place): ObjectShape {
  const keywords = shapeKeywords(branch, place);
  const isComposite = combinators.some((name) => name in keywords);
  const shape = isComposite ? readParts(keywords, place, tag) : readObject(keywords, place, tag);
  if (shape.kind !== "object") throw place.unsupported("expected an object");
  return shape.others === undefined ? shape : { ...shape, tag };
}

function readOther({ schema, at }: PlacedBranch, tag: string): Branch {
  const { not: _, ...rest } = schema;
  if (!asksForTag(rest, tag)) {
    throw at.unsupported(`the branch for unknown variants does not ask for a string \`${tag}\`; require that member`);
  }
  return { ...titleOf(schema), shape: readBranch(rest, tag, at) };
}

function asksForTag({ properties, required }: Keywords, tag: string): boolean {
  const member = isPlainObject(properties) ? properties[tag] : undefined;
  return Array.isArray(required) && required.includes(tag) && isPlainObject(member) && member["type"] === "string";
}

/** A branch that says nothing of the tag, or that it is null. */
function readFallback({ schema, at }: PlacedBranch, tag: string): NonNullable<TaggedUnion["fallback"]> {
  const { properties } = schema;
  const isNull = isPlainObject(properties) && properties[tag] !== undefined;
  return { ...titleOf(schema), shape: readBranch(schema, tag, at), ...(isNull && { value: null }) };
}

/** The `not` of a branch for unknown variants has to name every known one: the model does not keep it. */
function refuseForgottenVariants(branches: readonly PlacedBranch[], place: Place): void {
  for (const { schema } of branches) {
    const not = schema["not"];
    const [first] = isPlainObject(not) && Array.isArray(not["anyOf"]) ? not["anyOf"] : [];
    const [tag] = isPlainObject(first) && isPlainObject(first["properties"]) ? Object.keys(first["properties"]) : [];
    if (tag !== undefined && asksForTag(schema, tag)) {
      place.tolerate(
        "the branch for unknown variants does not exclude exactly the known ones; list their tags in its `not`",
      );
    }
  }
}

/** Constants, and at most one branch for other values of their type. */
function readConstants(
  branches: readonly PlacedBranch[],
  keyword: "anyOf" | "oneOf",
  place: Place,
): EnumerationShape | AlternativesShape | undefined {
  const constants = branches.filter(({ schema }) => "const" in schema);
  if (constants.length === 0) return undefined;
  const values: EnumerationValue[] = [];
  const alternatives: Alternative[] = [];
  for (const { schema, at } of branches) {
    const shape = readShape(schema, at);
    const documented = titleOf(schema);
    alternatives.push({ ...documented, shape });
    if (shape.kind === "constant" && typeof shape.value !== "boolean")
      values.push({ value: shape.value, ...documented });
  }
  const rest = alternatives.filter(({ shape }) => shape.kind !== "constant");
  const [open] = rest;
  if (values.length + rest.length === branches.length && rest.length < 2) {
    const enumeration = readValues(values, open?.shape, place);
    if (enumeration !== undefined) return enumeration;
  }
  withoutTwins(
    alternatives.flatMap(({ shape }) => (shape.kind === "constant" ? [shape.value] : [])),
    place,
  );
  // Constants of different values never fit both.
  const exclusive = rest.length > 0 && isExclusive(branches, keyword, place);
  return { kind: "alternatives", exclusive, branches: alternatives };
}

/** `enum: [...]`. */
export function readEnumeration(keywords: Keywords, place: Place): Shape {
  const given = keywords["enum"];
  if (!Array.isArray(given)) throw place.unsupported("`enum` is not a list of values");
  if (given.length === 0) place.tolerate("`enum` is not a list of values: no value fits it");
  const types = [keywords["type"] ?? []].flat();
  const misfit: unknown = given.find((value) => !isOfType(value, types));
  if (misfit !== undefined) {
    place.tolerate(`values that are not of the type ${JSON.stringify(keywords["type"])}; correct one or the other`);
  }
  const list = withoutTwins(
    given.filter((value) => isOfType(value, types)),
    place,
  );
  if (list.length === 0) return { kind: "never" };
  const others = list.filter((value) => value !== null);
  const isNullable = others.length < list.length;
  const readOthers = (): Shape => {
    const values = others.flatMap((value) =>
      typeof value === "string" || typeof value === "number" ? [{ value }] : [],
    );
    const read = values.length === others.length ? readValues(values, undefined, place) : undefined;
    if (read !== undefined) return read;
    const { enum: _, ...rest } = keywords;
    const branches = others.map((value) => ({ shape: readConstant(value, rest, place) }));
    return { kind: "alternatives", exclusive: false, branches };
  };
  if (others.length === 0) return { kind: "null" };
  return isNullable ? { kind: "nullable", shape: readOthers() } : readOthers();
}

/** Reads a constant: a list or an object as what has the same parts. */
export function readConstant(value: unknown, keywords: Keywords, place: Place): Shape {
  if (!isOfType(value, [keywords["type"] ?? []].flat())) {
    place.tolerate(`a constant that is not of the type ${JSON.stringify(keywords["type"])}; correct one or the other`);
    return { kind: "never" };
  }
  if (value === null) return { kind: "null" };
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return { kind: "constant", value };
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => readConstant(item, {}, place));
    return { kind: "tuple", items, minItems: items.length, rest: { kind: "never" } };
  }
  const members = Object.entries(isPlainObject(value) ? value : {}).map(([name, item]) => ({
    name,
    shape: readConstant(item, {}, place),
    required: true,
    nullable: false,
    defaultOnError: false,
    defaultOnNull: false,
    skipInvalidItems: false,
  }));
  return { kind: "object", members, includes: [] };
}

/** An enumeration, if these are all strings or all integers and the open branch is of the same type. */
function readValues(
  values: readonly EnumerationValue[],
  open: Shape | undefined,
  place: Place,
): EnumerationShape | undefined {
  const strings = values.every(({ value }) => typeof value === "string");
  const integers = values.every(({ value }) => Number.isInteger(value));
  if (values.length === 0 || (!strings && !integers)) return undefined;
  const kept = withoutTwins(
    values.map(({ value }) => value),
    place,
  );
  const listed = kept.flatMap((value) => values.find((entry) => entry.value === value) ?? []);
  const base = strings ? "string" : "integer";
  if (open === undefined) return { kind: "enumeration", base, values: listed };
  if ((open.kind !== "string" && open.kind !== "integer") || open.kind !== base) return undefined;
  // A branch that refuses one of the constants is not the type of all of them.
  if (!values.every(({ value }) => accepts(open, value, new Map()))) return undefined;
  return { kind: "enumeration", base, values: listed, open };
}

/** Whether a value has one of the types that a schema names; if it names none, any value has. */
function isOfType(value: unknown, types: readonly unknown[]): boolean {
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return types.length === 0 || types.includes(type) || (Number.isInteger(value) && types.includes("integer"));
}

/** The values without those that equal an earlier one. */
function withoutTwins(values: readonly unknown[], place: Place): readonly unknown[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const text = JSON.stringify(value);
    const isTwin = seen.has(text);
    seen.add(text);
    if (isTwin) place.tolerate(`a second value ${JSON.stringify(value)}; delete one of the two`);
    return !isTwin;
  });
}
