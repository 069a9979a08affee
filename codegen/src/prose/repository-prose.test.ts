import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readSchema } from "../testing/index.ts";
import { mergeProse } from "./index.ts";

const read = (version: string): string =>
  readFileSync(new URL(`../../../schema/${version}/prose.md`, import.meta.url), "utf8");

describe("The prose of the repository", () => {
  test.each(["v1", "v2"] as const)("of %s describes everything in its schemas and nothing else", (version) => {
    const stable = readSchema(version);
    const unstable = readSchema(`${version}/unstable`);
    const options = { source: `schema/${version}/prose.md`, ...(version === "v2" && { bases: { v1: read("v1") } }) };
    const prose = read(version);
    expect(mergeProse(stable, prose, { ...options, alsoIn: [unstable] }).missing).toEqual([]);
    expect(mergeProse(unstable, prose, { ...options, alsoIn: [stable] }).missing).toEqual([]);
  });
});
