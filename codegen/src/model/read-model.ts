import { checkDefaults } from "./checks/check-defaults.ts";
import { checkNames } from "./checks/check-names.ts";
import { checkRequired } from "./checks/check-required.ts";
import { Findings } from "./findings.ts";
import { keywordsOf, titleOf } from "./keywords.ts";
import { normalizeDocument } from "./normalize/normalize-document.ts";
import { Place } from "./place.ts";
import type { Problems } from "./problems.ts";
import type { Definition, ProtocolModel, Shape } from "./protocol-model.ts";
import { readMethods } from "./read-methods.ts";
import { readShape } from "./read-shape.ts";
import type { JsonSchema, SchemaDocument } from "./schema-document.ts";
import { shapesWithin } from "./walk.ts";

/**
 * Reads a schema document as a {@link ProtocolModel}, without its rules (`applyRules` adds them).
 *
 * @param warn Takes each warning: what is ignored, and names that had to change.
 * @param strict Whether what JSON Schema permits, but hardly means, is refused, and not only a warning.
 * @throws SchemaError with a line for each construct that the model cannot express, naming the definition and the place.
 */
export function readModel(
  document: SchemaDocument,
  warn: (warning: string) => void = () => {},
  strict = false,
): ProtocolModel {
  const findings = new Findings(strict);
  const normalized = normalizeDocument(document, findings);
  const schemas = protocolDefinitions(normalized);
  checkNames(Object.keys(schemas), findings.problems);
  const around = { definitions: normalized.$defs, findings };
  const definitions = new Map<string, Definition>();
  for (const [name, schema] of Object.entries(schemas)) {
    const place = new Place(name, "", around);
    place.collect(() => definitions.set(name, readDefinition(name, schema, place)), undefined);
  }
  // What the rest would say of a definition that could not be read is not worth saying.
  findings.problems.throwAll();
  checkReferences(definitions, findings);
  checkRequired(schemas, findings);
  findings.problems.throwAll();
  checkDefaults(definitions, findings);
  const methods = readMethods(schemas, findings.problems);
  findings.problems.throwAll();
  for (const warning of findings.warnings) warn(warning);
  return { protocolVersion: 0, definitions, methods, variantGates: [], setupGates: {}, openUnions: [] };
}

function readDefinition(name: string, schema: JsonSchema, place: Place): Definition {
  const { title: _, ...documented } = titleOf(keywordsOf(schema, place));
  const shape = readShape(schema, place, ["x-method", "x-side"]);
  return { name, ...documented, shape, ...(schema.default !== undefined && { default: schema.default }) };
}

/** The definitions that are part of the protocol: the message frame (`x-docs-ignore`) is not. */
function protocolDefinitions(document: SchemaDocument): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(document.$defs).filter(([, schema]) => schema["x-docs-ignore"] !== true));
}

function checkReferences(definitions: ReadonlyMap<string, Definition>, findings: Findings): void {
  const { problems } = findings;
  for (const name of definitions.keys()) {
    if (isEndless(name, definitions))
      refuse(problems, new Place(name), "stands for itself; give it a type or members of its own");
  }
  for (const { name, shape } of definitions.values()) {
    for (const part of shapesWithin(shape, new Place(name))) {
      for (const target of targetsOf(part.shape)) {
        if (!definitions.has(target))
          refuse(
            problems,
            part.place,
            `refers to ${target}, which is not defined; define it, or correct the reference`,
          );
      }
    }
  }
  // What follows looks through references.
  problems.throwAll();
  for (const { name, shape } of definitions.values()) {
    for (const part of shapesWithin(shape, new Place(name))) {
      if (part.shape.kind !== "intersection") continue;
      const mayAllBe = part.shape.parts.map((inner) => isObject(inner, definitions));
      const other = part.shape.parts[mayAllBe.indexOf(false)];
      if (other === undefined || !part.shape.parts.some((inner) => isOnlyObject(inner, definitions))) continue;
      const named = other.kind === "reference" ? other.name : `something of the kind ${other.kind}`;
      const at = new Place(part.place.definition, part.place.path, { definitions: {}, findings });
      const what = `has the members of ${named}, which is no object; make that a member instead`;
      problems.collect(() => at.tolerate(what));
    }
  }
}

function refuse(problems: Problems, place: Place, what: string): void {
  problems.collect(() => {
    throw place.unsupported(what);
  });
}

/** Whether values of a shape are always objects. */
function isOnlyObject(shape: Shape, definitions: ReadonlyMap<string, Definition>): boolean {
  const target = shape.kind === "reference" ? definitions.get(shape.name)?.shape : undefined;
  return target === undefined ? shape.kind === "object" || shape.kind === "map" : isOnlyObject(target, definitions);
}

/** Whether values of a shape can be objects. */
function isObject(shape: Shape, definitions: ReadonlyMap<string, Definition>): boolean {
  switch (shape.kind) {
    case "reference": {
      const target = definitions.get(shape.name)?.shape;
      // `checkReferences` reports a target that does not exist.
      return target === undefined || isObject(target, definitions);
    }
    case "nullable":
      return isObject(shape.shape, definitions);
    case "alternatives":
      return shape.branches.some((branch) => isObject(branch.shape, definitions));
    case "intersection":
      return shape.parts.every((part) => isObject(part, definitions));
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
    case "intersection":
      for (const part of shape.parts) yield* sameValue(part);
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
