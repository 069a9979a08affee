import { expect, test } from "vitest";

import { checkShape, type Schema } from "./check-shape.ts";

const schema: Schema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    kind: { type: "string", enum: ["a", "b"] },
    count: { type: "integer", minimum: 1, maximum: 3 },
    price: { type: "number", minimum: 0 },
    on: { type: "boolean" },
    list: {
      type: "array",
      minItems: 1,
      items: { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
    },
  },
  required: ["name"],
};

test("checkShape() accepts values of the right shape", () => {
  expect(checkShape(schema, { name: "n", kind: "b", count: 3, price: 0.5, on: false, list: [{ x: -1 }] })).toBe(
    undefined,
  );
});

test.each([
  [[], "It must be an object"],
  [null, "It must be an object"],
  [{}, "name is missing"],
  [{ name: "" }, "name must not be empty"],
  [{ name: 1 }, "name must be a string"],
  [{ name: "n", kind: "c" }, "kind must be one of a, b"],
  [{ name: "n", count: 1.5 }, "count must be a whole number from 1 to 3"],
  [{ name: "n", count: 4 }, "count must be a whole number from 1 to 3"],
  [{ name: "n", price: "1" }, "price must be a number from 0"],
  [{ name: "n", on: 1 }, "on must be true or false"],
  [{ name: "n", list: [] }, "list must have 1 or more members"],
  [{ name: "n", list: [{ x: 1 }, {}] }, "list[1].x is missing"],
  [{ name: "n", list: [{ x: "1" }] }, "list[0].x must be a number"],
  [{ name: "n", toString: 1 }, "toString is unknown"],
])("checkShape() says what is wrong with %j", (value, problem) => {
  expect(checkShape(schema, value)).toBe(problem);
});
