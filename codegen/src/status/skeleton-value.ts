import type { ObjectShape, ProtocolModel, Shape } from "../model/protocol-model.ts";

/** What stands where people have to write something. */
export const blank = "…";

/** A value of a definition with what it has to have, blanks for texts, and the first of each choice. */
export function skeletonValue(model: ProtocolModel, definition: string): unknown {
  return new SkeletonWriter(model).definition(definition);
}

/** The same for one variant of a tagged union. */
export function skeletonVariant(model: ProtocolModel, definition: string, tag: string): unknown {
  const shape = model.definitions.get(definition)?.shape;
  const union = shape?.kind === "object" && shape.union?.kind === "tagged" ? shape.union : undefined;
  const variant = union?.variants.find(({ value }) => value === tag);
  if (shape?.kind !== "object" || union === undefined || variant === undefined) return skeletonValue(model, definition);
  const writer = new SkeletonWriter(model);
  return { [union.tag]: tag, ...writer.object({ ...shape, union: undefined }), ...writer.object(variant.shape) };
}

class SkeletonWriter {
  readonly #model: ProtocolModel;
  /** What is being written: a definition inside itself stays empty. */
  readonly #open = new Set<string>();

  constructor(model: ProtocolModel) {
    this.#model = model;
  }

  definition(name: string): unknown {
    const shape = this.#model.definitions.get(name)?.shape;
    if (shape === undefined || this.#open.has(name)) return {};
    this.#open.add(name);
    const value = this.#value(shape);
    this.#open.delete(name);
    return value;
  }

  object(
    shape: Pick<ObjectShape, "members" | "includes"> & { readonly union?: ObjectShape["union"] | undefined },
  ): Readonly<Record<string, unknown>> {
    const { members, includes, union } = shape;
    const required = members.filter(({ required: isRequired }) => isRequired);
    const [first] = union?.kind === "tagged" ? union.variants : [];
    const alternative = union?.kind === "alternatives" ? this.#value(union) : undefined;
    return Object.assign(
      {},
      ...(union?.kind === "tagged" && first !== undefined ? [{ [union.tag]: first.value }] : []),
      ...includes.map((name) => this.definition(name)),
      Object.fromEntries(required.map(({ name, shape: inner }) => [name, this.#value(inner)])),
      ...(first === undefined ? [] : [this.object(first.shape)]),
      alternative,
    );
  }

  #value(shape: Shape): unknown {
    switch (shape.kind) {
      case "string":
        if (shape.format === "uri") return "https://example.com";
        return shape.format === "date-time" ? "2026-01-01T00:00:00Z" : blank;
      case "integer":
      case "number":
        return Math.max(shape.minimum ?? 0, Math.min(0, shape.maximum ?? 0));
      case "boolean":
        return true;
      case "constant":
        return shape.value;
      case "enumeration":
        return shape.values[0]?.value ?? blank;
      case "array":
        return Array.from({ length: shape.minItems ?? 0 }, () => this.#value(shape.items));
      case "tuple":
        return shape.items.slice(0, shape.minItems).map((item) => this.#value(item));
      case "reference":
        return this.definition(shape.name);
      case "nullable":
        return this.#value(shape.shape);
      case "object":
        return this.object(shape);
      case "alternatives":
        return shape.branches[0] === undefined ? {} : this.#value(shape.branches[0].shape);
      case "intersection":
        return Object.assign({}, ...shape.parts.map((part) => this.#value(part)));
      case "map":
      case "any":
        return {};
      default:
        return null;
    }
  }
}
