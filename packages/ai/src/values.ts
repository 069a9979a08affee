import { isObject } from "@acp/core/internal";

export { encodeBase64 as toBase64, isObject } from "@acp/core/internal";

/** A text member of a value, if it has one. */
export function textIn(value: unknown, key: string): string | undefined {
  const member = isObject(value) ? value[key] : undefined;
  return typeof member === "string" ? member : undefined;
}
