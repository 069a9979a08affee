import type { JsonSchema } from "../model/schema-document.ts";
import type { TaggedShape } from "../model/union-shape.ts";
import { isObject, objectFrom } from "./json.ts";
import { plain, type Reading, refused, unknownVariant } from "./reading.ts";

/** Reads the value of one schema; the seam between the parts of the reference reader. */
export type Read = (schema: JsonSchema, value: unknown, definition?: string) => Reading;

/**
 * Reads a value by its tag. The branch without a tag is for values without one; its title will do as a tag, too.
 *
 * @param open Whether to keep what the schema refuses here as an unknown variant. Where a branch has no tag, it is
 * what the schema takes by that branch although its tag says something else, and keeps the members of the branch.
 */
export function readTagged(shape: TaggedShape, value: unknown, read: Read, open: boolean): Reading {
  if (!isObject(value)) return refused();
  const { tag, branches, other, untagged } = shape;
  const given = Object.hasOwn(value, tag) ? value[tag] : undefined;
  const readsAll = open && other === undefined ? untagged : undefined;
  const unknown = (path: readonly (string | number)[], beside: object = {}): Reading => ({
    ok: true,
    value: objectFrom([...Object.entries(beside), [tag, unknownVariant], ["received", value]]),
    notes: [{ action: "unknown", path }],
  });
  const orUnknown = (reading: Reading & { ok: false }): Reading =>
    open && readsAll === undefined ? unknown(reading.path) : reading;

  const readBranch = (branch: TaggedShape["branches"][number]["schema"]): Reading => {
    const reading = read(withoutTag(branch, tag), value);
    // The branch may hold a union of its own, and its unknown variant: the tag that led there stays readable.
    return reading.ok ? { ...reading, value: surrounded(reading.value, value, value, [tag]) } : orUnknown(reading);
  };

  const branch = branches.find((candidate) => candidate.value === given);
  if (branch !== undefined) return readBranch(branch.schema);
  if (untagged !== undefined) {
    const { [tag]: described } = untagged.properties ?? {};
    const titled = other === undefined && described === undefined && given === untagged.title;
    if (given === undefined || given === null || titled) return readBranch(untagged);
  }
  if (other === undefined && !open) return refused(tag);
  if (typeof given !== "string") return refused(tag);
  if (readsAll !== undefined) {
    const reading = readBranch(readsAll);
    const kept = reading.ok && isObject(reading.value) ? unknown([tag], reading.value) : reading;
    return reading.ok && kept.ok ? { ...kept, notes: [...reading.notes, ...kept.notes] } : kept;
  }
  const asked = other === undefined ? plain(value) : read({ ...withoutTag(other, tag), not: undefined }, value);
  return asked.ok ? unknown([tag]) : asked;
}

function withoutTag(branch: TaggedShape["branches"][number]["schema"], tag: string): typeof branch {
  const { [tag]: _tag, ...properties } = branch.properties ?? {};
  // Keeps `properties`, if empty, so that the branch is still an object's.
  return { ...branch, properties, required: (branch.required ?? []).filter((name) => name !== tag) };
}

/**
 * Completes an unknown variant that a part of an object's schema made of that object: the members the object has
 * whatever its variant stay readable beside it, and what was received is the whole object.
 */
export function surrounded(read: unknown, given: object, received: object, common: readonly string[]): unknown {
  if (!isObject(read) || read === given || read["received"] !== given) return read;
  const kept = Object.entries(given).filter(([name]) => common.includes(name) && !Object.hasOwn(read, name));
  const own = Object.entries({ ...read, received });
  return objectFrom([...own, ...kept]);
}
