import { describe, expect, test } from "vitest";
import { readExamples } from "./read-examples.ts";

const read = (text: string): unknown => readExamples([{ source: "turns.json", text }]);

describe("readExamples()", () => {
  test("reads requests, notifications and values, and remembers their positions", () => {
    const entries = [
      { method: "a/ask", title: "in time", params: {}, result: null },
      { method: "a/tell", params: { x: 1 } },
      { definition: "Thing", value: "so" },
    ];
    expect(read(JSON.stringify(entries))).toEqual([
      { method: "a/ask", title: "in time", params: {}, result: null, source: "turns.json[0]" },
      { method: "a/tell", params: { x: 1 }, source: "turns.json[1]" },
      { definition: "Thing", value: "so", source: "turns.json[2]" },
    ]);
  });

  test.each([
    ["[", "turns.json is not JSON"],
    ["{}", "turns.json is not a list of examples"],
    ["[1]", "turns.json[0]: expected an object"],
    ["[{}]", "turns.json[0]: expected `method` or `definition`"],
    ['[{"method":"a","result":{}}]', "turns.json[0]: the example of a has no `params`"],
    ['[{"definition":"A"}]', "turns.json[0]: the example of A has no `value`"],
    ['[{"method":"a","params":{},"reslt":{}}]', "turns.json[0]: `reslt` is not a member of an example"],
    ['[{"definition":"A","value":1,"params":{}}]', "turns.json[0]: `params` is not a member of an example"],
    ['[{"definition":"A","value":1,"title":2}]', "turns.json[0]: `title` is not a string"],
  ])("refuses %s", (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
