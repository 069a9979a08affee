import type { Path } from "./decoding/index.ts";

/**
 * What a value has to be beyond its type, which the schema does not say: `path` is an absolute path (CONV-02),
 * `command` the absolute path of a program (MCP-07), `line` a line number from 1 (CONV-03).
 */
export type ValueKind = "path" | "command" | "line";

/** A value that is not what its kind demands: the kind, and the path to the value. */
export type InvalidArgument = readonly [kind: ValueKind, ...path: Path];

/** Finds the invalid arguments of a message; `undefined` if there are none. Ignores values that are absent or of another type. */
export type ArgumentCheck = (message: unknown) => readonly InvalidArgument[] | undefined;

/**
 * Where values of some kind stand in a message; a list is for each item: `{ cwd: "path", roots: ["path"] }`. Its second one
 * is for a value that is no list.
 */
type Places = ValueKind | PlacesInList | { readonly [member: string]: Places };
type PlacesInList = readonly [items: Places, single?: Places];

/** For generated tables: creates a check of these places. Messages that are read often have a check that is written out. */
export function checkPlaces(places: Places): ArgumentCheck {
  return (message) => {
    const found: InvalidArgument[] = [];
    look(places, message, [], found);
    return found.length > 0 ? found : undefined;
  };
}

function look(places: Places, value: unknown, path: Path, found: InvalidArgument[]): void {
  if (typeof places === "string") {
    if (places === "line" ? value === 0 : isRelative(value)) found.push([places, ...path]);
  } else if (isList(places)) {
    if (Array.isArray(value)) value.forEach((item, index) => look(places[0], item, [...path, index], found));
    else if (places[1]) look(places[1], value, path, found);
  } else {
    const members = value as Readonly<Record<string, unknown>> | null | undefined;
    for (const name in places) look(places[name]!, members?.[name], [...path, name], found);
  }
}

function isList(places: Exclude<Places, string>): places is PlacesInList {
  return Array.isArray(places);
}

/** Whether a value is a path, and no absolute one. */
export function isRelative(value: unknown): boolean {
  return typeof value === "string" && !isAbsolutePath(value);
}

/**
 * Whether a path is absolute, by the rules of POSIX or of Windows: the peer's machine may be either
 * (CONV-02). `/a`, `C:\a`, `C:/a` and `\\server\share` are; `a`, `./a`, `~/a`, `C:a` and `file:///a` are not.
 */
export function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith("\\\\");
}
