import { expect, test } from "vitest";

import { askedQuestion } from "../../../../../packages/render/src/question/testing/asked-question.ts";
import type { ChatState } from "../chat-state.ts";
import { idleState, runningTurn } from "../testing/chat-states.ts";
import { Attention } from "./attention.ts";

const question = { id: 1, kind: "permission", question: askedQuestion({ title: "x" }) } as const;
const running: ChatState = { ...idleState, turn: runningTurn };
const asking: ChatState = { ...running, questions: [question] };
const done = "\u001B]9;acp: Agent is done\u0007\u0007";
const asks = "\u001B]9;acp: Agent waits for your answer\u0007\u0007";

function open(env: Readonly<Record<string, string>> = { TERM: "xterm-256color" }) {
  let all = "";
  const attention = new Attention((text) => (all += text), env);
  attention.turnOn();
  return {
    attention,
    /** What was written since the last call. */
    get written(): string {
      const text = all;
      all = "";
      return text;
    },
    /** The same without titles. */
    shows(state: ChatState, now: number): string {
      attention.show(state, now);
      // oxlint-disable-next-line no-control-regex -- a title is a sequence of control characters
      return this.written.replaceAll(/\u001B\]2;[^\u0007]*\u0007/gu, "");
    },
  };
}

test("the window gets a title, each once, and its own in the end", () => {
  const opened = open();
  expect(opened.written).toBe("\u001B[22;2t\u001B[?1004h");
  for (const state of [idleState, idleState, running, asking]) opened.attention.show(state, 0);
  expect(opened.written).toBe(
    "\u001B]2;project · Agent\u0007\u001B]2;… project · Agent\u0007\u001B]2;? project · Agent\u0007",
  );
  // What an agent calls its session ends no sequence.
  const session = { id: "s", title: `a\u0007\u001B]2;b${"c".repeat(200)}`, cwd: "/project" };
  opened.attention.show({ ...idleState, session }, 0);
  const [, title = "", ...more] = opened.written.split("\u001B]2;");
  expect(more).toEqual([]);
  expect(title.indexOf("\u0007")).toBe(title.length - 1);
  expect(title.length).toBeLessThanOrEqual(81);
  // It has been stopped by another program, and goes on.
  opened.attention.turnOn();
  expect(opened.written).toBe("");
  expect(opened.attention.turnOff()).toBe("\u001B[?1004l\u001B[23;2t");
  expect(opened.attention.turnOff()).toBe("");
});

test("a user who looks elsewhere hears of each question at once, and of long turns that end", () => {
  const opened = open();
  opened.attention.isFocused = false;
  expect(opened.shows(running, 0)).toBe("\u001B[22;2t\u001B[?1004h");
  expect(opened.shows(asking, 100)).toBe(asks);
  expect(opened.shows(asking, 200)).toBe("");
  expect(opened.shows({ ...asking, questions: [{ ...question, id: 2 }] }, 300)).toBe(asks);
  expect(opened.shows(running, 400)).toBe("");
  expect(opened.shows(idleState, 9_000)).toBe("");
  expect(opened.shows({ ...running, turn: { ...runningTurn, since: 10_000 } }, 10_000)).toBe("");
  expect(opened.shows(idleState, 20_000)).toBe(done);
});

test("a user who looks hears nothing", () => {
  const opened = open();
  opened.attention.isFocused = true;
  opened.shows(running, 0);
  expect(opened.shows(asking, 60_000)).toBe("");
  expect(opened.shows(running, 120_000)).toBe("");
  expect(opened.shows(idleState, 180_000)).toBe("");
});

test("of a terminal that does not tell of its focus, what comes after a long time counts", () => {
  const opened = open();
  opened.shows(running, 0);
  expect(opened.shows(asking, 9_999)).toBe("");
  expect(opened.shows(running, 10_500)).toBe("");
  expect(opened.shows(asking, 20_500)).toBe(asks);
  expect(opened.shows(running, 20_600)).toBe("");
  expect(opened.shows(idleState, 30_600)).toBe(done);
});

test.each([
  ["tmux, which passes nothing on", { TERM: "tmux-256color" }, "\u0007"],
  ["tmux under another name", { TERM: "xterm-256color", TMUX: "/tmp/tmux" }, "\u0007"],
  ["the console of Linux", { TERM: "linux" }, "\u0007"],
  ["GNOME", { TERM: "xterm-256color", VTE_VERSION: "7600" }, "\u001B]777;notify;acp;Agent is done\u0007\u0007"],
  ["foot", { TERM: "foot" }, "\u001B]777;notify;acp;Agent is done\u0007\u0007"],
])("a notification is one that %s knows, or the bell alone", (_name, env, expected) => {
  const opened = open(env);
  opened.shows(running, 0);
  expect(opened.shows(idleState, 10_000)).toBe(expected);
});
