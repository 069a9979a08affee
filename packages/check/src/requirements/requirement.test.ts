import { expect, test } from "vitest";

import { areas } from "./index.ts";
import { readAreas } from "./requirement.ts";

test("each rule has an id of its area, and members that there are", () => {
  const members = { also: ["agent", "client"], check: ["wire", "unit", "static", "behaviour", "none"] };
  for (const { prefix, requirements } of areas)
    for (const { id, who, level, rule, check, also = "client", follows = "-", reason, ...more } of requirements) {
      expect(id.startsWith(`${prefix}-`), id).toBe(true);
      expect([who, level, rule, follows], id).not.toContain("");
      expect(members.check, id).toContain(check);
      expect(members.also, id).toContain(also);
      expect(reason !== undefined, id).toBe(check === "none");
      expect(more, id).toEqual({});
    }
});

test("a line that is not a rule is refused", () => {
  expect(() => readAreas("Files (FS)\nFS-01 agent shall: An agent reads.")).toThrow("No rule: FS-01 agent shall");
});
