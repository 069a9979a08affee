import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { root } from "../support/packages.ts";

test("a release runs every file of tests in tests/src/release", () => {
  const parts = readFileSync(join(root, "tools/verify-release.mjs"), "utf8");
  const files = readdirSync(join(root, "tests/src/release"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => file.replaceAll("\\", "/").slice(0, -".test.ts".length));
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => !parts.includes(`"${file}"`))).toEqual([]);
});
