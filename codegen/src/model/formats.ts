import type { Place } from "./place.ts";

/** String formats that may occur. They annotate; only validators check them. */
export const stringFormats: readonly string[] = ["uri", "date-time", "date", "time", "email", "regex", "uuid"];

/** What a number format adds to the schema's own bounds. JSON.parse rounds 64-bit integers, so those add little. */
export const numberFormats: Readonly<
  Record<string, { readonly type: string; readonly min?: number; readonly max?: number }>
> = {
  int8: { type: "integer", min: -(2 ** 7), max: 2 ** 7 - 1 },
  int16: { type: "integer", min: -(2 ** 15), max: 2 ** 15 - 1 },
  int32: { type: "integer", min: -(2 ** 31), max: 2 ** 31 - 1 },
  int64: { type: "integer" },
  uint8: { type: "integer", min: 0, max: 2 ** 8 - 1 },
  uint16: { type: "integer", min: 0, max: 2 ** 16 - 1 },
  uint32: { type: "integer", min: 0, max: 2 ** 32 - 1 },
  uint64: { type: "integer", min: 0 },
  float: { type: "number" },
  double: { type: "number" },
};

/** Whether a format is one for values of any type. */
export function isKnownFormat(format: unknown): boolean {
  return typeof format === "string" && (stringFormats.includes(format) || Object.hasOwn(numberFormats, format));
}

/** The format and the tightest bounds of a number schema. */
export function bounds(
  type: "integer" | "number",
  keywords: Readonly<Record<string, unknown>>,
  place: Place,
): { format?: string; minimum?: number; maximum?: number } {
  const format = keywords["format"];
  const known = typeof format === "string" && Object.hasOwn(numberFormats, format) ? numberFormats[format] : undefined;
  const isMeant = known?.type === type;
  if (format !== undefined && !isMeant) {
    const what = isKnownFormat(format) ? `is not one for a ${type}` : "is unknown";
    place.warn(`the format ${JSON.stringify(format)} ${what}; it is ignored`);
  }
  const minimum = tighter(keywords["minimum"], isMeant ? known.min : undefined, Math.max, place.at("minimum"));
  const maximum = tighter(keywords["maximum"], isMeant ? known.max : undefined, Math.min, place.at("maximum"));
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    place.tolerate(`the minimum ${minimum} is above the maximum ${maximum}; correct one of them`);
  }
  return {
    ...(typeof format === "string" && isMeant && { format }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

function tighter(
  own: unknown,
  formats: number | undefined,
  pick: (a: number, b: number) => number,
  place: Place,
): number | undefined {
  if (own === undefined) return formats;
  if (typeof own !== "number") throw place.unsupported("expected a number");
  return formats === undefined ? own : pick(own, formats);
}
