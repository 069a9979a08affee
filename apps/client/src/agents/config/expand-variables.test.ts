import { expect, test } from "vitest";

import { expandVariables } from "./expand-variables.ts";

test("expandVariables() replaces references to the environment, and nothing else", () => {
  const values = {
    KEY: "${TOKEN}",
    BOTH: "a-${TOKEN}-${EMPTY}-b",
    PLAIN: "$TOKEN $(x) ${} ${1}",
    PATTERN: "${DOLLAR}",
  };
  expect(expandVariables(values, { TOKEN: "t", EMPTY: "", DOLLAR: "$&${TOKEN}" })).toEqual({
    env: { KEY: "t", BOTH: "a-t--b", PLAIN: "$TOKEN $(x) ${} ${1}", PATTERN: "$&${TOKEN}" },
  });
});

test("expandVariables() names the first variable that is not set", () => {
  expect(expandVariables({ A: "x", B: "${SET}${MISSING}" }, { SET: "" })).toEqual({
    missing: { member: "B", variable: "MISSING" },
  });
});

test("expandVariables() takes the forms of other programs, and names what they would ask for", () => {
  const env = { A: "a", EMPTY: "" };
  const values = { one: "${A:-b}${NOPE:-b c}", two: "${env:A}${EMPTY:-x}", three: "$A $${} ${a-b}" };
  expect(expandVariables(values, env)).toEqual({ env: { one: "ab c", two: "a", three: "$A $${} ${a-b}" } });
  expect(expandVariables({ key: "${input:my key}" }, env)).toEqual({
    missing: { member: "key", variable: "input:my key" },
  });
});
