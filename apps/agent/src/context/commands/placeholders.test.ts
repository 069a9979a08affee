import { expect, test } from "vitest";

import { fillPlaceholders } from "./file-commands.ts";

test.each([
  ["Explain $ARGUMENTS.", "a.ts now", "Explain a.ts now."],
  ["From $1 to $2, $1 first", `one "two words"`, "From one to two words, one first"],
  ["From $1 to $2", "one", "From one to "],
  ["It costs $10, or $ARGUMENTSX", "much", "It costs $10, or $ARGUMENTSX\n\nmuch"],
  ["Review it.", "Only a.ts", "Review it.\n\nOnly a.ts"],
  ["Review it.", "", "Review it."],
  ["Say $1 and $ARGUMENTS", "$2 $ARGUMENTS", "Say $2 and $2 $ARGUMENTS"],
])("%j with %j is %j", (text, input, filled) => {
  expect(fillPlaceholders(text, input)).toBe(filled);
});
