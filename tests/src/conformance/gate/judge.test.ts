import { describe, expect, test } from "vitest";

import { type Area, rule, unchecked } from "../requirement.ts";
import { areas } from "../requirements/index.ts";
import type { Evidence } from "./evidence.ts";
import { idsIn, judge } from "./judge.ts";
import { areaTable, missing, verdict } from "./summary.ts";

const [first, second, third] = ["SAMPLE-01", "SAMPLE-02", "SAMPLE-03"] as const;

const sample: readonly Area[] = [
  {
    prefix: "SAMPLE",
    title: "A sample",
    requirements: [
      rule(first, "both must", "One."),
      rule(second, "client MUST NOT", "Two."),
      unchecked(third, "agent MAY", "Three.", "Nobody sees it."),
    ],
  },
];

function claim(name: string, state: Evidence["state"]): Evidence {
  return { file: "sample.test.ts", name, state };
}

function states(...evidence: readonly Evidence[]): readonly string[] {
  return judge(sample, evidence).areas.flatMap(({ rules }) => rules.map(({ state }) => state));
}

describe("judge()", () => {
  test("takes a rule for proven when a test with its id passes", () => {
    expect(states(claim(`${first}: it holds`, "passed"), claim(`it holds (${second})`, "passed"))).toEqual([
      "verified",
      "verified",
      "unchecked",
    ]);
  });

  test.each([
    ["fails", "failed", "failed"],
    ["is skipped", "skipped", "untested"],
    ["is expected to fail", "gap", "gap"],
  ] as const)("does not when its test %s", (_what, state, expected) => {
    expect(states(claim(first, state))[0]).toBe(expected);
  });

  test.each(["failed", "gap"] as const)("does not when one of its tests has %s and another has passed", (state) => {
    expect(states(claim(first, "passed"), claim(first, state))[0]).toBe(state);
  });

  test("names claims of rules that are not there", () => {
    const stranger = "SAMPLE-04";
    expect(judge(sample, [claim(stranger, "passed")]).errors).toEqual([
      `${stranger} is no rule of the manifest: sample.test.ts, "${stranger}"`,
    ]);
  });

  test("names rules out of order, and rules without a reason", () => {
    const requirements = [unchecked(second, "both may", "Two.", "")];
    expect(judge([{ prefix: "SAMPLE", title: "", requirements }], []).errors).toEqual([
      `${second} stands where ${first} should`,
      `${second} is not checked, and no reason is given`,
    ]);
  });

  test("takes a name with several ids for a claim of each, and an encoding for none", () => {
    expect([...idsIn(`${first}, ${second}: UTF-16`)]).toEqual([first, second]);
  });
});

test("verdict() counts the rules that can be checked, and missing() names those that are not proven", () => {
  const judgement = judge(sample, [claim(second, "passed")]);
  expect(verdict(judgement)).toBe("verified 1 of 2 checkable rules");
  expect(missing(judgement).map(({ requirement }) => requirement.id)).toEqual([first]);
  expect(areaTable(judgement).split("\n")[1]).toMatch(/^SAMPLE A sample +3 +2 +1 +0 +0 +1 +1$/u);
});

test("the manifest is in order, and has every rule", () => {
  expect(judge(areas, []).errors).toEqual([]);
  const rules = areas.flatMap(({ requirements }) => requirements);
  expect(rules).toHaveLength(330);
  expect(rules.filter(({ check }) => check === "none")).toHaveLength(35);
  expect(new Set(rules.map(({ rule: text }) => text)).size).toBe(330);
});
