import { ask, fakeAgent, hang, say } from "@acp/testing";
import { agentCommand } from "@acp/testing/process";
import { describe, expect, test } from "vitest";

import { type AgentTarget, createAgentContext } from "../../src/agent/agent-context.ts";
import { agentChecks } from "../../src/agent/checks/index.ts";
import { outcomeOf } from "../../src/engine/run-checks.ts";
import { connectBent } from "./bent-agent.ts";
import { honestAgent, honestPrompts } from "./honest-agent.ts";
import { honestAgentOfVersion2 } from "./honest-agent-2.ts";
import { hostileMutants } from "./mutants/hostile.ts";
import { ruleMutants } from "./mutants/rules.ts";
import { mutantsOfVersion2 } from "./mutants/version-2.ts";

const mutants = { ...ruleMutants, ...hostileMutants };

/** The checks that need a process, of which memory has none. */
const ends = agentChecks.map(({ id }) => id).filter((id) => id.includes("input"));

/** Runs a check once. */
async function outcome(target: AgentTarget, id: string, timeout: number, protocol: 1 | 2 = 1): Promise<object> {
  const check = agentChecks.find((one) => one.id === id);
  const context = createAgentContext({
    target,
    protocol,
    framing: "ndjson",
    cwd: process.cwd(),
    prompts: honestPrompts,
    login: protocol === 1 ? "guest" : undefined,
    timeout,
    seed: 1,
  });
  try {
    return { id, ...(check && (await outcomeOf(check.run(context)))) };
  } finally {
    await context.close();
  }
}

describe("an agent that keeps all rules", () => {
  test.concurrent.each(Object.keys(mutants))("passes %s", async (id) => {
    expect(await outcome({ connect: () => connectBent(honestAgent()) }, id, 60_000)).toEqual({ id, status: "pass" });
  });
});

describe("each check finds", () => {
  test("an agent with just that fault", () => {
    const checked = agentChecks.map(({ id }) => id).filter((id) => !ends.includes(id));
    expect(Object.keys(mutants).toSorted()).toEqual(checked.toSorted());
  });

  const rows = Object.entries(mutants).flatMap(([id, bends]) => bends.map((bend, place) => ({ id, place, bend })));
  test.concurrent.each(rows)("$id, mutant $place", async ({ id, bend }) => {
    const target: AgentTarget = { connect: () => connectBent(honestAgent(), bend()) };
    expect(await outcome(target, id, 2500)).toMatchObject({ status: "fail" });
  });
});

describe("in version 2", () => {
  const rows = Object.entries(mutantsOfVersion2).flatMap(([id, bends]) =>
    bends.map((bend, place) => ({ id, place, bend })),
  );
  test.concurrent.each(Object.keys(mutantsOfVersion2))("an agent that keeps all rules passes %s", async (id) => {
    const target: AgentTarget = { connect: () => connectBent(honestAgentOfVersion2()) };
    expect(await outcome(target, id, 60_000, 2)).toEqual({ id, status: "pass" });
  });
  test.concurrent.each(rows)("$id finds mutant $place", async ({ id, bend }) => {
    const target: AgentTarget = { connect: () => connectBent(honestAgentOfVersion2(), bend()) };
    expect(await outcome(target, id, 2500, 2)).toMatchObject({ status: "fail" });
  });
});

describe("the end of stdin", () => {
  /** What the checks find of a program that ends with its stdin, or does not. */
  async function outcomes(onInputEnd: "exit" | "stay", timeout: number): Promise<readonly object[]> {
    const { short, long } = honestPrompts;
    const agent = fakeAgent(
      ({ text }) => (text === short ? [say("Hello!")] : text === long ? [say("1"), hang()] : [ask("Delete")]),
      { onInputEnd },
    );
    await using program = await agentCommand(agent);
    return await Promise.all(ends.map((id) => outcome(program, id, timeout)));
  }

  test("ends an agent that keeps all rules", async () => {
    expect(await outcomes("exit", 60_000)).toEqual(ends.map((id) => ({ id, status: "pass" })));
  });

  test("does not end one that stays, which each check finds", async () => {
    expect(await outcomes("stay", 10_000)).toMatchObject(ends.map((id) => ({ id, status: "fail" })));
  });
});
