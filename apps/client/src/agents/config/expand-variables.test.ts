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
