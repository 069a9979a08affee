import { decode } from "@acp/schema";
import { decodeCreateElicitationRequest, type Received } from "@acp/schema/v1";
import { describe, expect, test } from "vitest";
import { checkForm, formDefaults, validateForm } from "./form.ts";
import { lintForm } from "./lint-form.ts";

/** The form of a request as it is received. */
function received(properties: object, more: object = {}): Received.ElicitationSchema {
  const requestedSchema = { type: "object", properties, ...more };
  const request = { mode: "form", message: "m", sessionId: "s", requestedSchema };
  const decoded = decode(decodeCreateElicitationRequest, request);
  if (!decoded.ok || decoded.value.mode !== "form") throw new Error(JSON.stringify(decoded));
  return decoded.value.requestedSchema;
}

const reasons = (field: object, value: unknown): string[] =>
  validateForm(received({ field }), { field: value }).map(({ path, reason }) => `${path.join("/")}: ${reason}`);

describe("validateForm()", () => {
  test.each<[string, object, readonly unknown[], readonly unknown[]]>([
    ["text", { type: "string" }, ["", "a"], [1, true, null, ["a"], {}]],
    ["minLength, in characters", { type: "string", minLength: 2 }, ["ab", "😀😀"], ["", "😀"]],
    ["maxLength, in characters", { type: "string", maxLength: 2 }, ["", "😀😀"], ["abc"]],
    ["pattern", { type: "string", pattern: "^[a-z]+$" }, ["abc"], ["", "A", "a1"]],
    ["pattern anywhere in the text", { type: "string", pattern: "b" }, ["abc"], ["ac"]],
    ["enum", { type: "string", enum: ["a", "b"] }, ["a"], ["c", "", 1]],
    ["oneOf", { type: "string", oneOf: [{ const: "a", title: "A" }] }, ["a"], ["A"]],
    ["number", { type: "number", minimum: -1, maximum: 1.5 }, [-1, 0, 1.5], [-2, 2, "1", Number.NaN, Infinity]],
    ["integer", { type: "integer", minimum: 1 }, [1, 2.0], [1.5, 0, "1", true]],
    ["boolean", { type: "boolean" }, [true, false], [0, "true", null]],
    ["several of enum", { type: "array", items: { type: "string", enum: ["a", "b"] } }, [[], ["b"]], ["a", ["c"], [1]]],
    ["several of anyOf", { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } }, [["a"]], [["A"]]],
    [
      "minItems and maxItems",
      { type: "array", minItems: 1, maxItems: 1, items: { type: "string", enum: ["a", "b"] } },
      [["a"]],
      [[], ["a", "b"]],
    ],
    [
      "email",
      { type: "string", format: "email" },
      ["a@b.c", "a+b@localhost", "a..b@c.d.e"],
      ["a", "a@", "a b@c.d", "@b", "a@b@c", "a@.b", "a@b.", "a@b..c"],
    ],
    [
      "uri",
      { type: "string", format: "uri" },
      ["https://a.b/c?d#e", "urn:isbn:1", "mailto:a@b"],
      ["a", "/a", "https://a b"],
    ],
    [
      "date",
      { type: "string", format: "date" },
      ["2024-02-29", "0001-01-01"],
      ["2023-02-29", "2024-13-01", "2024-1-1", "x"],
    ],
    [
      "date-time",
      { type: "string", format: "date-time" },
      ["2026-11-21T10:00:00Z", "2026-11-21t23:59:60.5+02:00"],
      ["2026-11-21", "2026-11-21T24:00:00Z", "2026-11-21T10:00:00"],
    ],
  ])("ELIC-07/both: %s", (_, field, right, wrong) => {
    for (const value of right) expect(reasons(field, value), JSON.stringify(value)).toEqual([]);
    for (const value of wrong) expect(reasons(field, value), JSON.stringify(value)).not.toEqual([]);
  });

  test.each([
    ["mail address", "email", `a@b${".c".repeat(2 ** 23)}`, 0],
    ["mail address without an end", "email", `a@b${".c".repeat(2 ** 23)}.`, 1],
    ["URI", "uri", `a:b${"/c".repeat(2 ** 23)}`, 0],
    ["URI with a space at its end", "uri", `a:b${"/c".repeat(2 ** 23)} `, 1],
    ["date with a fraction", "date-time", `2026-11-21T10:00:00.${"1".repeat(2 ** 24)}Z`, 1],
  ])("reads a %s that is as long as a message", (_, format, text, problems) => {
    expect(reasons({ type: "string", format }, text)).toHaveLength(problems);
  });

  test("ELIC-07/both: names all wrong fields and choices", () => {
    const items = { type: "string", enum: ["a"] };
    const schema = received(
      {
        name: { type: "string", minLength: 2, pattern: "x" },
        many: { type: "array", items },
        left: { type: "boolean" },
      },
      { required: ["name", "left", "gone"] },
    );
    expect(validateForm(schema, { name: "y", many: ["a", "b"] })).toEqual([
      { path: ["left"], reason: "is required" },
      { path: ["gone"], reason: "is required" },
      { path: ["name"], reason: "has fewer than 2 characters" },
      { path: ["name"], reason: "does not have the form that is asked for" },
      { path: ["many", 1], reason: "is none of the choices" },
    ]);
    expect(checkForm(schema, { name: "xx", left: true, gone: 1 })).toBeUndefined();
    expect(checkForm(schema, [])).toEqual({ path: [], reason: "expected an object" });
  });

  test("ELIC-07/both: takes nothing from prototypes", () => {
    const schema = received({}, { required: ["toString", "__proto__"] });
    expect(validateForm(schema, {}).map(({ path }) => path)).toEqual([["toString"], ["__proto__"]]);
    expect(validateForm(schema, JSON.parse('{"toString": "a", "__proto__": "b"}'))).toEqual([]);
  });

  test("ELIC-31: looks at no field of a kind that is not known, and reports it", () => {
    const unchecked: unknown[] = [];
    const schema = received({ odd: { type: "_colour" }, choice: { type: "array", items: { type: "_x" } } });
    const onUnchecked = (problem: unknown): void => void unchecked.push(problem);
    expect(validateForm(schema, { odd: { r: 1 }, choice: [1] }, { onUnchecked })).toEqual([]);
    expect(unchecked).toEqual([
      { path: ["odd"], reason: "the kind of the field is not known" },
      { path: ["choice"], reason: "the kind of the choices is not known" },
    ]);
    // What nobody can fill in cannot be accepted either.
    expect(validateForm(received({ odd: { type: "_colour" } }, { required: ["odd"] }), {})).toHaveLength(1);
  });

  test("ELIC-34/both: a form with a format that is not known is received, and any text will do for it", () => {
    const schema = received({ host: { type: "string", format: "hostname", maxLength: 5 } }, { required: ["host"] });
    expect(schema.properties?.["host"]).toMatchObject({ type: "string", maxLength: 5 });
    expect(validateForm(schema, { host: "?" })).toEqual([]);
    expect(validateForm(schema, { host: "too long" })).toHaveLength(1);
    // One that was not received, say: without the types.
    const sent: object = { properties: { host: { type: "string", format: "hostname" } } };
    expect(validateForm(sent, { host: "?" })).toEqual([]);
  });

  test("ELIC-33: takes bounded time for a malicious pattern, and reports parts that it cannot check", () => {
    expect(reasons({ type: "string", pattern: "^(a+)+$" }, "a".repeat(10_000) + "!")).toHaveLength(1);
    const unchecked: unknown[] = [];
    const schema = received({ a: { type: "string", pattern: "(?=x)" }, b: { type: "string", pattern: "(" } });
    expect(validateForm(schema, { a: "y", b: "z" }, { onUnchecked: (problem) => unchecked.push(problem) })).toEqual([]);
    expect(unchecked).toEqual([
      { path: ["a"], reason: "the pattern cannot be checked: it looks ahead or behind" },
      { path: ["b"], reason: "the pattern cannot be checked: it is no regular expression" },
    ]);
  });
});

test("ELIC-33: checks all patterns of an honest form", () => {
  const date = { type: "string", pattern: "^(?:\\d{4})-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$" };
  const name = { type: "string", pattern: "^\\p{L}[\\p{L}\\p{M}' -]{0,99}$" };
  const fields = Array.from({ length: 50 }, (_, index) => [
    [`date${index}`, date, "2026-11-21"],
    [`name${index}`, name, "Ada"],
  ]).flat();
  const schema = received(Object.fromEntries(fields.map(([key, field]) => [key, field])));
  const unchecked: unknown[] = [];
  const onUnchecked = (problem: unknown): void => void unchecked.push(problem);
  const right = Object.fromEntries(fields.map(([key, , value]) => [key, value]));
  expect(validateForm(schema, right, { onUnchecked })).toEqual([]);
  expect(validateForm(schema, { ...right, name49: "-" }, { onUnchecked })).toHaveLength(1);
  expect(unchecked).toEqual([]);
});

describe("formDefaults()", () => {
  test("ELIC-08: gives the declared defaults, without those that do not fit", () => {
    const items = { type: "string", enum: ["a", "b"] };
    const schema = received({
      text: { type: "string", default: "x" },
      none: { type: "string" },
      zero: { type: "integer", default: 0 },
      no: { type: "boolean", default: false },
      many: { type: "array", items, default: ["b"] },
      wrong: { type: "string", enum: ["a"], default: "z" },
      high: { type: "number", maximum: 1, default: 2 },
      odd: { type: "_x", default: "y" },
      nothing: { type: "string", default: null },
    });
    expect(formDefaults(schema)).toEqual({ text: "x", zero: 0, no: false, many: ["b"] });
  });
});

// Some tenths of a second for each field would be minutes, and fail by the time limit of the test.
test.each([
  ["matched", "(a?){1000}b"],
  ["of which many are made", "|".repeat(2_400)],
  ["of many classes", "[\\p{L}!]".repeat(500)],
  ["written out", `${"(".repeat(100)}a{4900}${")".repeat(100)}`],
])("ELIC-33: takes bounded time for a form of many patterns to be %s", (_, pattern) => {
  const fields = Array.from({ length: 2_000 }, (__, index) => [`f${index}`, "a".repeat(2_000)] as const);
  const properties = fields.map(([name, text]) => [name, { type: "string", default: text, pattern }]);
  const schema = received(Object.fromEntries(properties));
  expect(Object.keys(formDefaults(schema)).length).toBeGreaterThan(1_900);
  const unchecked: unknown[] = [];
  validateForm(schema, Object.fromEntries(fields), { onUnchecked: (problem) => unchecked.push(problem) });
  expect(unchecked.length).toBeGreaterThan(1_900);
  expect(unchecked).toContainEqual({
    path: ["f1999"],
    reason: "the pattern cannot be checked: it would take too long",
  });
});

describe("lintForm()", () => {
  test("ELIC-09, ELIC-26: finds fields for secrets, URLs in texts, and impossible fields", () => {
    const schema = received(
      {
        apiKey: { type: "string" },
        word: { type: "string", title: "Your password" },
        site: { type: "string", description: "See https://example.com/help", pattern: "(?=a)" },
        tokens: { type: "integer", default: 1, minimum: 2 },
        colour: { type: "string", enum: ["red"], default: "red" },
        keyboard: { type: "boolean", description: "Compass" },
      },
      { required: ["colour", "size"], title: "www.example.com" },
    );
    expect(lintForm(schema).map(({ path }) => path.join("/"))).toEqual([
      "title",
      "properties/apiKey",
      "properties/word",
      "properties/site/description",
      "properties/site/pattern",
      "properties/tokens",
      "properties/tokens/default",
      "required/1",
    ]);
  });
});
