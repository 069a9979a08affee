import { checkDefaults } from "./check-defaults.ts";
import { checkNames } from "./check-names.ts";
import { checkRequired } from "./check-required.ts";
import { keywordsOf, titleOf } from "./keywords.ts";
import { Place } from "./place.ts";
import type { Definition, ProtocolModel, Shape } from "./protocol-model.ts";
import { readMethods } from "./read-methods.ts";
import { readShape } from "./read-shape.ts";
import type { JsonSchema, SchemaDocument } from "./schema-document.ts";
import { shapesWithin } from "./walk.ts";

/**
 * Reads a schema document as a {@link ProtocolModel}, without the rules that stand beside it (`applyRules`).
 *
 * @throws SchemaError naming the definition, the place in it and what is not supported, for anything it cannot
 * express: no keyword is passed over.
 */
export function readModel(document: SchemaDocument): ProtocolModel {
  const schemas = protocolDefinitions(document);
  checkNames(Object.keys(schemas));
  const definitions = new Map<string, Definition>();
  for (const [name, schema] of Object.entries(schemas)) {
    const place = new Place(name);
    const { docs } = titleOf(keywordsOf(schema, place));
    const shape = readShape(schema, place, ["x-method", "x-side"]);
    definitions.set(name, { name, ...(docs !== undefined && { docs }), shape });
  }
  checkReferences(definitions);
  checkRequired(schemas);
  checkDefaults(definitions);
  return {
    protocolVersion: 0,
    definitions,
    methods: readMethods(schemas),
    variantGates: [],
    setupGates: {},
    openUnions: [],
  };
}

/** The definitions that are part of the protocol: the message frame (`x-docs-ignore`) is not. */
export function protocolDefinitions(document: SchemaDocument): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(document.$defs).filter(([, schema]) => schema["x-docs-ignore"] !== true));
}

function checkReferences(definitions: ReadonlyMap<string, Definition>): void {
  for (const name of definitions.keys()) {
    if (isEndless(name, definitions)) throw new Place(name).unsupported("stands for itself");
  }
  for (const { name, shape } of definitions.values()) {
    const place = new Place(name);
    for (const part of shapesWithin(shape, place)) {
      const dangling = targetsOf(part.shape).find((target) => !definitions.has(target));
      if (dangling !== undefined) throw part.place.unsupported(`refers to ${dangling}, which is not defined`);
      const included = part.shape.kind === "object" ? part.shape.includes : [];
      const other = included.find((target) => !isObject({ kind: "reference", name: target }, definitions));
      if (other !== undefined) throw part.place.unsupported(`has the members of ${other}, which is no object`);
    }
  }
}

/** Whether values of a shape can be objects. */
function isObject(shape: Shape, definitions: ReadonlyMap<string, Definition>): boolean {
  switch (shape.kind) {
    case "reference": {
      const target = definitions.get(shape.name)?.shape;
      // What is not defined is told by itself.
      return target === undefined || isObject(target, definitions);
    }
    case "nullable":
      return isObject(shape.shape, definitions);
    case "alternatives":
      return shape.branches.some((branch) => isObject(branch.shape, definitions));
    default:
      return shape.kind === "object" || shape.kind === "map" || shape.kind === "any";
  }
}

function targetsOf(shape: Shape): readonly string[] {
  if (shape.kind === "reference") return [shape.name];
  return shape.kind === "object" ? shape.includes : [];
}

/** Whether decoding a value of `name` leads back to `name` for the very same value. */
function isEndless(name: string, definitions: ReadonlyMap<string, Definition>): boolean {
  const seen = new Set<string>();
  const pending = [name];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const shape = definitions.get(next)?.shape;
    for (const target of shape === undefined ? [] : sameValue(shape)) {
      if (target === name) return true;
      if (!seen.has(target)) pending.push(target);
      seen.add(target);
    }
  }
  return false;
}

/** Definitions that apply to the same value as `shape` does, not to a part of it. */
export function* sameValue(shape: Shape): Iterable<string> {
  switch (shape.kind) {
    case "reference":
      yield shape.name;
      return;
    case "nullable":
      yield* sameValue(shape.shape);
      return;
    case "alternatives":
      for (const branch of shape.branches) yield* sameValue(branch.shape);
      return;
    case "object":
      yield* shape.includes;
      if (shape.union?.kind === "alternatives") yield* sameValue(shape.union);
      if (shape.union?.kind === "tagged") {
        const { variants, fallback, other } = shape.union;
        for (const branch of [...variants, fallback, other]) if (branch !== undefined) yield* sameValue(branch.shape);
      }
  }
}
