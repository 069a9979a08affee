import { textOf, textWidth } from "@acp/render";
import { describe, expect, test } from "vitest";

import type { ChatState } from "../chat-state.ts";
import { activityView } from "./activity-view.ts";
import { statusView } from "./status-view.ts";
import { emptyState, runningTurn, start } from "./testing/sample-states.ts";

const busy: ChatState = { ...emptyState, turn: runningTurn, queued: [{ text: "later", attachments: [] }] };

function status(state: ChatState, width: number): string {
  return textOf(statusView(state, width));
}

describe("the status line", () => {
  test("has more on a wide terminal", () => {
    expect(status(busy, 120)).toMatch(
      /^reference · 1 queued · Ask · Big Model · Fix the total +12,000 of 200,000 tokens \(6 %\) · 0\.42 USD$/u,
    );
    expect(status(busy, 79)).toMatch(/^reference · 1 queued · Ask · Big Model · Fix the total +6 %$/u);
    expect(status(busy, 40)).toMatch(/^reference · 1 queued · Ask/u);
  });

  test("fits every width from 10 to 200", () => {
    for (let width = 10; width <= 200; width += 1) expect(textWidth(status(busy, width))).toBeLessThanOrEqual(width);
  });

  test("shows what the agent waits for, in few words if there is little room", () => {
    const question = { id: 1, kind: "login", logins: [] } as const;
    expect(status({ ...busy, questions: [question] }, 100)).toContain("waits for your answer");
    expect(status({ ...busy, questions: [question, question] }, 24)).toContain("your answer? (2)");
  });

  test("shows what a prompt waits for while a session opens", () => {
    const opening = { ...busy, turn: undefined, session: undefined };
    expect(status(opening, 60)).toMatch(/^reference opens a session … · 1 queued/u);
    expect(status({ ...opening, queued: [] }, 60)).toMatch(/^reference · /u);
  });

  test("reports that the agent has ended, and gives way to a hint", () => {
    const ended = { ...emptyState, agent: { ...emptyState.agent, status: "ended" } } as const;
    expect(status(ended, 60)).toContain("reference has ended");
    expect(status({ ...ended, hint: "Press Ctrl-C again to quit" }, 60)).toBe("Press Ctrl-C again to quit");
  });

  test("shows the agent's text and nothing else", () => {
    const agent = { ...emptyState.agent, name: "a\u001B[2Jb\u0007" };
    expect(status({ ...emptyState, agent }, 60)).toMatch(/^ab · /u);
  });
});

describe("the activity", () => {
  const activity = (now: number, width = 80, isAsked = false): string =>
    textOf(activityView(runningTurn, isAsked, start + now, width));

  test("reports for how long, and since when the agent is silent if that is long", () => {
    expect(activity(3_000)).toMatch(/^. Thinking {2}3 s · Esc cancels$/u);
    expect(activity(65_000)).toMatch(/^. Thinking {2}1 min 5 s · silent for 1 min 5 s · Esc cancels$/u);
  });

  test("does not call an agent silent that waits for the user", () => {
    expect(activity(65_000, 80, true)).not.toContain("silent");
  });

  test("omits parts that do not fit", () => {
    for (let width = 10; width < 60; width += 1) expect(textWidth(activity(65_000, width))).toBeLessThanOrEqual(width);
  });
});
