import { expect, test } from "vitest";
import { jsonText } from "./json-text.ts";

test("jsonText() keeps short values on one line", () => {
  expect(jsonText({ a: [1, "x", null], b: {}, c: [] })).toBe('{ "a": [1, "x", null], "b": {}, "c": [] }');
});

test("jsonText() breaks long values, outermost first", () => {
  const text = "x".repeat(80);
  expect(jsonText({ first: text, second: { list: [1, 2], more: true } })).toBe(
    `{\n  "first": "${text}",\n  "second": { "list": [1, 2], "more": true }\n}`,
  );
});

test("jsonText() counts the name of a member into the line", () => {
  const list = ["x".repeat(41), "y".repeat(41)];
  expect(jsonText({ list }).split("\n")).toHaveLength(3);
  expect(jsonText({ aLongNameForTheList: list }).split("\n")).toHaveLength(6);
});

test("jsonText() writes JSON that reads back the same", () => {
  const value = { 'a "quote"': ["line\nbreak", { deep: ["y".repeat(120), [[]]] }], n: -1.5e300 };
  expect(JSON.parse(jsonText(value))).toEqual(value);
});
