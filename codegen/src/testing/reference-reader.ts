import { unionShape } from "../model/union-shape.ts";
import { strictAjv } from "../emit/validators/strict-ajv.ts";
import type { JsonSchema, SchemaDocument } from "../model/schema-document.ts";
import { isObject, objectFrom } from "./json.ts";
import { type Note, plain, type Reading, refused, within } from "./reading.ts";
import { type Read, readTagged, surrounded } from "./reference-unions.ts";

/**
 * An interpreter of the raw schema and its `x-deserialize-*` hints: what a tolerant reader has to make of a value
 * (COMPAT-01 to COMPAT-03, UPD-07).
 *
 * Written for tests, to be compared with generated decoders: simple, slow, and without anything of theirs. It copies
 * whatever it reads. Scalars are left to ajv.
 *
 * @param openUnions The definitions whose union the schema closes and which a receiver keeps open.
 */
export function referenceReader(
  document: SchemaDocument,
  openUnions: readonly string[] = [],
): (definition: string, value: unknown) => Reading {
  const fits = scalarCheck();

  const read: Read = (schema, value, definition) => {
    if (schema.$ref !== undefined) return readDefinition(schema.$ref.replace("#/$defs/", ""), value);
    const shape = unionShape(schema);
    if (shape?.kind === "nullable") return value === null ? plain(null) : read(shape.schema, value);
    if (value === null && schema.type?.includes("null")) return plain(null);
    if (schema.properties || schema.allOf || shape?.kind === "tagged") return readObject(schema, value, definition);
    if (shape?.kind === "constants" && shape.open) return read(shape.open, value);
    if (shape?.kind === "alternatives") return readAlternatives(schema, value);
    if (schema.type?.includes("array")) return readArray(schema, value);
    if (schema.type?.includes("object")) return readMap(schema, value);
    return fits(schema, value) ? plain(value) : refused();
  };

  function readDefinition(name: string, value: unknown): Reading {
    const schema = document.$defs[name];
    if (schema === undefined) throw new Error(`The schema has no definition ${name}`);
    return read(schema, value, name);
  }

  /** Its own members, then what `allOf` includes, then the union beside them, each on what the ones before made. */
  function readObject(schema: JsonSchema, value: unknown, definition?: string): Reading {
    const [only] = schema.allOf ?? [];
    if (
      only?.$ref !== undefined &&
      !schema.properties &&
      !schema.type &&
      schema.allOf?.length === 1 &&
      !hasUnion(schema)
    ) {
      return read(only, value);
    }
    if (!isObject(value)) return refused();
    let made: Record<string, unknown> = value;
    const notes: Note[] = [];
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const reading = readMember(member, schema.required?.includes(name) ?? false, made, name);
      if (!reading.ok) return reading;
      made = reading.value;
      notes.push(...reading.notes);
    }
    const parts: { readonly schema: JsonSchema; readonly read: (given: object) => Reading }[] = [
      ...(schema.allOf ?? []).map((part) => ({ schema: part, read: (given: object) => read(part, given) })),
      ...(hasUnion(schema) ? [{ schema: {}, read: (given: object) => readUnion(schema, given, definition) }] : []),
    ];
    for (const part of parts) {
      const reading = part.read(made);
      if (!reading.ok) return reading;
      // What the part itself says of its members, it has said already.
      const others = { ...schema, allOf: (schema.allOf ?? []).filter((other) => other !== part.schema) };
      const complete = surrounded(reading.value, made, value, commonMembers(others, document));
      if (!isObject(complete)) return refused();
      made = complete;
      notes.push(...reading.notes);
    }
    return { ok: true, value: made, notes };
  }

  function readUnion(schema: JsonSchema, value: unknown, definition?: string): Reading {
    const shape = unionShape(schema);
    if (shape?.kind !== "tagged") return readAlternatives(schema, value);
    return readTagged(shape, value, read, definition !== undefined && openUnions.includes(definition));
  }

  function readAlternatives(schema: JsonSchema, value: unknown): Reading {
    const branches = (schema.anyOf ?? schema.oneOf ?? []).map((branch) => read(branch, value));
    const [only] = branches;
    if (only !== undefined && branches.length === 1) return only;
    const readings = branches.filter(({ ok }) => ok);
    const [first] = readings;
    return first === undefined || (schema.oneOf && readings.length > 1) ? refused() : first;
  }

  function readArray(schema: JsonSchema, value: unknown): Reading {
    if (!Array.isArray(value) || value.length < (schema.minItems ?? 0)) return refused();
    const items: unknown[] = [];
    const notes: Note[] = [];
    for (const [index, item] of value.entries()) {
      const reading = within(index, read(schema.items ?? {}, item));
      if (reading.ok) {
        items.push(reading.value);
        notes.push(...reading.notes);
      } else if (schema["x-deserialize-skip-invalid-items"]) {
        notes.push({ action: "skipped", path: reading.path });
      } else return reading;
    }
    return { ok: true, value: items, notes };
  }

  function readMap(schema: JsonSchema, value: unknown): Reading {
    if (!isObject(value)) return refused();
    const values = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
    const entries: [string, unknown][] = [];
    const notes: Note[] = [];
    for (const [key, given] of Object.entries(value)) {
      const reading = within(key, read(values, given));
      if (!reading.ok) return reading;
      entries.push([key, reading.value]);
      notes.push(...reading.notes);
    }
    return { ok: true, value: objectFrom(entries), notes };
  }

  /** The object with its member read, replaced or left out. */
  function readMember(
    schema: JsonSchema,
    required: boolean,
    record: Record<string, unknown>,
    name: string,
  ): (Reading & { ok: false }) | { ok: true; value: Record<string, unknown>; notes: readonly Note[] } {
    const others = Object.entries(record).filter(([key]) => key !== name);
    const present = Object.hasOwn(record, name);
    if (!present) return required ? { ok: false, path: [name] } : { ok: true, value: record, notes: [] };
    const given = record[name];
    if (given === null && schema["x-deserialize-default-on-null"]) {
      const empty = schema.type === "array" ? [] : {};
      return { ok: true, value: objectFrom([...others, [name, empty]]), notes: [] };
    }
    const reading = within(name, read(schema, given));
    if (reading.ok) return { ok: true, value: objectFrom([...others, [name, reading.value]]), notes: reading.notes };
    if (!schema["x-deserialize-default-on-error"]) return { ok: false, path: reading.path };
    const fallback = schema.default ?? (required ? (read(schema, null).ok ? null : []) : undefined);
    const value = fallback === undefined ? objectFrom(others) : objectFrom([...others, [name, fallback]]);
    return { ok: true, value, notes: [{ action: "replaced", path: reading.path }] };
  }

  return readDefinition;
}

function hasUnion(schema: JsonSchema): boolean {
  return schema.anyOf !== undefined || schema.oneOf !== undefined;
}

/** The members an object has whatever its variant. */
function commonMembers(schema: JsonSchema, document: SchemaDocument): string[] {
  const included = (schema.allOf ?? []).flatMap(({ $ref }) => {
    const target = document.$defs[$ref?.replace("#/$defs/", "") ?? ""];
    return target ? commonMembers(target, document) : [];
  });
  return [...Object.keys(schema.properties ?? {}), ...included];
}

/** Checks values that have no parts, with ajv; the integers of up to 32 bits are held to their range. */
function scalarCheck(): (schema: JsonSchema, value: unknown) => boolean {
  const ajv = strictAjv({ strictTypes: false });
  const compiled = new Map<string, (value: unknown) => boolean>();
  const ranges: Readonly<Record<string, { minimum: number; maximum: number }>> = {
    int32: { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
    uint16: { minimum: 0, maximum: 2 ** 16 - 1 },
    uint32: { minimum: 0, maximum: 2 ** 32 - 1 },
  };
  return (schema, value) => {
    const key = JSON.stringify(schema);
    let check = compiled.get(key);
    if (check === undefined) {
      const range = ranges[schema.format ?? ""];
      const validate = ajv.compile(range ? { allOf: [schema, range] } : schema);
      check = (given) => validate(given);
      compiled.set(key, check);
    }
    return check(value);
  };
}
