import { describe, expect, test } from "vitest";

import { agentChecks } from "../agent/checks/index.ts";
import { clientChecks } from "../client/checks/index.ts";
import type { Check } from "../engine/check.ts";
import type { CheckSet } from "./check-set.ts";
import { checkSets, checksOfSet } from "./index.ts";
import { setText } from "./set-text.ts";

const checks: readonly Check<never>[] = [...agentChecks, ...clientChecks];

function fakeCheck(id: string, level: Check<never>["level"], side: Check<never>["side"] = "agent"): Check<never> {
  return { id, level, side, title: id, mend: id, run: async () => {} };
}

const frozen: CheckSet = { name: "2025-01", agent: { old: "must" }, client: { seen: "hostile" } };
const all = [fakeCheck("old", "should"), fakeCheck("new", "must"), fakeCheck("seen", "hostile", "client")];

describe("the sets of checks", () => {
  test.each(checkSets.filter(({ isOpen }) => isOpen !== true))(
    "$name has all its checks",
    ({ name, agent, client }) => {
      const found = checksOfSet(checks, name).map(({ id }) => id);
      expect(found.toSorted()).toEqual([...Object.keys(agent), ...Object.keys(client)].toSorted());
    },
  );

  test("each has a month of its own, in order, and only the last may be open", () => {
    const names = checkSets.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].toSorted());
    expect(checkSets.slice(0, -1).filter(({ isOpen }) => isOpen)).toEqual([]);
  });

  test("a frozen one has no later check, and its checks weigh what they weighed", () => {
    const found = checksOfSet(all, frozen.name, [frozen]).map(({ id, level }) => [id, level]);
    expect(found).toEqual([
      ["old", "must"],
      ["seen", "hostile"],
    ]);
  });

  test("an open one has all, and so has the next", () => {
    expect(checksOfSet(all, frozen.name, [{ ...frozen, isOpen: true }])).toEqual(all);
    expect(checksOfSet(all, "next", [frozen])).toEqual(all);
  });

  test("a client's check of the same name as an agent's is another one", () => {
    const agentOnly: CheckSet = { ...frozen, client: {} };
    expect(checksOfSet([fakeCheck("old", "must", "client")], frozen.name, [agentOnly])).toEqual([]);
  });

  test("are written side by side, in order", () => {
    expect(
      setText("2026-12", [
        fakeCheck("b-two", "must"),
        fakeCheck("a-one", "hostile"),
        fakeCheck("c-x", "should", "client"),
      ]),
    ).toBe(`// Written by \`npm run check:freeze\`. Do not edit.
import type { CheckSet } from "./check-set.ts";

export const set202612: CheckSet = {
  name: "2026-12",
  agent: {
    "a-one": "hostile",
    "b-two": "must",
  },
  client: {
    "c-x": "should",
  },
};
`);
  });
});
