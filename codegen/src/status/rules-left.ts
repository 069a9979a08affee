import { capabilityPaths } from "../model/capability-paths.ts";
import type { Member, ProtocolModel, Shape } from "../model/protocol-model.ts";
import type { Rules } from "../model/rules.ts";

/** Something to write, and how it could look. */
export interface Left {
  /** One sentence; nothing where the skeleton says it all. */
  readonly what?: string;
  /** Lines to copy and to fill in. */
  readonly skeleton: readonly string[];
}

/** The capabilities that no rule uses, and the members that are called like paths and lines. */
export function findRulesLeft(rules: Rules, models: readonly ProtocolModel[]): readonly Left[] {
  return [...unusedCapabilities(rules, models), ...unlistedValues(rules, models)];
}

type Side = "agent" | "client";

function unusedCapabilities(rules: Rules, models: readonly ProtocolModel[]): readonly Left[] {
  const used = new Set(usedPaths(rules).flatMap(withParents));
  const left = new Map<string, Left>();
  for (const model of models) {
    for (const side of ["agent", "client"] as const) {
      const root = rules.capabilities[side];
      for (const path of root === undefined ? [] : capabilityPaths(model, root)) {
        if (used.has(path) || left.has(path)) continue;
        const what = `No rule uses the ${side}'s capability ${path}. Gate what needs it; if nothing does, list it in "ungated".`;
        left.set(path, { what, skeleton: gateSkeleton(rules, models, side, path) });
      }
    }
  }
  return [...left.values()];
}

function usedPaths({ gates, setup, variants, ungated = [] }: Rules): readonly string[] {
  const rules = [...Object.values(gates), ...Object.values(setup)].flat();
  const ofVariants = Object.values(variants).flatMap((rule) => Object.values(rule.gates));
  return [...rules.flatMap(({ capability }) => capability ?? []), ...ofVariants, ...ungated];
}

/** `a.b.c` and what it is part of. */
function withParents(path: string): readonly string[] {
  const steps = path.split(".");
  return steps.map((_, index) => steps.slice(0, index + 1).join("."));
}

/** The gate of the method or variant that is called like the capability, if there is one. */
function gateSkeleton(rules: Rules, models: readonly ProtocolModel[], side: Side, path: string): readonly string[] {
  const word = wordOf(path.slice(path.lastIndexOf(".") + 1));
  const methods = models.flatMap((model) => model.methods).filter(({ name }) => !Object.hasOwn(rules.gates, name));
  const method = methods.find(
    ({ name, side: handler }) => handler === side && wordOf(name.split("/").at(-1)!) === word,
  );
  if (method !== undefined) return [`"gates": { "${method.name}": [{ "capability": "${path}" }] }`];
  for (const [union, { sender, gates }] of Object.entries(rules.variants)) {
    const tags = models.flatMap((model) => tagsOf(model, union));
    const tag = tags.find((name) => !Object.hasOwn(gates, name) && wordOf(name).startsWith(word));
    if (sender !== side && tag !== undefined) {
      return [`"variants": { "${union}": { "gates": { "${tag}": "${path}" } } }`];
    }
  }
  return [`"gates": { "…": [{ "capability": "${path}" }] }`];
}

/** `cursor` of `cursors`, `promptsuggestions` of `prompt_suggestions`: what names have in common. */
function wordOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .replace(/s$/, "");
}

/** The tags of a tagged union. */
export function tagsOf(model: ProtocolModel, union: string): readonly string[] {
  const shape = model.definitions.get(union)?.shape;
  const tagged = shape?.kind === "object" && shape.union?.kind === "tagged" ? shape.union : undefined;
  return tagged?.variants.map(({ value }) => value) ?? [];
}

function ownMembers(model: ProtocolModel, name: string): readonly Member[] {
  const shape = model.definitions.get(name)?.shape;
  return shape?.kind === "object" ? shape.members : [];
}

/** Members with the name of one that is listed as a path or a line, and of the same type, which are not listed. */
function unlistedValues({ values }: Rules, models: readonly ProtocolModel[]): readonly Left[] {
  return (["path", "line"] as const).flatMap((kind) => {
    const listed = values[kind] ?? [];
    const names = new Set(listed.map((place) => place.slice(place.indexOf(".") + 1)));
    const found = models.flatMap((model) =>
      [...model.definitions.keys()].flatMap((definition) =>
        ownMembers(model, definition)
          .filter(
            ({ name, shape }) => names.has(name) && isOfType(shape, kind === "line" ? "integer" : "string", model),
          )
          .map(({ name }) => `${definition}.${name}`),
      ),
    );
    const places = [...new Set(found)].filter((place) => !listed.includes(place));
    if (places.length === 0) return [];
    const what = `These members have the name of one in values.${kind}. Add those that are ${kind}s as well.`;
    return [{ what, skeleton: places.map((place) => `${JSON.stringify(place)},`) }];
  });
}

function isOfType(shape: Shape, type: "integer" | "string", model: ProtocolModel): boolean {
  if (shape.kind === "nullable") return isOfType(shape.shape, type, model);
  if (shape.kind === "array") return isOfType(shape.items, type, model);
  const target = shape.kind === "reference" ? model.definitions.get(shape.name)?.shape : undefined;
  return target === undefined ? shape.kind === type : isOfType(target, type, model);
}
