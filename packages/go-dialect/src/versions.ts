/**
 * The version a text of the Go dialect stands for; `undefined` if it is no number. Its document names no
 * value, so `1`, `v1` and `1.0.0` are all taken for version 1.
 */
export function versionOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const digits = typeof value === "string" ? /^v?(\d{1,5})(?:\.\d+)*$/i.exec(value.trim())?.[1] : undefined;
  const version = digits === undefined ? undefined : Number(digits);
  return version === undefined || version > 65_535 ? undefined : version;
}
