import { describe, expect, test } from "vitest";

import { type Area, rule, unchecked } from "@acp/check/requirements";
import { areas } from "@acp/check/requirements";
import type { Evidence } from "./evidence.ts";
import { judge } from "./judge.ts";
import { areaTable, missing, stateText, verdict } from "./summary.ts";

const [first, second, third, fourth] = ["SAMPLE-01", "SAMPLE-02", "SAMPLE-03", "SAMPLE-04"] as const;

const sample: readonly Area[] = [
  {
    prefix: "SAMPLE",
    title: "A sample",
    requirements: [
      rule(first, "both must", "One."),
      rule(second, "client MUST NOT", "Two."),
      unchecked(third, "agent MAY", "Three.", "Nobody sees it."),
      rule(fourth, "transport must", "Four."),
    ],
  },
];

function claim(name: string, state: Evidence["state"] = "passed"): Evidence {
  return { file: "sample.test.ts", name, state };
}

function states(...evidence: readonly Evidence[]): readonly string[] {
  return judge(sample, evidence).areas.flatMap(({ rules }) => rules.map(({ state }) => state));
}

describe("judge()", () => {
  test("takes a rule for proven when a test with its id passes", () => {
    expect(states(claim(`it holds (${second})`), claim(`${fourth}: it holds`))).toEqual([
      "untested",
      "verified",
      "unchecked",
      "verified",
    ]);
  });

  test("takes a rule of both sides for proven when it is for each", () => {
    const [agent, client] = [claim(`an agent > ${first}: it holds`), claim(`${first}/client: it holds`)];
    expect(states(agent, client)[0]).toBe("verified");
    expect(states(claim(`${first}/both: it holds`))[0]).toBe("verified");
    for (const one of [agent, client]) expect(states(one, one)[0]).toBe("untested");
  });

  test("names the side that nothing proves a rule for", () => {
    const told = (...evidence: readonly Evidence[]): readonly string[] =>
      missing(judge(sample, evidence)).map((judged) => `${judged.requirement.id} ${stateText(judged)}`);
    expect(told(claim(`an agent > ${first}`), claim(`an agent > ${second}`))).toEqual([
      `${first} untested (client)`,
      `${second} untested`,
      `${fourth} untested`,
    ]);
  });

  test("does not count an action that a rule does not require as a proof", () => {
    expect(states(claim(`an agent > ${second}`))[1]).toBe("untested");
    expect(states(claim(`official client and official agent > ${fourth}`))[3]).toBe("untested");
  });

  test("wants a proof for the other side as well where the rule describes its action", () => {
    const both = [
      { prefix: "SAMPLE", title: "", requirements: [rule(first, "client may", "One.", { also: "agent" })] },
    ];
    const untested = missing(judge(both, [claim(`a client > ${first}`)]));
    expect(untested.map(({ unproven }) => unproven)).toEqual([["agent"]]);
  });

  test("names claims of rules of both sides that do not say which", () => {
    expect(judge(sample, [claim(first), claim(second), claim(fourth)]).errors).toEqual([
      `${first} is a rule of both sides, and its test does not say which: sample.test.ts, "${first}"`,
    ]);
  });

  test.each([
    ["fails", "failed", "failed"],
    ["is skipped", "skipped", "untested"],
    ["is expected to fail", "gap", "gap"],
  ] as const)("does not when its test %s", (_what, state, expected) => {
    expect(states(claim(second, state))[1]).toBe(expected);
  });

  test.each(["failed", "gap"] as const)("does not when one of its tests has %s and another has passed", (state) => {
    expect(states(claim(second), claim(second, state))[1]).toBe(state);
    expect(states(claim(`${first}/both`), claim(`a client > ${first}`, state))[0]).toBe(state);
  });

  test("names claims of rules that are not there", () => {
    const stranger = "SAMPLE-05";
    expect(judge(sample, [claim(stranger)]).errors).toEqual([
      `${stranger} is no rule of the manifest: sample.test.ts, "${stranger}"`,
    ]);
  });

  test("names rules out of order, rules without a reason, and sides that are named twice", () => {
    const requirements = [unchecked(second, "both may", "Two.", ""), rule(second, "agent may", "", { also: "agent" })];
    expect(judge([{ prefix: "SAMPLE", title: "", requirements }], []).errors).toEqual([
      `${second} stands where ${first} should`,
      `${second} is not checked, and no reason is given`,
      `${second} binds agent and names agent as the other side`,
    ]);
  });
});

test("verdict() counts the rules that can be checked, and missing() names those that are not proven", () => {
  const judgement = judge(sample, [claim(second)]);
  expect(verdict(judgement)).toBe("verified 1 of 3 checkable rules");
  expect(missing(judgement).map(({ requirement }) => requirement.id)).toEqual([first, fourth]);
  expect(areaTable(judgement).split("\n")[1]).toMatch(/^SAMPLE A sample +4 +3 +1 +0 +0 +2 +1$/u);
});

test("the manifest is in order, and has every rule", () => {
  expect(judge(areas, []).errors).toEqual([]);
  const rules = areas.flatMap(({ requirements }) => requirements);
  expect(rules).toHaveLength(330);
  expect(rules.filter(({ check }) => check === "none")).toHaveLength(35);
  expect(new Set(rules.map(({ rule: text }) => text)).size).toBe(330);
});
