import type { Path } from "./decoding/index.ts";

/** The value at a path of member names; `undefined` where a member is missing. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const part of Array.from(path ?? []))
    value = (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[part];
  return value;
}
