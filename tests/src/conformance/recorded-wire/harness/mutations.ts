/** A value with one thing in it that is wrong. */
export interface Mutation {
  readonly name: string;
  readonly value: unknown;
}

const depth = 4;

/** The value with each part of it replaced by something of another type, and each member left out, or `null`, in turn. */
export function mutationsOf(value: unknown): readonly Mutation[] {
  const members = isObject(value) ? Object.keys(value) : [];
  return [
    ...pathsOf(value, depth).map((path) => ({
      name: `wrong ${path.join(".")}`,
      value: changed(value, path, (part) => (isObject(part) ? 7 : { wrong: true })),
    })),
    ...members.map((member) => ({ name: `no ${member}`, value: without(value, member) })),
    ...members.map((member) => ({ name: `null ${member}`, value: changed(value, [member], () => null) })),
    { name: "an unknown member", value: isObject(value) ? { ...value, unknownMember: [1] } : value },
  ];
}

type Path = readonly string[];

function pathsOf(value: unknown, left: number): readonly Path[] {
  if (left === 0 || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [
    [key],
    ...pathsOf(part, left - 1).map((path) => [key, ...path]),
  ]);
}

function changed(value: unknown, [key, ...rest]: Path, change: (part: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.map((part, at) => (String(at) === key ? changed(part, rest, change) : part));
  return isObject(value) ? { ...value, [key]: changed(value[key], rest, change) } : value;
}

function without(value: unknown, member: string): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== member)) : value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
