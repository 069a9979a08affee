import { accepts } from "./accepts.ts";
import { annotations, type Keywords, keywordsOf, titleOf } from "./keywords.ts";
import type { Place } from "./place.ts";
import type {
  AlternativesShape,
  Branch,
  EnumerationShape,
  EnumerationValue,
  ObjectShape,
  Shape,
  TaggedUnion,
  Variant,
} from "./protocol-model.ts";
import { readObject } from "./read-object.ts";
import { readShape } from "./read-shape.ts";
import { isPlainObject } from "./schema-document.ts";

/** Reads the `anyOf` or `oneOf` of a schema; what else stands beside it is the caller's. */
export function readUnion(keywords: Keywords, place: Place): TaggedUnion | AlternativesShape | EnumerationShape {
  if ("anyOf" in keywords && "oneOf" in keywords) throw place.unsupported("`anyOf` and `oneOf` side by side");
  const keyword = "anyOf" in keywords ? "anyOf" : "oneOf";
  const at = place.at(keyword);
  const list = keywords[keyword];
  if (!Array.isArray(list) || list.length === 0) throw at.unsupported("expected a list of branches");
  const branches = list.map((branch, index) => keywordsOf(branch, at.at(index)));

  const tag = tagOf(branches);
  checkDiscriminator(keywords["discriminator"], tag, place);
  if (tag !== undefined) return readTagged(branches, tag, at);
  if (branches.some((branch) => "const" in branch)) return readConstants(branches, at);
  return {
    kind: "alternatives",
    exclusive: keyword === "oneOf",
    branches: branches.map((branch, index) => ({ ...titleOf(branch), shape: readShape(branch, at.at(index)) })),
  };
}

/** The member that has a string constant in some branch and is required there. */
function tagOf(branches: readonly Keywords[]): string | undefined {
  return branches.map((branch) => constantMember(branch)?.name).find((name) => name !== undefined);
}

function constantMember(branch: Keywords, tag?: string): { name: string; value: string } | undefined {
  const { properties, required } = branch;
  if (!isPlainObject(properties) || !Array.isArray(required)) return undefined;
  for (const [name, member] of Object.entries(properties)) {
    if (tag !== undefined && name !== tag) continue;
    if (isPlainObject(member) && typeof member["const"] === "string" && required.includes(name)) {
      return { name, value: member["const"] };
    }
  }
  return undefined;
}

function checkDiscriminator(discriminator: unknown, tag: string | undefined, place: Place): void {
  if (discriminator === undefined) return;
  if (!isPlainObject(discriminator) || discriminator["propertyName"] !== tag) {
    throw place.at("discriminator").unsupported("the discriminator is not the member that tells the branches apart");
  }
}

function readTagged(branches: readonly Keywords[], tag: string, place: Place): TaggedUnion {
  const variants: Variant[] = [];
  let other: Branch | undefined;
  let fallback: TaggedUnion["fallback"];
  branches.forEach((branch, index) => {
    const at = place.at(index);
    const value = constantMember(branch, tag)?.value;
    if (value !== undefined) {
      if (variants.some((variant) => variant.value === value)) throw at.unsupported(`a second variant ${tag}=${value}`);
      variants.push({ value, ...titleOf(branch), shape: readBranch(branch, tag, at) });
    } else if ("not" in branch) {
      if (other !== undefined) throw at.unsupported("a second branch for unknown variants");
      other = readOther(branch, tag, at);
    } else {
      if (fallback !== undefined) throw at.unsupported("a second branch without a tag");
      fallback = readFallback(branch, tag, at);
    }
  });
  if (other !== undefined) checkNot(branches.find((branch) => "not" in branch)?.["not"], tag, variants, place);
  const titled = other === undefined && fallback?.title !== undefined && fallback.value !== null;
  return {
    kind: "tagged",
    tag,
    variants,
    ...(other !== undefined && { other }),
    ...(fallback !== undefined && { fallback: { ...fallback, value: titled ? fallback.title! : null } }),
  };
}

/** `allOf: [payload]` and inline members, without the tag. */
function readBranch(branch: Keywords, tag: string, place: Place): ObjectShape {
  const shape = readObject(branch, place, tag);
  if (shape.kind !== "object") throw place.unsupported("expected an object");
  return shape;
}

function readOther(branch: Keywords, tag: string, place: Place): Branch {
  const { not: _, ...rest } = branch;
  const member = isPlainObject(rest["properties"]) ? rest["properties"][tag] : undefined;
  const required = Array.isArray(rest["required"]) && rest["required"].includes(tag);
  if (!required || !isPlainObject(member) || member["type"] !== "string") {
    throw place.unsupported(`the branch for unknown variants does not ask for a string \`${tag}\``);
  }
  return { ...titleOf(branch), shape: readBranch(rest, tag, place) };
}

/** A branch that says nothing of the tag, or that it is null. */
function readFallback(branch: Keywords, tag: string, place: Place): NonNullable<TaggedUnion["fallback"]> {
  const { properties } = branch;
  const described = isPlainObject(properties) ? properties[tag] : undefined;
  if (described !== undefined && !(isPlainObject(described) && described["type"] === "null")) {
    throw place.unsupported(`a branch whose \`${tag}\` is neither a required constant nor null`);
  }
  if (typeof branch["title"] !== "string") throw place.unsupported(`a branch without a \`${tag}\` needs a title`);
  const value = described === undefined ? undefined : null;
  return { ...titleOf(branch), shape: readBranch(branch, tag, place), ...(value === null && { value }) };
}

/** The `not` of an open branch has to name every known variant: the model does not keep it. */
function checkNot(not: unknown, tag: string, variants: readonly Variant[], place: Place): void {
  const named = isPlainObject(not) && Array.isArray(not["anyOf"]) ? not["anyOf"] : [];
  const values = named.map((branch) => (isPlainObject(branch) ? constantMember(branch, tag)?.value : undefined));
  const isSame = values.length === variants.length && variants.every((variant) => values.includes(variant.value));
  if (!isSame) {
    throw place.unsupported("the branch for unknown variants does not exclude exactly the known ones");
  }
}

function readConstants(branches: readonly Keywords[], place: Place): EnumerationShape {
  const values: EnumerationValue[] = [];
  let open: Shape | undefined;
  branches.forEach((branch, index) => {
    const at = place.at(index);
    if (!("const" in branch)) {
      if (open !== undefined) throw at.unsupported("a second branch without a constant");
      open = readShape(branch, at);
      return;
    }
    const shape = readShape(branch, at);
    if (shape.kind !== "constant" || typeof shape.value === "boolean")
      throw at.unsupported("expected a string or integer");
    values.push({ value: shape.value, ...titleOf(branch) });
  });
  return enumeration(values, open, place);
}

/** `enum: [...]`. */
export function readEnumeration(keywords: Keywords, place: Place): EnumerationShape {
  place.only(keywords, [...annotations, "type", "enum"]);
  const list = keywords["enum"];
  if (!Array.isArray(list) || list.length === 0) throw place.unsupported("`enum` is not a list of values");
  const values = list.map((value): EnumerationValue => {
    if (typeof value === "string" || typeof value === "number") return { value };
    throw place.unsupported("`enum` with something else than strings or numbers");
  });
  const read = enumeration(values, undefined, place);
  const types = [keywords["type"] ?? read.base].flat();
  if (!types.includes(read.base) && !(read.base === "integer" && types.includes("number"))) {
    throw place.unsupported(`values that are not of the type ${JSON.stringify(keywords["type"])}`);
  }
  return read;
}

function enumeration(values: readonly EnumerationValue[], open: Shape | undefined, place: Place): EnumerationShape {
  const strings = values.every(({ value }) => typeof value === "string");
  const integers = values.every(({ value }) => Number.isInteger(value));
  if (!strings && !integers) throw place.unsupported("constants of different types");
  const twice = values.find(({ value }, index) => values.findIndex((other) => other.value === value) !== index);
  if (twice !== undefined) throw place.unsupported(`a second value ${JSON.stringify(twice.value)}`);
  const base = strings ? "string" : "integer";
  if (open === undefined) return { kind: "enumeration", base, values };
  if ((open.kind === "string" || open.kind === "integer") && open.kind === base) {
    const barred = values.find(({ value }) => !accepts(open, value, new Map()));
    if (barred !== undefined) {
      throw place.unsupported(`the branch for any ${base} does not take ${JSON.stringify(barred.value)}`);
    }
    return { kind: "enumeration", base, values, open };
  }
  throw place.unsupported(`constants beside a branch for any ${open.kind}`);
}
