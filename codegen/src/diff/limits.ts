import { numberFormats } from "../model/formats.ts";
import type { Alternative } from "./alternatives.ts";
import { sameJson } from "./json-values.ts";

const lower: readonly string[] = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const upper: readonly string[] = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

/** Whether an alternative keeps within all limits of another. */
export function takesLimits(outer: Alternative, inner: Alternative): boolean {
  return [...outer.limits].every(([name, limits]) => limits.every((limit) => takesLimit(name, limit, inner)));
}

/** Whether an alternative keeps within a limit. */
function takesLimit(name: string, limit: unknown, inner: Alternative): boolean {
  const own = inner.limits.get(name) ?? [];
  if (own.some((other) => sameJson(other, limit))) return true;
  if (name === "format") return takesFormat(limit, inner);
  if (name === "uniqueItems") return limit === false;
  if (typeof limit !== "number") return false;
  if (name === "multipleOf") return own.some((other) => typeof other === "number" && Number.isInteger(other / limit));
  const sign = lower.includes(name) ? 1 : upper.includes(name) ? -1 : undefined;
  if (sign === undefined) return false;
  if (limit === 0 && ["minLength", "minItems", "minProperties"].includes(name)) return true;
  return boundsOf(name, inner).some(({ bound, isExclusive: excludes }) => {
    const distance = sign * (bound - limit);
    return distance > 0 || (distance === 0 && (excludes || !name.startsWith("exclusive")));
  });
}

/** The bounds of an alternative in the direction of `name`, those of its format among them. */
function boundsOf(name: string, { limits, type }: Alternative): readonly { bound: number; isExclusive: boolean }[] {
  const plain = name.replace(/^exclusive(M)/, (_, letter: string) => letter.toLowerCase());
  const exclusive = `exclusive${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
  const numbers = (keyword: string): readonly number[] =>
    (limits.get(keyword) ?? []).filter((limit) => typeof limit === "number");
  const formats = (limits.get("format") ?? []).flatMap((format) => {
    const range = formatRange(format, type);
    return range === undefined ? [] : [range];
  });
  const ofFormats = plain === "minimum" ? formats.map(([min]) => min) : formats.map(([, max]) => max);
  const inclusive = [...numbers(plain), ...(plain === "minimum" || plain === "maximum" ? ofFormats : [])];
  return [
    ...inclusive.map((bound) => ({ bound, isExclusive: false })),
    ...numbers(exclusive).map((bound) => ({ bound, isExclusive: true })),
  ];
}

function takesFormat(format: unknown, inner: Alternative): boolean {
  if (!formatApplies(format, inner.type)) return true;
  const range = formatRange(format, inner.type);
  if (range === undefined) return false;
  const [min, max] = range;
  const below = boundsOf("minimum", inner).some(({ bound }) => bound >= min);
  const above = boundsOf("maximum", inner).some(({ bound }) => bound <= max);
  return (min === -Infinity || below) && (max === Infinity || above);
}

function formatApplies(format: unknown, type: string | undefined): boolean {
  const known = typeof format === "string" ? numberFormats[format] : undefined;
  if (type === undefined) return true;
  return (known !== undefined) === (type === "integer" || type === "number");
}

/** What a number format allows. */
function formatRange(format: unknown, type: string | undefined): readonly [number, number] | undefined {
  const known = typeof format === "string" ? numberFormats[format] : undefined;
  if (known === undefined || type === "string") return undefined;
  if (format === "int64") return [-(2 ** 63), 2 ** 63];
  if (format === "uint64") return [0, 2 ** 64];
  return [known.min ?? -Infinity, known.max ?? Infinity];
}

/** Whether a value keeps within a limit. */
export function isWithin(name: string, limit: unknown, value: unknown): boolean {
  if (typeof value === "number") {
    if (name === "format") {
      const [min, max] = formatRange(limit, "number") ?? [-Infinity, Infinity];
      return value >= min && value <= max;
    }
    if (typeof limit !== "number") return false;
    if (name === "multipleOf") return Number.isInteger(value / limit);
    if (name.startsWith("exclusive")) return name.endsWith("Minimum") ? value > limit : value < limit;
    return name === "minimum" ? value >= limit : value <= limit;
  }
  if (typeof value !== "string") return true;
  const length = Array.from(value).length;
  if (name === "minLength") return typeof limit === "number" && length >= limit;
  if (name === "maxLength") return typeof limit === "number" && length <= limit;
  if (name === "pattern") return typeof limit === "string" && matches(limit, value);
  return false;
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return false;
  }
}
