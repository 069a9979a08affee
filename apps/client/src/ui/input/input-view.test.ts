import { expect, test } from "vitest";

import { askedQuestion } from "../../protocol/permission/testing/asked-question.ts";
import type { ChatQuestion, ChatState } from "../chat-state.ts";
import { idleState, type notedActions, runningTurn } from "../testing/chat-states.ts";
import { openTypedInput } from "../testing/typed-input.ts";

const open = (state: ChatState = idleState, takenBack?: Parameters<typeof notedActions>[0]) =>
  openTypedInput(state, {}, takenBack);

const permission: ChatQuestion = {
  id: 1,
  kind: "permission",
  question: askedQuestion({
    title: "Run \u202Etests",
    kind: "execute",
    rawInput: { command: "npm test", cwd: "/elsewhere" },
  }),
};
const asking: ChatState = { ...idleState, questions: [permission] };

test("Enter sends the text, and a break before it stays", async () => {
  const { screen, done } = await open();
  await using _ = screen;
  await screen.type("first\\");
  await screen.type("\r");
  await screen.type("second");
  await screen.type("\n");
  await screen.type("third\r");
  expect(done).toEqual([["submit", { text: "first\nsecond\nthird", attachments: [] }]]);
  expect(screen.frame).toMatch(/^> Type a prompt/mu);
});

test("a pasted text of several lines stays one, and a long one is folded until it is sent", async () => {
  const { screen, done } = await open();
  await using _ = screen;
  const long = Array.from({ length: 40 }, (_each, index) => `line ${index}`).join("\n");
  await screen.type(`see \u001B[200~${long}\u001B[201~`);
  expect(screen.frame).toBe("> see [pasted #1: 40 lines]");
  await screen.type("!\r");
  expect(done).toEqual([["submit", { text: `see ${long}!`, attachments: [] }]]);
});

test("the arrows go through the prompts that were sent, and back to the text that was typed", async () => {
  const { screen } = await open();
  await using _ = screen;
  await screen.type("one\r");
  await screen.type("two\r");
  await screen.type("draft");
  await screen.type("\u001B[A");
  await screen.type("\u001B[A");
  expect(screen.frame).toMatch(/^> one$/mu);
  await screen.type("\u001B[B");
  await screen.type("\u001B[B");
  expect(screen.frame).toMatch(/^> draft$/mu);
});

test("Esc cancels the turn, Ctrl-S steers, and Up returns a waiting prompt to the input", async () => {
  const queued = { text: "later", attachments: [] };
  const { screen, done } = await open({ ...idleState, turn: runningTurn, queued: [queued] }, queued);
  await using _ = screen;
  await screen.type("\u001B[A");
  expect(screen.frame).toMatch(/^> later$/mu);
  await screen.type("\u0013");
  await screen.type("\u001B[27u");
  expect(done).toEqual([["takeBack"], ["steer", queued], ["cancel"]]);
});

test("a question shows all that it is about, and takes a number", async () => {
  const { screen, done } = await open(asking);
  await using _ = screen;
  expect(screen.frame).toContain(
    [
      "? The agent asks for permission: execute",
      "  $ npm test",
      "  in /elsewhere",
      "  the agent says: Run <U+202E>tests",
      "  1 Allow once  Allow",
      "",
    ].join("\n"),
  );
  expect(screen.frame).toContain("1-2 or ↑↓ and Enter: answer · Esc: reject");
  await screen.type("21");
  await screen.type("2");
  await screen.type("2");
  expect(done).toEqual([]);
  await screen.type("\u001B[B");
  await screen.type("\u001B[B");
  await screen.type("\r\r");
  expect(done).toEqual([["answerPermission", 1, "no"]]);
});
