import { numberFormats, stringFormats } from "@acp/codegen/testing";
import { expect, test } from "vitest";
import { codePoints } from "./code-points.ts";
import { formats } from "./formats.ts";

/** Runs one of the formats on a value of whatever type it takes. */
function meets(format: string, value: unknown): boolean {
  const validate: unknown = formats[format]?.validate;
  if (typeof validate !== "function") throw new Error(`no format ${format}`);
  return Boolean(Reflect.apply(validate, undefined, [value]));
}

test("checks every format that schemas may have", () => {
  expect(Object.keys(formats).toSorted()).toEqual([...Object.keys(numberFormats), ...stringFormats].toSorted());
});

test.each([
  ["int8", -128, 127],
  ["uint8", 0, 255],
  ["int16", -(2 ** 15), 2 ** 15 - 1],
  ["int32", -(2 ** 31), 2 ** 31 - 1],
  ["uint16", 0, 65_535],
  ["uint32", 0, 4_294_967_295],
  ["int64", -(2 ** 63), 2 ** 63],
  ["uint64", 0, 2 ** 64],
])("%s spans %d to %d and nothing beyond", (format, least, greatest) => {
  expect(meets(format, least)).toBe(true);
  expect(meets(format, greatest)).toBe(true);
  expect(meets(format, Math.min(least - 1, least * 1.01))).toBe(false);
  expect(meets(format, Math.max(greatest + 1, greatest * 1.01))).toBe(false);
  expect(meets(format, 0.5)).toBe(false);
});

test("double refuses the infinity that JSON.parse makes of a huge number", () => {
  expect(meets("double", JSON.parse("1e400"))).toBe(false);
  expect(meets("double", -1e308)).toBe(true);
});

test.each(["file:///home/a%20b.txt", "https://[::1]:80/a?b=c&d#e", "urn:isbn:0451450523", "data:text/plain,hi", "x:"])(
  "uri accepts %s",
  (value) => expect(meets("uri", value)).toBe(true),
);

test.each([
  "",
  "/absolute/path",
  "no scheme",
  "http://a b",
  "https://x/%zz",
  "https://x#a#b",
  "1x:y",
  "https://x/\u00fc",
])("uri refuses %j", (value) => expect(meets("uri", value)).toBe(false));

test("uri answers at once when the text is long and hostile", () => {
  expect(meets("uri", `a:${"%41".repeat(50_000)} `)).toBe(false);
});

test.each(["2026-11-21T22:00:00Z", "2024-02-29t23:59:59.123456789+05:30", "2016-12-31T23:59:60Z"])(
  "date-time accepts %s",
  (value) => expect(meets("date-time", value)).toBe(true),
);

test.each([
  "2026-11-21",
  "2026-02-29T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-11-21T24:00:00Z",
  "2026-11-21T22:00:00",
  "2026-11-21 22:00",
])("date-time refuses %s", (value) => expect(meets("date-time", value)).toBe(false));

test.each([
  ["date", "2024-02-29", "2023-02-29"],
  ["date", "2026-11-21", "2026-11-21T00:00:00Z"],
  ["time", "23:59:59.5+01:00", "24:00:00Z"],
  ["email", "a.b@example.com", "a b@example.com"],
  ["email", "ü@x", "@x"],
  ["uuid", "123E4567-e89b-12d3-a456-426614174000", "123e4567e89b12d3a456426614174000"],
])("%s accepts %j and refuses %j", (format, good, bad) => {
  expect([meets(format, good), meets(format, bad)]).toEqual([true, false]);
});

test("regex accepts a pattern when it compiles", () => {
  expect(meets("regex", "^[a-z]+$")).toBe(true);
  expect(meets("regex", "(")).toBe(false);
});

test("codePoints() counts a surrogate pair as one", () => {
  expect(codePoints("a\u{1f600}b")).toBe(3);
  expect(codePoints("\ud800")).toBe(1);
});
