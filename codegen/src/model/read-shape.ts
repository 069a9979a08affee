import { bounds, stringFormats } from "./formats.ts";
import { annotations, type Keywords, keywordsOf } from "./keywords.ts";
import type { Place } from "./place.ts";
import type { Shape } from "./protocol-model.ts";
import { readObject } from "./read-object.ts";
import { readEnumeration, readUnion } from "./read-union.ts";
import { isPlainObject } from "./schema-document.ts";

const objectKeywords = [
  "properties",
  "required",
  "additionalProperties",
  "unevaluatedProperties",
  "allOf",
  "discriminator",
];

/**
 * Reads one schema as a {@link Shape}.
 *
 * @param extra Keywords the caller has dealt with itself.
 * @throws SchemaError for every construct and keyword the model does not express.
 */
export function readShape(schema: unknown, place: Place, extra: readonly string[] = []): Shape {
  const given = keywordsOf(schema, place);
  const keywords = Object.fromEntries(Object.entries(given).filter(([name]) => !extra.includes(name)));
  const significant = Object.keys(keywords).filter((name) => !annotations.includes(name));
  if (significant.length === 0) return { kind: "any" };
  if ("$ref" in keywords) return readReference(keywords, place);
  if ("const" in keywords) return readConstant(keywords, place);
  if ("enum" in keywords) return readEnumeration(keywords, place);
  if (significant.length === 1 && Array.isArray(keywords["allOf"]) && keywords["allOf"].length === 1) {
    return readShape(keywords["allOf"][0], place.at("allOf", 0));
  }
  if (Array.isArray(keywords["type"])) return readTypeList(keywords, keywords["type"], place);
  if ("anyOf" in keywords || "oneOf" in keywords || objectKeywords.some((name) => name in keywords)) {
    return readComposite(keywords, place);
  }
  return readType(keywords, place);
}

function readComposite(keywords: Keywords, place: Place): Shape {
  const branches = keywords["anyOf"] ?? keywords["oneOf"];
  if (branches !== undefined) {
    const keyword = "anyOf" in keywords ? "anyOf" : "oneOf";
    const bare = Object.keys(keywords).every((name) => [...annotations, keyword, "discriminator"].includes(name));
    if (bare) {
      const nullable = readNullable(branches, place.at(keyword));
      if (nullable !== undefined) return nullable;
      const union = readUnion(keywords, place);
      return union.kind === "tagged" ? { kind: "object", members: [], includes: [], union } : union;
    }
  }
  return readObject(keywords, place);
}

/** `[X, null]`, in either order. */
function readNullable(branches: unknown, place: Place): Shape | undefined {
  if (!Array.isArray(branches) || branches.length !== 2) return undefined;
  const nullAt = branches.findIndex((branch) => isPlainObject(branch) && branch["type"] === "null");
  if (nullAt < 0) return undefined;
  place.at(nullAt).only(keywordsOf(branches[nullAt], place), [...annotations, "type"]);
  return { kind: "nullable", shape: readShape(branches[1 - nullAt], place.at(1 - nullAt)) };
}

function readTypeList(keywords: Keywords, types: readonly unknown[], place: Place): Shape {
  const [type, ...more] = types.filter((name) => name !== "null");
  if (type === undefined || more.length > 0 || types.length !== 2) {
    throw place.unsupported(`the type list ${JSON.stringify(types)} is not a type and null`);
  }
  return { kind: "nullable", shape: readShape({ ...keywords, type }, place) };
}

function readReference(keywords: Keywords, place: Place): Shape {
  place.only(keywords, [...annotations, "$ref"]);
  return { kind: "reference", name: referencedName(keywords["$ref"], place) };
}

/** `Name` of `#/$defs/Name`. */
function referencedName(reference: unknown, place: Place): string {
  const name = typeof reference === "string" ? /^#\/\$defs\/([A-Za-z_$][\w$]*)$/.exec(reference)?.[1] : undefined;
  if (name === undefined) throw place.unsupported(`the reference ${JSON.stringify(reference)} is not \`#/$defs/Name\``);
  return name;
}

function readConstant(keywords: Keywords, place: Place): Shape {
  place.only(keywords, [...annotations, "const", "type", "format"]);
  const value = keywords["const"];
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
    throw place.unsupported("a constant that is not a string, number or boolean");
  }
  const types: readonly unknown[] = [keywords["type"] ?? typeof value].flat();
  if (!types.includes(typeof value) && !(Number.isInteger(value) && types.includes("integer"))) {
    throw place.unsupported(`a constant that is not of the type ${JSON.stringify(keywords["type"])}`);
  }
  return { kind: "constant", value };
}

function readType(keywords: Keywords, place: Place): Shape {
  const type = keywords["type"];
  switch (type) {
    case "string":
      return readString(keywords, place);
    case "integer":
    case "number":
      place.only(keywords, [...annotations, "type", "format", "minimum", "maximum"]);
      return { kind: type, ...bounds(type, keywords, place) };
    case "boolean":
    case "null":
      place.only(keywords, [...annotations, "type"]);
      return { kind: type };
    case "array":
      return readArray(keywords, place);
    case "object":
      return readObject(keywords, place);
    case undefined:
      place.only(keywords, annotations);
      return { kind: "any" };
    default:
      throw place.unsupported(`the type ${JSON.stringify(type)} is not supported`);
  }
}

function readString(keywords: Keywords, place: Place): Shape {
  place.only(keywords, [...annotations, "type", "format", "minLength", "contentEncoding", "pattern"]);
  const format = keywords["format"];
  if (format !== undefined && !(typeof format === "string" && stringFormats.includes(format))) {
    throw place.unsupported(`the string format ${JSON.stringify(format)} is not supported`);
  }
  const encoding = keywords["contentEncoding"];
  if (encoding !== undefined && encoding !== "base64") {
    throw place.unsupported(`the content encoding ${JSON.stringify(encoding)} is not supported`);
  }
  const minLength = readCount(keywords, "minLength", place);
  const pattern = readPattern(keywords["pattern"], place.at("pattern"));
  return {
    kind: "string",
    ...(pattern !== undefined && { pattern }),
    ...(format !== undefined && { format }),
    ...(encoding !== undefined && { encoding }),
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
    throw place.unsupported(cause instanceof Error ? cause.message : String(cause));
  }
}

function readArray(keywords: Keywords, place: Place): Shape {
  place.only(keywords, [...annotations, "type", "items", "minItems"]);
  const minItems = readCount(keywords, "minItems", place);
  const items: Shape =
    keywords["items"] === undefined ? { kind: "any" } : readShape(keywords["items"], place.at("items"));
  return { kind: "array", items, ...(minItems !== undefined && { minItems }) };
}

function readCount(keywords: Keywords, name: string, place: Place): number | undefined {
  const count = keywords[name];
  if (count === undefined) return undefined;
  if (typeof count === "number" && Number.isInteger(count) && count >= 0) return count;
  throw place.unsupported(`\`${name}\` is not a count`);
}
