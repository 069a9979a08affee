import { expect, test } from "vitest";

import { type FormField, valueOf } from "./form-field.ts";

const choices = [
  { const: "js", title: "Java\u001B[1mScript" },
  { const: "ts", title: "TypeScript" },
];
const one: FormField = { type: "string", oneOf: choices };
const several: FormField = { type: "array", items: { anyOf: choices } };

test.each<[FormField, string, unknown]>([
  [one, "2", "ts"],
  [one, "JavaScript", "js"],
  [one, "typescript", "ts"],
  [one, "ts", "ts"],
  [one, "3", "3"],
  [several, "1, TypeScript", ["js", "ts"]],
  [several, "1,1, javascript", ["js"]],
])("valueOf() takes a number, a title or a value, and a choice once: %j %j", (field, line, value) => {
  expect(valueOf(field, line)).toEqual(value);
});
