import { annotations, type Keywords, keywordsOf, titleOf } from "./keywords.ts";
import type { Place } from "./place.ts";
import type { Member, ObjectShape, Shape } from "./protocol-model.ts";
import { readShape } from "./read-shape.ts";
import { readUnion } from "./read-union.ts";
import { isPlainObject } from "./schema-document.ts";

const onError = "x-deserialize-default-on-error";
const onNull = "x-deserialize-default-on-null";
const skipItems = "x-deserialize-skip-invalid-items";

const known = [
  ...annotations,
  "type",
  "properties",
  "required",
  "additionalProperties",
  "unevaluatedProperties",
  "allOf",
  "anyOf",
  "oneOf",
  "discriminator",
];

/**
 * Reads a schema with `type: object`, `properties`, `allOf` and a union beside them.
 *
 * @param omit A member to leave out: the tag, when the object is a branch of a tagged union.
 */
export function readObject(keywords: Keywords, place: Place, omit?: string): ObjectShape | (Shape & { kind: "map" }) {
  place.only(keywords, known);
  if (keywords["type"] !== undefined && keywords["type"] !== "object") {
    throw place.unsupported(`\`properties\` or \`allOf\` beside the type ${JSON.stringify(keywords["type"])}`);
  }
  for (const name of ["additionalProperties", "unevaluatedProperties"]) {
    if (keywords[name] === false)
      throw place.unsupported(`\`${name}: false\` is not supported: unknown members are kept`);
  }
  const others = keywords["unevaluatedProperties"];
  if (others !== undefined && others !== true) throw place.unsupported("`unevaluatedProperties` with a schema");
  const isMap = ["properties", "required", "allOf", "anyOf", "oneOf"].every((name) => !(name in keywords));
  const free = keywords["additionalProperties"];
  if (isMap && omit === undefined) {
    const values: Shape =
      free === undefined || free === true ? { kind: "any" } : readShape(free, place.at("additionalProperties"));
    return { kind: "map", values };
  }
  if (free !== undefined && free !== true) {
    throw place.unsupported("`additionalProperties` with a schema beside `properties`");
  }
  const union = "anyOf" in keywords || "oneOf" in keywords ? readUnion(keywords, place) : undefined;
  if (union?.kind === "enumeration") throw place.unsupported("constants beside the members of an object");
  return {
    kind: "object",
    members: readMembers(keywords, place).filter((member) => member.name !== omit),
    includes: readIncludes(keywords["allOf"], place.at("allOf")),
    ...(union !== undefined && { union }),
  };
}

function readMembers(keywords: Keywords, place: Place): readonly Member[] {
  const properties = "properties" in keywords ? keywords["properties"] : {};
  const required = readRequired("required" in keywords ? keywords["required"] : [], place.at("required"));
  if (!isPlainObject(properties)) throw place.unsupported("`properties` is not an object");
  const undescribed = required.filter((name) => !Object.hasOwn(properties, name));
  return [
    ...Object.entries(properties).map(([name, schema]) =>
      readMember(name, schema, required.includes(name), place.at("properties", name)),
    ),
    ...undescribed.map((name) => readMember(name, {}, true, place.at("required", name))),
  ];
}

function readRequired(list: unknown, place: Place): readonly string[] {
  if (!Array.isArray(list)) throw place.unsupported("expected a list of members");
  return list.map((name: unknown, index) => {
    if (typeof name !== "string") throw place.at(index).unsupported("expected the name of a member");
    if (list.indexOf(name) !== index) throw place.at(index).unsupported(`${name} is listed twice`);
    return name;
  });
}

function readMember(name: string, schema: unknown, required: boolean, place: Place): Member {
  const keywords = keywordsOf(schema, place);
  const shape = readShape(keywords, place, ["default", onError, onNull, skipItems]);
  const { docs } = titleOf(keywords);
  const member: Member = {
    name,
    ...(docs !== undefined && { docs }),
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
  if (member.skipInvalidItems && kind !== "array") throw place.unsupported(`\`${skipItems}\` on a ${kind}`);
  if (member.defaultOnNull && (member.nullable || (kind !== "array" && kind !== "map"))) {
    throw place.unsupported(`\`${onNull}\` on something else than an array or a map that is not nullable`);
  }
  if (member.defaultOnError && !isReplaceable(member)) {
    throw place.unsupported(`\`${onError}\` on a required ${kind} without a default: nothing can take its place`);
  }
}

/** Whether there is something to read where a value of the member is bad. */
export function isReplaceable({ required, default: value, nullable, shape: { kind } }: Member): boolean {
  return !required || value !== undefined || nullable || kind === "array" || kind === "any";
}

function readIncludes(allOf: unknown, place: Place): readonly string[] {
  if (allOf === undefined) return [];
  if (!Array.isArray(allOf)) throw place.unsupported("`allOf` is not a list");
  return allOf.map((part, index) => {
    const shape = readShape(part, place.at(index));
    if (shape.kind !== "reference") throw place.at(index).unsupported("expected a reference");
    return shape.name;
  });
}
