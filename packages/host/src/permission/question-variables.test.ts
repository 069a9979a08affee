import { expect, test } from "vitest";

import { readVariables } from "./question-variables.ts";

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
])("readVariables() reads %j", (value, expected) => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const read = readVariables([{ name: "env", value: text }]);
  expect(read.map((variable) => [variable.name, variable.value])).toEqual(expected);
});

test.each(["env", "ENV", "environment", "env_vars", "environment-variables"])(
  "readVariables() takes %s for variables",
  (name) => {
    expect(readVariables([{ name, value: '{"A":"b"}' }])).toEqual([{ name: "A", value: "b" }]);
  },
);

test("readVariables() leaves out other arguments", () => {
  expect(readVariables([{ name: "timeout", value: "1" }])).toEqual([]);
});
