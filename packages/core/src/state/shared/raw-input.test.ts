import { expect, test } from "vitest";

import { readRawInput } from "./raw-input.ts";

test.each<[unknown, unknown]>([
  [
    { LD_PRELOAD: "/x.so", CI: 1 },
    [
      ["LD_PRELOAD", "/x.so"],
      ["CI", "1"],
    ],
  ],
  [
    [
      { name: "A", value: "b=c" },
      { name: "A", value: "" },
    ],
    [
      ["A", "b=c"],
      ["A", ""],
    ],
  ],
  [
    ["NODE_OPTIONS=--import=data:,x", "B="],
    [
      ["NODE_OPTIONS", "--import=data:,x"],
      ["B", ""],
    ],
  ],
  [
    { A: null, B: { c: 1 } },
    [
      ["A", "null"],
      ["B", '{"c":1}'],
    ],
  ],
  [{}, []],
  [[], []],
  // What cannot be read is not nothing.
  ["NODE_OPTIONS=x", [["env", "NODE_OPTIONS=x"]]],
  [["NODE_OPTIONS"], [["env", '["NODE_OPTIONS"]']]],
  [[{ key: "A", value: "b" }], [["env", '[{"key":"A","value":"b"}]']]],
  [[["A", "b"]], [["env", '[["A","b"]]']]],
  [7, [["env", "7"]]],
])("readRawInput() reads the variables %j", (value, expected) => {
  for (const raw of [{ env: value }, { env: typeof value === "string" ? value : JSON.stringify(value) }]) {
    const { variables, details } = readRawInput(raw, true);
    expect(variables.map((variable) => [variable.name, variable.value])).toEqual(expected);
    expect(details).toEqual([]);
  }
});

test.each(["env", "ENV", "environment", "env_vars", "environment-variables"])(
  "readRawInput() takes %s for variables",
  (name) => {
    expect(readRawInput({ [name]: { A: "b" } }, true).variables).toEqual([{ name: "A", value: "b" }]);
  },
);

test("readRawInput() takes other arguments for details", () => {
  expect(readRawInput({ timeout: 1 }, true)).toMatchObject({
    variables: [],
    details: [{ name: "timeout", value: "1" }],
  });
});
