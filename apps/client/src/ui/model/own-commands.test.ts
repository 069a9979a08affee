import { describe, expect, test } from "vitest";

import type { SessionOption } from "../chat-state.ts";
import { idleState, notedActions } from "../testing/chat-states.ts";
import { runOwnCommand } from "./own-commands.ts";

const model: SessionOption = {
  id: "model",
  name: "Model",
  description: undefined,
  category: "model",
  value: "small",
  choices: [{ value: "small", name: "Small", description: undefined, group: undefined }],
};

function run(text: string, options: readonly SessionOption[], ofAgent: readonly string[]): unknown {
  const { actions, done } = notedActions();
  const refuse = (): void => undefined;
  const target = { actions, agent: idleState.agent, options, hasOutput: false, canRecall: false, refuse, idOf: String };
  const isOurs = runOwnCommand(text, target, new Set(ofAgent));
  return isOurs ? done : "the agent's";
}

describe("runOwnCommand()", () => {
  test("leaves a command that the agent has as well to the agent", () => {
    expect(run("/new", [], [])).toEqual([["newSession"]]);
    expect(run("/new", [], ["new"])).toBe("the agent's");
    expect(run("/model small", [model], ["model"])).toBe("the agent's");
  });

  test.each(["/quit", "/exit", " /exit "])("quits by %j, even if the agent has a command of that name", (text) => {
    expect(run(text, [], [])).toEqual([["quit"]]);
    expect(run(text, [], ["quit", "exit"])).toEqual([["quit"]]);
  });

  test.each(["exit", "quit", ":q"])("leaves %j to the agent: it is a prompt", (text) => {
    expect(run(text, [], [])).toBe("the agent's");
  });

  test("shows the list of models even if the agent has a command of this name", () => {
    expect(run("/model", [model], ["model"])).toEqual([["open", { option: model }]]);
    expect(run("/model", [], ["model"])).toBe("the agent's");
  });
});
