import type { InferredSchema } from "./infer-schema.ts";
import type { Names } from "./names.ts";

/** A type with a name. What is inside of it refers to other named types. */
export interface NamedType {
  readonly name: string;
  readonly description: string;
  readonly schema: NamedSchema;
  /** Members of the schema file that say what it is for. */
  readonly marks?: Readonly<Record<string, string>>;
}

/** A schema in which every object with members of its own is a reference. */
export type NamedSchema =
  | { readonly ref: string }
  | { readonly object: readonly { readonly name: string; readonly optional: boolean; readonly schema: NamedSchema }[] }
  | { readonly map: NamedSchema }
  | { readonly array: NamedSchema }
  | { readonly union: readonly NamedSchema[] }
  | { readonly primitive: "string" | "integer" | "number" | "boolean" | "null" | "unknown" };

/** Names every object inside an inferred schema after its place, which begins with `words`. The outermost comes first. */
export function nameTypes(
  inferred: InferredSchema,
  words: readonly string[],
  names: Names,
  top: Pick<NamedType, "name" | "description" | "marks">,
): readonly NamedType[] {
  const inner: NamedType[] = [];
  const convert = (value: InferredSchema, path: readonly string[]): NamedSchema => {
    if (value.properties === undefined) return convertAnonymous(value, path);
    const ref = names.take(...path);
    const before = inner.length;
    const schema = convertAnonymous(value, path);
    // In front of those inside of it, as one reads them.
    inner.splice(before, 0, { name: ref, description: "", schema });
    return { ref };
  };
  const convertAnonymous = (value: InferredSchema, path: readonly string[]): NamedSchema => {
    const { type, properties, required = [], additionalProperties, items, anyOf } = value;
    if (anyOf !== undefined) {
      // The outermost name is taken by the union itself.
      const place = path.length === words.length ? [...path, "Value"] : path;
      return { union: anyOf.map((branch) => convert(branch, place)) };
    }
    if (items !== undefined) return { array: convert(items, [...path, "Item"]) };
    if (additionalProperties !== undefined) return { map: convert(additionalProperties, [...path, "Value"]) };
    if (properties === undefined) return { primitive: primitive(type) };
    return {
      object: Object.entries(properties).map(([member, inside]) => ({
        name: member,
        optional: !required.includes(member),
        schema: convert(inside, [...path, member]),
      })),
    };
  };
  return [{ ...top, schema: convertAnonymous(inferred, words) }, ...inner];
}

function primitive(type: InferredSchema["type"]): "string" | "integer" | "number" | "boolean" | "null" | "unknown" {
  // An object or an array of which nothing is known is unknown, too.
  return type === undefined || type === "object" || type === "array" ? "unknown" : type;
}
