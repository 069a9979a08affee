import { describe, expect, test } from "vitest";

import { claimsIn, idsIn } from "./claims.ts";

// Put together here, so that these tests claim no rule.
const [one, two] = ["SAMPLE-01", "SAMPLE-02"] as const;
const sidesOf = (name: string): unknown => claimsIn(name).map(({ sides }) => sides?.join(" and "));

describe("claimsIn()", () => {
  test("finds every id of a name, and no encoding", () => {
    expect(claimsIn(`${one}, ${two}: UTF-16`).map(({ id }) => id)).toEqual([one, two]);
  });

  test("takes the side that follows an id", () => {
    expect(sidesOf(`${one}/agent, ${two}/client: it holds`)).toEqual(["agent", "client"]);
    expect(sidesOf(`it holds (${one}/both, ${two})`)).toEqual(["agent and client", undefined]);
    expect(sidesOf(`${one}/agents`)).toEqual([undefined]);
  });

  test.each([
    ["an agent", "agent"],
    ["a client that is asked", "client"],
    ["a client's connection", "client"],
    ["a question of an agent", "agent"],
    ["toolkit client and official agent, stable", "client"],
    ["official client and reference agent, stable", "agent"],
    ["official client and official agent, unstable", ""],
    ["toolkit client and reference agent, stable", undefined],
    ["what the client sends", undefined],
  ])("takes the side of a group with the title %s", (group, sides) => {
    expect(sidesOf(`${group} > ${one}: it holds`)).toEqual([sides]);
    expect(sidesOf(`${group} > in turns > ${one}: it holds`)).toEqual([sides]);
  });

  test("takes the side of the group that is nearest, and none from the name of the test itself", () => {
    expect(sidesOf(`an agent > asked by a client > ${one}`)).toEqual(["client"]);
    expect(sidesOf(`an agent answers ${one}`)).toEqual([undefined]);
  });

  test("ignores a side after an id that is not that of the group", () => {
    expect(sidesOf(`an agent > ${one}/client, ${two}/both`)).toEqual(["", "agent"]);
  });
});

test("idsIn() finds the ids in a text, whatever side follows them", () => {
  expect([...idsIn(`${one}/agent, ${one}: UTF-16`)]).toEqual([one]);
});
