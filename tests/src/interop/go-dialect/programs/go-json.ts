/**
 * JSON as Go's `encoding/json` reads and writes it, for structs: unknown members are ignored, a value of
 * another type is an error, what is missing or null has its zero value, and `omitempty` leaves zero values
 * out.
 */

/** The type of a field. `?` behind a name in a struct means `omitempty`. */
export type GoType = "string" | "bool" | "int" | "any" | "map" | Struct | { readonly list: Struct };

/** A struct: its fields, by their names in JSON. */
export type Struct = { readonly fields: Readonly<Record<string, GoType>>; readonly pointer?: boolean };

type Value = Record<string, unknown>;

/** Members that were ignored because no struct names them. */
export const ignored: Set<string> = new Set();

export function unmarshal(struct: Struct, json: unknown, place: string): Value {
  const given = json ?? {};
  if (typeof given !== "object" || Array.isArray(given)) throw wrong(place, "object", json);
  const members = given as Value;
  const names = Object.keys(struct.fields).map((name) => name.replace("?", ""));
  for (const name of Object.keys(members)) if (!names.includes(name)) ignored.add(`${place}.${name}`);
  return Object.fromEntries(
    Object.entries(struct.fields).map(([key, type]) => {
      const name = key.replace("?", "");
      return [name, readField(type, members[name], `${place}.${name}`)];
    }),
  );
}

function readField(type: GoType, value: unknown, place: string): unknown {
  if (type === "any") return value;
  if (type === "map") {
    const entries = Object.entries((value ?? {}) as Value);
    for (const [key, text] of entries) if (typeof text !== "string") throw wrong(`${place}.${key}`, "string", text);
    return Object.fromEntries(entries);
  }
  if (typeof type === "object" && "list" in type) {
    if (value !== undefined && value !== null && !Array.isArray(value)) throw wrong(place, "slice", value);
    return (value ?? []).map((item: unknown) => unmarshal(type.list, item, place));
  }
  if (typeof type === "object") {
    return type.pointer === true && (value === undefined || value === null) ? undefined : unmarshal(type, value, place);
  }
  const zero = { string: "", bool: false, int: 0 }[type];
  if (value === undefined || value === null) return zero;
  if (typeof value !== typeof zero) throw wrong(place, type, value);
  return value;
}

function wrong(place: string, type: string, value: unknown): Error {
  return new Error(`json: cannot unmarshal ${JSON.stringify(value)} into Go struct field ${place} of type ${type}`);
}

/** The zero value where nothing is given; left out with `omitempty`. A nil slice is written as null. */
export function marshal(struct: Struct, value: Value): Value {
  return Object.fromEntries(
    Object.entries(struct.fields).flatMap(([key, type]): [string, unknown][] => {
      const name = key.replace("?", "");
      const given = value[name];
      const isEmpty =
        given === undefined ||
        given === "" ||
        given === false ||
        given === 0 ||
        (Array.isArray(given) && given.length === 0) ||
        (type === "map" && Object.keys(given ?? {}).length === 0);
      // A struct is never empty.
      const isStruct = typeof type === "object" && "fields" in type && type.pointer !== true;
      if (key.endsWith("?") && isEmpty && !isStruct) return [];
      return [[name, writeField(type, given)]];
    }),
  );
}

function writeField(type: GoType, given: unknown): unknown {
  if (typeof type === "string") return given ?? { string: "", bool: false, int: 0, any: null, map: null }[type];
  if ("list" in type) return Array.isArray(given) ? given.map((item) => marshal(type.list, item)) : null;
  return marshal(type, (given ?? {}) as Value);
}
