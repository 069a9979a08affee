import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { areas } from "../../web/rule-links.ts";

test("findings link to the headings that the page of the rules has", () => {
  const page = readFileSync(new URL("../../../../docs/reports/conformance.md", import.meta.url), "utf8");
  const headings = [...page.matchAll(/^## (\w+): (.+)$/gmu)].map(([, prefix, title]) => [prefix, title]);
  // Checklists are about no message.
  expect(Object.entries(areas)).toEqual(headings.filter(([prefix]) => prefix !== "CHK"));
});
