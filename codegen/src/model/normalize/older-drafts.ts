/** Keywords that the normalizer reads where it finds them, and writes nowhere. */
export const identifiers: readonly string[] = [
  "$id",
  "id",
  "$schema",
  "$anchor",
  "$dynamicAnchor",
  "$recursiveAnchor",
  "$vocabulary",
  "$defs",
  "definitions",
];

/** Draft 4 says with a boolean whether a bound is exclusive. */
export function exclusiveBounds(schema: Record<string, unknown>): void {
  for (const [exclusive, inclusive] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof schema[exclusive] !== "boolean") continue;
    if (schema[exclusive]) schema[exclusive] = schema[inclusive];
    else delete schema[exclusive];
    if (schema[exclusive] !== undefined) delete schema[inclusive];
  }
}
