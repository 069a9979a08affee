import { type Keywords, keywordsOf, objectKeywords, titleOf } from "./keywords.ts";
import type { Place } from "./place.ts";
import type { Member, ObjectShape, Shape } from "./protocol-model.ts";
import { impliedType, readReference, readShape, readType } from "./read-shape.ts";
import { readUnion } from "./read-union.ts";
import { isPlainObject, type JsonSchema } from "./schema-document.ts";

const onError = "x-deserialize-default-on-error";
const onNull = "x-deserialize-default-on-null";
const skipItems = "x-deserialize-skip-invalid-items";

/**
 * Reads a schema with `properties`.
 *
 * @param omit A member to leave out: the tag, when the object is a branch of a tagged union.
 */
export function readObject(keywords: Keywords, place: Place, omit?: string): ObjectShape | (Shape & { kind: "map" }) {
  place.only(keywords, ["type", ...objectKeywords]);
  const { unevaluatedProperties, additionalProperties = unevaluatedProperties } = keywords;
  const others = readOthers(keywords["patternProperties"], additionalProperties, place);
  const isMap = !("properties" in keywords) && !("required" in keywords);
  if (isMap && omit === undefined) return { kind: "map", values: others ?? { kind: "any" } };
  // Decoders keep members that the schema forbids: a newer peer may add some.
  const isSaid = others !== undefined && others.kind !== "never";
  return {
    kind: "object",
    members: readMembers(keywords, place).filter((member) => member.name !== omit),
    includes: [],
    ...(isSaid && { others }),
  };
}

/** The shape of members without a name: that of any of the patterns, or that of all others. */
function readOthers(patterns: unknown, free: unknown, place: Place): Shape | undefined {
  const isSchema = isPlainObject(free);
  const others: Shape | undefined = isSchema
    ? readShape(free, place.at("additionalProperties"))
    : free === undefined
      ? undefined
      : { kind: free === false ? "never" : "any" };
  if (patterns === undefined) return others;
  if (!isPlainObject(patterns)) throw place.unsupported("`patternProperties` is not an object");
  if (others === undefined || others.kind === "any") return others;
  const shapes = Object.entries(patterns).map(([pattern, schema]) =>
    readShape(schema, place.at("patternProperties", pattern)),
  );
  const all = others.kind === "never" ? shapes : [...shapes, others];
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  return { kind: "alternatives", exclusive: false, branches: all.map((shape) => ({ shape })) };
}

/** Reads a schema that is made of others: `allOf`, unions and references beside one another, or beside `properties`. */
export function readParts(keywords: Keywords, place: Place, omit?: string): Shape {
  const { $ref, allOf = [], anyOf, oneOf, discriminator, ...own } = keywords;
  if (!Array.isArray(allOf)) throw place.unsupported("`allOf` is not a list");
  const type = own["type"] ?? impliedType(own);
  // Of parts that may be anything, nobody says that they are objects.
  const isObject = type === "object" || (type === undefined && isSurelyObject(keywords, place));
  const parts: Shape[] = [];
  let object: ObjectShape = { kind: "object", members: [], includes: [] };
  const add = (shape: Shape): void => {
    if (shape.kind === "any") return;
    const merged = isObject && shape.kind === "object" ? mergeObjects(object, shape, place) : undefined;
    if (merged === undefined) parts.push(shape);
    else object = merged;
  };
  const include = (shape: Shape): void => {
    const isIncluded = isObject && shape.kind === "reference" && mayBeObject(shape.name, place);
    if (isIncluded) object = { ...object, includes: [...object.includes, shape.name] };
    else add(shape);
  };
  if (Object.keys(own).length > 0 || omit !== undefined) {
    const shape = isObject ? readOwnObject(own, place, omit) : readType(own, place);
    if (shape.kind === "object") object = shape;
    else add(shape);
  }
  if ($ref !== undefined) include(readReference($ref, place));
  allOf.forEach((part, index) => include(readPart(part, place.at("allOf", index), omit)));
  for (const union of [{ anyOf }, { oneOf }]) {
    if (Object.values(union).every((branches) => branches === undefined)) continue;
    const shape = readUnion({ ...union, ...(discriminator !== undefined && { discriminator }) }, place);
    if (shape.kind === "tagged") add({ kind: "object", members: [], includes: [], union: shape });
    else if (shape.kind === "alternatives" && isObject && object.union === undefined && !isScalarUnion(shape, place)) {
      object = { ...object, union: shape };
    } else add(shape);
  }
  const hasObject =
    object.members.length + object.includes.length > 0 || object.union !== undefined || object.others !== undefined;
  if (parts.length === 0) return isObject || hasObject || omit !== undefined ? object : { kind: "any" };
  const all = hasObject ? [object, ...parts] : parts;
  return all.length === 1 ? all[0]! : { kind: "intersection", parts: all };
}

function readPart(part: unknown, place: Place, omit: string | undefined): Shape {
  const shape = readShape(part, place);
  if (omit === undefined || shape.kind !== "object") return shape;
  return { ...shape, members: shape.members.filter(({ name }) => name !== omit) };
}

/** The members beside others; an object that only says it is one has none. */
function readOwnObject(own: Keywords, place: Place, omit: string | undefined): Shape {
  // Members that the other parts describe are not among the rest, whatever the rest has to be.
  const given: Keywords = isPlainObject(own["unevaluatedProperties"]) ? { ...own, unevaluatedProperties: true } : own;
  const shape = readObject(given, place, omit);
  if (shape.kind === "object") return shape;
  const values = shape.values.kind === "any" || shape.values.kind === "never" ? undefined : shape.values;
  const isOpen = given["additionalProperties"] === true || given["unevaluatedProperties"] === true;
  const others: Shape | undefined = values ?? (isOpen ? { kind: "any" } : undefined);
  return { kind: "object", members: [], includes: [], ...(others && { others }) };
}

/** One object with the members of two; `undefined` where one object cannot say both. */
function mergeObjects(left: ObjectShape, right: ObjectShape, place: Place): ObjectShape | undefined {
  if (left.union !== undefined && right.union !== undefined) return undefined;
  if (left.others !== undefined && right.others !== undefined) return undefined;
  const members = new Map(left.members.map((member) => [member.name, member]));
  for (const member of right.members) {
    const known = members.get(member.name);
    members.set(member.name, known === undefined ? member : mergeMembers(known, member, place));
  }
  const union = left.union ?? right.union;
  const others = left.others ?? right.others;
  return {
    kind: "object",
    members: [...members.values()],
    includes: [...left.includes, ...right.includes],
    ...(union && { union }),
    ...(others && { others }),
  };
}

function mergeMembers(left: Member, right: Member, place: Place): Member {
  const shape = meet(left.shape, right.shape);
  const merged: Member = {
    ...left,
    ...right,
    shape,
    required: left.required || right.required,
    nullable: (left.nullable || left.shape.kind === "any") && (right.nullable || right.shape.kind === "any"),
    default: right.default ?? left.default,
    defaultOnError: left.defaultOnError || right.defaultOnError,
    defaultOnNull: left.defaultOnNull || right.defaultOnNull,
    skipInvalidItems: left.skipInvalidItems || right.skipInvalidItems,
  };
  checkHints(merged, place.at("properties", merged.name));
  return merged;
}

/** Both shapes in one, where one of them says it all. */
function meet(left: Shape, right: Shape): Shape {
  if (left.kind === "any" || isDeepEqual(left, right)) return right;
  if (right.kind === "any") return left;
  const isNarrower = (narrow: Shape, wide: Shape): boolean =>
    narrow.kind === "constant" && (wide.kind === typeof narrow.value || (wide.kind === "enumeration" && !wide.open));
  if (isNarrower(left, right)) return left;
  if (isNarrower(right, left)) return right;
  return { kind: "intersection", parts: [left, right] };
}

function isDeepEqual(left: Shape, right: Shape): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function isScalarUnion(shape: Shape & { kind: "alternatives" }, place: Place): boolean {
  return !shape.branches.some(({ shape: branch }) => mayShapeBeObject(branch, place));
}

function mayShapeBeObject(shape: Shape, place: Place): boolean {
  switch (shape.kind) {
    case "reference":
      return mayBeObject(shape.name, place);
    case "nullable":
      return mayShapeBeObject(shape.shape, place);
    case "alternatives":
      return shape.branches.some((branch) => mayShapeBeObject(branch.shape, place));
    case "intersection":
      return shape.parts.every((part) => mayShapeBeObject(part, place));
    default:
      return shape.kind === "object" || shape.kind === "map" || shape.kind === "any";
  }
}

/** Whether a part of a schema lets objects through only: then all of it is one. */
function isSurelyObject(keywords: Keywords, place: Place, seen: ReadonlySet<string> = new Set()): boolean {
  const { $ref, type, const: value, enum: values, allOf, anyOf, oneOf } = keywords;
  if (type !== undefined) return type === "object";
  if (value !== undefined) return isPlainObject(value);
  if (Array.isArray(values)) return values.every(isPlainObject);
  if (impliedType(keywords) === "object") return true;
  const isSure = (part: unknown): boolean => isPlainObject(part) && isSurelyObject(part, place, seen);
  if (Array.isArray(allOf) && allOf.some(isSure)) return true;
  if ([anyOf, oneOf].some((branches) => Array.isArray(branches) && branches.length > 0 && branches.every(isSure))) {
    return true;
  }
  const name = typeof $ref === "string" ? /^#\/\$defs\/(\w+)$/.exec($ref)?.[1] : undefined;
  const { definitions } = place.around;
  if (name === undefined || seen.has(name) || !Object.hasOwn(definitions, name)) return false;
  return isSurelyObject({ ...definitions[name] }, place, new Set([...seen, name]));
}

/** Whether values of a definition can be objects. */
function mayBeObject(name: string, place: Place, seen: ReadonlySet<string> = new Set()): boolean {
  const { definitions } = place.around;
  // A reference that leads nowhere, or in a circle, is reported as that.
  if (seen.has(name) || !Object.hasOwn(definitions, name)) return true;
  const within = new Set([...seen, name]);
  const may = (schema: JsonSchema): boolean => {
    if (typeof schema !== "object" || schema === null) return true;
    const { $ref, type, const: value, enum: values, allOf = [], anyOf, oneOf } = schema;
    if (value !== undefined) return isPlainObject(value);
    if (values !== undefined) return values.some(isPlainObject);
    if (type !== undefined && ![type].flat().includes("object")) return false;
    const target = /^#\/\$defs\/(\w+)$/.exec($ref ?? "")?.[1];
    if (target !== undefined && !mayBeObject(target, place, within)) return false;
    if (type === undefined && ["items", "prefixItems", "pattern", "minLength"].some((keyword) => keyword in schema)) {
      return false;
    }
    const branches = anyOf ?? oneOf;
    return allOf.every(may) && (branches === undefined || branches.some(may));
  };
  return may(definitions[name]!);
}

function readMembers(keywords: Keywords, place: Place): readonly Member[] {
  const properties = "properties" in keywords ? keywords["properties"] : {};
  const required = readRequired("required" in keywords ? keywords["required"] : [], place.at("required"));
  if (!isPlainObject(properties)) throw place.unsupported("`properties` is not an object");
  const undescribed = required.filter((name) => !Object.hasOwn(properties, name));
  const read = (name: string, schema: unknown, at: Place): readonly Member[] =>
    place.collect(() => [readMember(name, schema, required.includes(name), at)], []);
  return [
    ...Object.entries(properties).flatMap(([name, schema]) => read(name, schema, place.at("properties", name))),
    ...undescribed.flatMap((name) => read(name, {}, place.at("required", name))),
  ];
}

function readRequired(list: unknown, place: Place): readonly string[] {
  if (!Array.isArray(list)) throw place.unsupported("expected a list of members");
  return list.map((name: unknown, index) => {
    if (typeof name !== "string") throw place.at(index).unsupported("expected the name of a member");
    if (list.indexOf(name) !== index)
      throw place.at(index).unsupported(`${name} is listed twice; delete one of the two`);
    return name;
  });
}

function readMember(name: string, schema: unknown, required: boolean, place: Place): Member {
  const keywords = keywordsOf(schema, place);
  const shape = readShape(keywords, place, ["default", onError, onNull, skipItems]);
  const { title: _, ...documented } = titleOf(keywords);
  const member: Member = {
    name,
    ...documented,
    shape: shape.kind === "nullable" ? shape.shape : shape,
    required,
    nullable: shape.kind === "nullable",
    default: keywords["default"],
    defaultOnError: readHint(keywords, onError, place),
    defaultOnNull: readHint(keywords, onNull, place),
    skipInvalidItems: readHint(keywords, skipItems, place),
  };
  checkHints(member, place);
  return member;
}

function readHint(keywords: Keywords, name: string, place: Place): boolean {
  const hint = keywords[name] ?? false;
  if (typeof hint !== "boolean") throw place.unsupported(`\`${name}\` is not a boolean`);
  return hint;
}

function checkHints(member: Member, place: Place): void {
  const { kind } = member.shape;
  if (member.skipInvalidItems && kind !== "array")
    throw place.unsupported(`\`${skipItems}\` on a ${kind}; only arrays have items: delete it`);
  if (member.defaultOnNull && (member.nullable || (kind !== "array" && kind !== "map"))) {
    throw place.unsupported(`\`${onNull}\` on something else than an array or a map that is not nullable; delete it`);
  }
  if (member.defaultOnError && !isReplaceable(member)) {
    throw place.unsupported(
      `\`${onError}\` on a required ${kind} without a default: nothing can take its place; add one`,
    );
  }
}

/** Whether there is something to read where a value of the member is bad. */
export function isReplaceable({ required, default: value, nullable, shape: { kind } }: Member): boolean {
  return !required || value !== undefined || nullable || kind === "array" || kind === "any";
}
