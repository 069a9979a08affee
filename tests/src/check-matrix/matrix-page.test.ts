import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { root } from "../support/packages.ts";
import { checkedPrograms } from "./checked-programs.ts";
import { readEntry } from "./matrix-entry.ts";
import { matrixPage } from "./matrix-page.ts";

test("the page of the matrix is what its reports make", () => {
  const entries = checkedPrograms.flatMap(({ name, versions }) =>
    versions.flatMap((protocol) => readEntry(name, protocol) ?? []),
  );
  expect(readFileSync(join(root, "docs/check-matrix.md"), "utf8")).toBe(matrixPage(checkedPrograms, entries));
});

test("every program has its own name, and an exact version of each package", () => {
  expect(new Set(checkedPrograms.map(({ name }) => name)).size).toBe(checkedPrograms.length);
  for (const { name, packages } of checkedPrograms)
    for (const version of Object.values(packages)) expect(version, name).toMatch(/^v?\d+\.\d+\.\d+/u);
});
