import { describe, expect, test } from "vitest";

import { findMutant } from "./find-mutant.ts";
import { mutants } from "./mutants.ts";

describe("the simulation finds within 500 seeds", () => {
  test.each(mutants.map((mutant) => [mutant.name, mutant] as const))("%s", async (_name, mutant) => {
    expect(await findMutant(mutant, 500)).toBeDefined();
  });
});
