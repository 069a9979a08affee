import { expect, test } from "vitest";

import { checkLimits } from "../limits.ts";
import { limitsFromJson, limitsToJson } from "./wire.ts";

test("limits reach a keeper's process as they are, also those that are infinite", () => {
  for (const limits of [{}, undefined, { idleTime: Infinity }, { prompts: 0, mergeTime: Infinity }]) {
    const sent = JSON.parse(JSON.stringify(limitsToJson(limits))) as ReturnType<typeof limitsToJson>;
    expect(limitsFromJson(sent)).toEqual(checkLimits(limits));
  }
  expect(() => limitsToJson({ idleTime: Number.NaN })).toThrow("idleTime");
});
