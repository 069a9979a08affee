import type { Path } from "@acp/schema";
import { isObject } from "./is-object.ts";

/** The value at a path of member names; `undefined` where a member is missing. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const part of path) {
    if (!isObject(value)) return undefined;
    value = value[part];
  }
  return value;
}
