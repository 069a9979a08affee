import { expect, test } from "vitest";

import { editMember } from "./edit-text.ts";

const add = { path: ["agents", "c"], value: { command: "d" } };

test.each([
  ["an empty text", "", '{\n  "agents": {\n    "c": {\n      "command": "d"\n    }\n  }\n}\n'],
  [
    "a text with a comment",
    "// mine\n",
    '// mine\n{\n  "agents": {\n    "c": {\n      "command": "d"\n    }\n  }\n}\n',
  ],
  ["an empty object", "{}", '{\n  "agents": {\n    "c": {\n      "command": "d"\n    }\n  }\n}'],
  [
    "an object with comments",
    '{\n\t"agents": { // all\n\t\t"a": { "b": 1 } // a\n\t\t// the end\n\t} // agents\n}\n',
    '{\n\t"agents": { // all\n\t\t"a": { "b": 1 }, // a\n\t\t// the end\n\t\t"c": {\n\t\t\t"command": "d"\n\t\t}\n\t} // agents\n}\n',
  ],
  [
    "a trailing comma",
    '{\n  "agents": {\n    "a": 1, /* one */\n  },\n}\n',
    '{\n  "agents": {\n    "a": 1, /* one */\n    "c": {\n      "command": "d"\n    }\n  },\n}\n',
  ],
  [
    "an object on one line",
    '{ "agents": { "a": 1 } }',
    '{ "agents": { "a": 1,\n    "c": {\n      "command": "d"\n    }\n  } }',
  ],
  [
    "lines that end as on Windows",
    '{\r\n  "agents": {\r\n    "a": 1\r\n  }\r\n}\r\n',
    '{\r\n  "agents": {\r\n    "a": 1,\r\n    "c": {\n      "command": "d"\n    }\r\n  }\r\n}\r\n'.replaceAll(
      /(?<!\r)\n/gu,
      "\r\n",
    ),
  ],
])("editMember() adds a member to %s", (_name, before, after) => {
  expect(editMember(before, add)).toBe(after);
});

test("editMember() replaces a value and keeps the text around it", () => {
  const text = '{\n  "default": "a", // was b\n  "agents": {}\n}\n';
  expect(editMember(text, { path: ["default"], value: "c" })).toBe(text.replace('"a"', '"c"'));
});

test.each([
  ["in the middle", '{\n  // all\n  "m": {\n    "a": 1, // one\n    "c": 3 // three\n  }\n}\n', "b"],
  ["at the beginning", '{\n  // all\n  "m": {\n    "b": 2, // two\n    "c": 3 // three\n  }\n}\n', "a"],
  ["at the end", '{\n  // all\n  "m": {\n    "a": 1, // one\n    "b": 2 // two\n  }\n}\n', "c"],
  [
    "that is not there",
    '{\n  // all\n  "m": {\n    "a": 1, // one\n    "b": 2, // two\n    "c": 3 // three\n  }\n}\n',
    "x",
  ],
])("editMember() removes a member %s", (_name, after, name) => {
  const text = '{\n  // all\n  "m": {\n    "a": 1, // one\n    "b": 2, // two\n    "c": 3 // three\n  }\n}\n';
  expect(editMember(text, { path: ["m", name], value: undefined })).toBe(after);
});

test("editMember() removes a member of an object on one line", () => {
  expect(editMember('{ "m": { "a": 1, "b": 2 } }', { path: ["m", "a"], value: undefined })).toBe('{ "m": {"b": 2 } }');
  expect(editMember('{ "m": { "a": 1, "b": 2 } }', { path: ["m", "b"], value: undefined })).toBe('{ "m": { "a": 1 } }');
});
