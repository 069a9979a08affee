import { textOf } from "@acp/render";
import { describe, expect, test } from "vitest";

import type { ChatItem, ChatState } from "../../chat-state.ts";
import type { Drawing } from "../items/drawing.ts";
import { sampleCall, sampleMarkdown } from "../../../../../../packages/render/src/testing/samples.ts";
import { emptyState, sampleCallItem, sampleTurn, start } from "../testing/sample-states.ts";
import { Scrollback } from "./scrollback.ts";

const drawing: Drawing = { width: 79, cwd: "/project", thoughts: "folded", now: start + 12_000, spinner: "⠋" };

/** What is in the scrollback at last, and how it went. */
function play(states: readonly ChatState[], width = 79): { readonly text: string; readonly live: string } {
  const scrollback = new Scrollback();
  const lines: string[] = [];
  let live = "";
  for (const state of states) {
    for (let hasMore = true; hasMore;) {
      const drawn = scrollback.draw(state, { ...drawing, width }, 20);
      lines.push(...drawn.printed.map((line) => textOf(line).trimEnd()));
      live = drawn.live.map(textOf).join("\n");
      hasMore = drawn.hasMore;
    }
  }
  return { text: lines.join("\n"), live };
}

function message(id: number, text: string, isOpen: boolean): ChatItem {
  return { id, kind: "agent", text, isOpen };
}

describe("Scrollback", () => {
  test("has the same in the end, however many states there were", () => {
    expect(play(sampleTurn)).toEqual(play(sampleTurn.slice(-1)));
    expect(play(sampleTurn).live).toBe("");
  });

  test("a message after a running call waits, and is there once", () => {
    const running = sampleCallItem(1, sampleCall("Run"));
    const done = sampleCallItem(1, sampleCall("Run", { status: "completed" }), 100);
    const states = [10, 100, 200].map((length) => ({
      ...emptyState,
      items: [running, message(2, sampleMarkdown.slice(0, length), true)],
    }));
    expect(play(states).text).toBe("");
    const last = { ...emptyState, items: [done, message(2, sampleMarkdown, false)], firstOpen: 2 };
    expect(play([...states, last])).toEqual(play([last]));
  });

  test("redraws a text that the agent replaced", () => {
    const states = ["One.\n\nTwo", "Another.\n\nText"].map((text) => ({
      ...emptyState,
      items: [message(1, text, true)],
    }));
    const { text, live } = play(states);
    expect(text).toBe("One.\nAnother.");
    expect(live).toContain("Text");
  });

  test("a turn without an answer says so", () => {
    const user: ChatItem = { id: 1, kind: "user", text: "Hello", attachments: [] };
    const end: ChatItem = { id: 2, kind: "end", stopReason: "end_turn", duration: 400, calls: 0 };
    expect(play([{ ...emptyState, items: [user, end], firstOpen: 2 }]).text).toBe(
      "❯ Hello\n\n■ The agent ended its turn without an answer · 0.4 s",
    );
  });

  test("shows a subagent's work below its session", () => {
    const call = { ...sampleCallItem(1, sampleCall("Look", { status: "completed" }), 10), beside: "sub-1" };
    const items: readonly ChatItem[] = [message(2, "Before.", false), call, message(3, "After.", false)];
    expect(play([{ ...emptyState, items, firstOpen: 3 }]).text).toBe("Before.\n\n» session sub-1\n✓ Look\n\nAfter.");
  });

  test("a running call keeps its heading if something comes after it", () => {
    const content = [{ kind: "content", content: { type: "text", text: "tick\n".repeat(40) } }] as const;
    const running = sampleCallItem(1, sampleCall("Run it", { content: [...content], status: "in_progress" }));
    const said: ChatItem = { id: 2, kind: "user", text: "and then?\nand then?", attachments: [] };
    const { live } = play([{ ...emptyState, items: [running, said] }]);
    expect(live.split("\n").length).toBeLessThanOrEqual(20);
    expect(live).toMatch(/^⠋ Run it/mu);
    expect(live).toContain("❯ and then?");
  });

  test("shows the last lines if there is more alive than fits", () => {
    const items = Array.from({ length: 40 }, (_, at) => sampleCallItem(at, sampleCall(`Call ${at}`)));
    const { live } = play([{ ...emptyState, items }]);
    expect(live.split("\n")).toHaveLength(20);
    expect(live).toContain("Call 39");
    expect(live).not.toContain("Call 10");
  });

  test("a long history comes in parts", () => {
    const items = Array.from({ length: 2_000 }, (_, at) => message(at, `Message ${at}.`, false));
    const scrollback = new Scrollback();
    const { printed, hasMore } = scrollback.draw({ ...emptyState, items, firstOpen: 2_000 }, drawing, 20);
    expect(hasMore).toBe(true);
    expect(printed.length).toBeLessThan(500);
    expect(play([{ ...emptyState, items, firstOpen: 2_000 }]).text.split("\n")).toHaveLength(3_999);
  });
});
