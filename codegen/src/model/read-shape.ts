import { bounds, isKnownFormat, stringFormats } from "./formats.ts";
import { annotations, combinators, type Keywords, keywordsOf, objectKeywords, shapeKeywords } from "./keywords.ts";
import type { Place } from "./place.ts";
import type { Shape } from "./protocol-model.ts";
import { readObject, readParts } from "./read-object.ts";
import { readConstant, readEnumeration, readUnion } from "./read-union.ts";
import { isPlainObject } from "./schema-document.ts";
import { reasonOf } from "../reason-of.ts";

/** The keywords of a type that the model has; those of other types say nothing about its values. */
const keywordsOfType: Readonly<Record<string, readonly string[]>> = {
  string: ["format", "minLength", "contentEncoding", "pattern"],
  integer: ["format", "minimum", "maximum"],
  number: ["format", "minimum", "maximum"],
  boolean: [],
  null: [],
  array: ["items", "prefixItems", "minItems"],
  object: objectKeywords,
};

/**
 * Reads one schema as a {@link Shape}.
 *
 * @param dealtWith Keywords that the caller has read itself.
 * @throws SchemaError for what types cannot say.
 */
export function readShape(schema: unknown, place: Place, dealtWith: readonly string[] = []): Shape {
  const given = keywordsOf(schema, place);
  if (isPlainObject(given["not"]) && Object.keys(given["not"]).length === 0) return { kind: "never" };
  const keywords = shapeKeywords(given, place, dealtWith);
  if (Object.keys(keywords).length === 0) return { kind: "any" };
  if ("const" in keywords) return readConstant(keywords["const"], keywords, place);
  if ("enum" in keywords) return readEnumeration(keywords, place);
  if (Array.isArray(keywords["type"])) return readTypes(keywords, keywords["type"], place);
  if (combinators.some((name) => name in keywords)) return readComposite(keywords, place);
  return readType(keywords, place);
}

function readComposite(keywords: Keywords, place: Place): Shape {
  const names = Object.keys(keywords);
  const { $ref, allOf } = keywords;
  if ($ref !== undefined && names.length === 1) return readReference($ref, place);
  if (Array.isArray(allOf) && allOf.length === 1 && names.length === 1)
    return readShape(allOf[0], place.at("allOf", 0));
  const isBare = names.every((name) => ["anyOf", "oneOf", "discriminator"].includes(name));
  if (isBare && !("anyOf" in keywords && "oneOf" in keywords)) {
    const union = readUnion(keywords, place);
    return union.kind === "tagged" ? { kind: "object", members: [], includes: [], union } : union;
  }
  return readParts(keywords, place);
}

function readTypes(keywords: Keywords, types: readonly unknown[], place: Place): Shape {
  const named = [...new Set(types)].filter((type) => type !== "null");
  // Every integer is a number.
  const kinds = named.includes("number") ? named.filter((type) => type !== "integer") : named;
  const [type, ...more] = kinds;
  const isNullable = types.includes("null");
  if (type === undefined) return isNullable ? { kind: "null" } : { kind: "never" };
  if (more.length === 0) {
    const shape = readShape({ ...keywords, type }, place);
    return isNullable ? { kind: "nullable", shape } : shape;
  }
  const { type: _, ...rest } = keywords;
  const others = Object.fromEntries(Object.entries(rest).filter(([name]) => combinators.includes(name)));
  const branches = kinds.map((kind) => {
    const names = keywordsOfType[String(kind)] ?? [];
    const own = Object.fromEntries(Object.entries(rest).filter(([name]) => names.includes(name)));
    return { shape: readType({ ...own, type: kind }, place) };
  });
  const union: Shape = { kind: "alternatives", exclusive: false, branches };
  const shape: Shape =
    Object.keys(others).length === 0 ? union : { kind: "intersection", parts: [union, readComposite(others, place)] };
  return isNullable ? { kind: "nullable", shape } : shape;
}

/** Reads `#/$defs/Name`. */
export function readReference(reference: unknown, place: Place): Shape & { kind: "reference" } {
  const name = typeof reference === "string" ? /^#\/\$defs\/([A-Za-z_$][\w$]*)$/.exec(reference)?.[1] : undefined;
  if (name === undefined) {
    const what = `the reference ${JSON.stringify(reference)} is not \`#/$defs/Name\``;
    throw place.unsupported(`${what}; move what it refers to into a definition of this file`);
  }
  return { kind: "reference", name };
}

/** Reads a schema without references and unions. */
export function readType(keywords: Keywords, place: Place): Shape {
  const type = keywords["type"] ?? impliedType(keywords);
  if (type === undefined) {
    place.only(keywords, annotations);
    return { kind: "any" };
  }
  const known = typeof type === "string" && Object.hasOwn(keywordsOfType, type) ? keywordsOfType[type] : undefined;
  if (known === undefined)
    throw place.unsupported(`the type ${JSON.stringify(type)} is not one of ${Object.keys(keywordsOfType).join(", ")}`);
  place.only(keywords, ["type", ...Object.values(keywordsOfType).flat(), "default"]);
  for (const name of Object.keys(keywords)) {
    if (name !== "type" && !known.includes(name)) {
      place.warn(
        `the keyword \`${name}\` says nothing about ${type === "null" ? "null" : `a value of the type ${JSON.stringify(type)}`}`,
      );
    }
  }
  switch (type) {
    case "string":
      return readString(keywords, place);
    case "integer":
      return { kind: "integer", ...bounds("integer", keywords, place) };
    case "number":
      return { kind: "number", ...bounds("number", keywords, place) };
    case "boolean":
      return { kind: "boolean" };
    case "null":
      return { kind: "null" };
    case "array":
      return readArray(keywords, place);
    default: {
      const own = Object.fromEntries(
        Object.entries(keywords).filter(([name]) => name === "type" || known.includes(name)),
      );
      return readObject(own, place);
    }
  }
}

/** The type that a schema without `type` is about, by its other keywords. */
export function impliedType(keywords: Keywords): string | undefined {
  if (objectKeywords.some((name) => name in keywords)) return "object";
  if ("items" in keywords || "prefixItems" in keywords || "minItems" in keywords) return "array";
  if (["minLength", "pattern", "contentEncoding"].some((name) => name in keywords)) return "string";
  return "minimum" in keywords || "maximum" in keywords ? "number" : undefined;
}

function readString(keywords: Keywords, place: Place): Shape {
  const { format, contentEncoding } = keywords;
  const isKnown = typeof format === "string" && stringFormats.includes(format);
  if (format !== undefined && !isKnown) {
    const isOther = isKnownFormat(format);
    place.warn(
      `the format ${JSON.stringify(format)} ${isOther ? "is not one for a string" : "is unknown"}; it is ignored`,
    );
  }
  if (contentEncoding !== undefined && contentEncoding !== "base64") {
    place.warn(`the content encoding ${JSON.stringify(contentEncoding)} is unknown; it is ignored`);
  }
  const minLength = readCount(keywords, "minLength", place);
  const pattern = readPattern(keywords["pattern"], place.at("pattern"));
  return {
    kind: "string",
    ...(pattern !== undefined && { pattern }),
    ...(isKnown && { format }),
    ...(contentEncoding === "base64" && { encoding: "base64" }),
    ...(minLength !== undefined && { minLength }),
  };
}

function readPattern(pattern: unknown, place: Place): string | undefined {
  if (pattern === undefined) return undefined;
  if (typeof pattern !== "string") throw place.unsupported("expected a regular expression");
  try {
    void new RegExp(pattern, "u");
    return pattern;
  } catch (cause) {
    throw place.unsupported(reasonOf(cause));
  }
}

function readArray(keywords: Keywords, place: Place): Shape {
  const minItems = readCount(keywords, "minItems", place);
  const { items, prefixItems } = keywords;
  const rest: Shape = items === undefined ? { kind: "any" } : readShape(items, place.at("items"));
  if (prefixItems === undefined) return { kind: "array", items: rest, ...(minItems !== undefined && { minItems }) };
  if (!Array.isArray(prefixItems)) throw place.unsupported("`prefixItems` is not a list");
  const first = prefixItems.map((item, index) => readShape(item, place.at("prefixItems", index)));
  return { kind: "tuple", items: first, minItems: minItems ?? 0, rest };
}

function readCount(keywords: Keywords, name: string, place: Place): number | undefined {
  const count = keywords[name];
  if (count === undefined) return undefined;
  if (typeof count === "number" && Number.isInteger(count) && count >= 0) return count;
  throw place.unsupported(`\`${name}\` is not a whole number from 0`);
}
