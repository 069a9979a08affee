import { describe, expect, test } from "vitest";

import { chooseOption } from "./options.ts";

const option = (kind: "allow_once" | "allow_always" | "reject_once" | "reject_always") => ({
  optionId: kind,
  name: kind,
  kind,
});

describe("chooseOption()", () => {
  const all = [option("reject_always"), option("allow_always"), option("allow_once"), option("reject_once")];

  test.each([
    ["ask", "reject_once"],
    ["allow", "allow_once"],
    ["yes", "allow_always"],
  ] as const)("with %s chooses %s", (policy, kind) => {
    expect(chooseOption(policy, all)?.kind).toBe(kind);
  });

  test("never takes more than was allowed", () => {
    expect(chooseOption("allow", [option("allow_always"), option("reject_once")])).toBeUndefined();
    expect(chooseOption("ask", [option("allow_once"), option("allow_always")])).toBeUndefined();
    expect(chooseOption("yes", [option("allow_once")])?.kind).toBe("allow_once");
  });
});
