import { describe, expect, test } from "vitest";

import type { TestSession } from "./testing/connect.ts";
import { calls, play, stages } from "./testing/models.ts";
import { createProject } from "../tools/testing/project.ts";

const step = (content: string, status: string, more: object = {}) => ({ content, status, ...more });

/** The plans that the user sees. Version 2 has them in an item of the timeline, in version 1 they are the item. */
function plansOf(session: TestSession): object[] {
  return session.shown("plan").map((item) => ("plan" in item ? (item.plan as object) : item));
}

describe.each(stages)("the plan of the coder, $name", (stage) => {
  test("is shown as a plan, and not as tool calls", async () => {
    const { path: cwd } = createProject();
    const { session, client, server } = await play(
      stage,
      [
        calls(["plan", { entries: [step("Look", "in_progress"), step("Mend", "pending", { priority: "high" })] }]),
        calls(["plan", { entries: [step("Look", "completed"), step("Mend", "in_progress", { priority: "high" })] }]),
        { text: "I have looked." },
      ],
      { cwd },
    );
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(session.shown("tool_call")).toEqual([]);
    expect(client.questions).toEqual([]);
    expect(plansOf(session)).toMatchObject([
      {
        entries: [
          { content: "Look", status: "completed", priority: "medium" },
          { content: "Mend", status: "in_progress", priority: "high" },
        ],
      },
    ]);
    expect(JSON.stringify(server.requests[1])).toContain("The user sees the plan.");
  });

  test("is there in the mode `plan` as well, and each prompt has its own", async () => {
    const { path: cwd } = createProject();
    const plan = (status: string) => calls(["plan", { entries: [step("Look", status)] }]);
    const replies = [plan("pending"), { text: "So." }, plan("completed"), { text: "Done." }];
    const { session } = await play(stage, replies, { cwd });
    await session.set("mode", "plan");
    await session.prompt("Plan");
    await session.prompt("Go");
    expect(plansOf(session)).toMatchObject([
      { entries: [{ content: "Look", status: "pending", priority: "medium" }] },
      { entries: [{ content: "Look", status: "completed", priority: "medium" }] },
    ]);
  });

  test("returns malformed arguments to the model, and the user never sees them", async () => {
    const { path: cwd } = createProject();
    const replies = [calls(["plan", { entries: [step("Look", "done")] }]), { text: "A pity." }];
    const { session, server } = await play(stage, replies, { cwd });
    expect(await session.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(session.shown("tool_call")).toEqual([]);
    expect(session.shown("plan")).toEqual([]);
    expect(JSON.stringify(server.requests[1])).toContain("must be one of pending, in_progress, completed");
  });
});
