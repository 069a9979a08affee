import { textOf } from "@acp/render";
import { expect, test } from "vitest";

import { askedQuestion } from "../../../../../packages/render/src/question/testing/asked-question.ts";
import type { ChatQuestion, ChatState } from "../chat-state.ts";
import { idleState, notedActions, runningTurn } from "../testing/chat-states.ts";
import { createHistory, openTypedInput } from "../testing/typed-input.ts";
import { InputStore } from "./input-store.ts";
import { inputView } from "./input-view.ts";

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
  await screen.type(`see \u001B[200~${long}\n\u001B[201~`);
  expect(screen.frame).toBe("> see [pasted #1: 40 lines]");
  await screen.type("!\r");
  expect(done).toEqual([["submit", { text: `see ${long}\n!`, attachments: [], pasted: [long] }]]);
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

test("on a low and narrow screen a question shows what is judged and all answers", async () => {
  const options = ["Yes", "Always", "No"].map((name, at) => ({ optionId: String(at), kind: "allow_once", name }));
  const question = askedQuestion({ title: "x", kind: "execute", rawInput: { command: "npm test" } }, { options });
  const state: ChatState = { ...idleState, questions: [{ id: 1, kind: "permission", question }] };
  const store = new InputStore(state, { ...notedActions(), history: createHistory(), changed: () => {} });
  store.show(state);
  const { lines } = inputView(store, state, { columns: 40, rows: 15 });
  expect(lines.map(textOf).join("\n")).toMatch(/\$ npm test[^]*1 .*Yes[^]*2 .*Always[^]*3 .*No/u);
  // The turn, its plan and the status have a row each, and the last row stays empty.
  expect(lines.length).toBeLessThanOrEqual(11);
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

const ctrlC = "\u0003";
const up = "\u001B[A";

test("Ctrl-C clears what is typed, which Up brings back, and interrupts only then", async () => {
  const { screen, done } = await open({ ...idleState, turn: runningTurn });
  await using _ = screen;
  await screen.type("a draft");
  await screen.type(ctrlC);
  expect(screen.frame).toMatch(/^> Enter queues/mu);
  await screen.type(up);
  expect(screen.frame).toMatch(/^> a draft$/mu);
  await screen.type(ctrlC);
  await screen.type(ctrlC);
  expect(done).toEqual([["hint", "Cleared. Up brings it back"], ["hint", "Cleared. Up brings it back"], ["interrupt"]]);
});

test("Ctrl-C leaves a search as it began", async () => {
  const { screen, done } = await open();
  await using _ = screen;
  await screen.type("sent\r");
  await screen.type("draft");
  await screen.type("\u0012se");
  expect(screen.frame).toContain("> sent\nsearch: se");
  await screen.type(ctrlC);
  expect(screen.frame).toBe("> draft");
  expect(done.map(([name]) => name)).toEqual(["submit"]);
});

test("prompts that nobody answered come before the draft, with pasted texts folded again", async () => {
  const { screen, done, show } = await open();
  await using _ = screen;
  await screen.type("draft");
  const block = Array.from({ length: 12 }, (_each, index) => `line ${index}`).join("\n");
  const returned = [
    { text: "first", attachments: [] },
    { text: `second ${block}`, attachments: [], pasted: [block] },
  ];
  await show({ ...idleState, returned });
  expect(screen.frame).toBe("> first\n  second [pasted #1: 12 lines]\n  draft");
  // The same state is drawn again and again.
  await show({ ...idleState, returned, hint: "Something else" });
  await screen.type("!\r");
  expect(done).toEqual([
    ["takeReturned", returned],
    ["submit", { text: `first\nsecond ${block}\ndraft!`, attachments: [], pasted: [block] }],
  ]);
});

test("? opens the help on an empty line only", async () => {
  const { screen, done } = await open();
  await using _ = screen;
  await screen.type("?");
  expect(done).toEqual([["open", "help"]]);
  await screen.type("why");
  await screen.type("?");
  expect(screen.frame).toBe("> why?");
});

test.each([
  ["the key that closes it", "f", "f"],
  ["a second ?", "?", "?"],
  ["q", "q", "q"],
])("what is typed while the help is open goes to the prompt: %s", async (_name, key, text) => {
  const { screen, done, show } = await open({ ...idleState, overlay: { kind: "help" } });
  await using _ = screen;
  await screen.type(key);
  await show(idleState);
  expect(done).toEqual([["closeOverlay"]]);
  expect(screen.frame).toBe(`> ${text}`);
});

test("a pasted text closes the help, too", async () => {
  const { screen, done, show } = await open({ ...idleState, overlay: { kind: "help" } });
  await using _ = screen;
  await screen.type("\u001B[200~pasted\u001B[201~");
  await show(idleState);
  expect(done).toEqual([["closeOverlay"]]);
  expect(screen.frame).toBe("> pasted");
});

test("hints name only what the agent can do", async () => {
  const can = { ...idleState.agent.can, steer: false };
  const agent = { ...idleState.agent, can, takes: { ...idleState.agent.takes, image: false } };
  const { screen, show } = await open({ ...idleState, agent, turn: runningTurn });
  await using _ = screen;
  expect(screen.frame).toBe("> Enter queues, Esc cancels");
  await show({ ...idleState, agent, overlay: { kind: "help" } });
  expect(screen.frame).not.toMatch(/Ctrl-S|Shift-Tab|images/u);
  await show({ ...idleState, turn: runningTurn });
  expect(screen.frame).toBe("> Enter queues, Ctrl-S steers, Esc cancels");
});

test("Tab rejects with a reason, which the agent gets as a message", async () => {
  const { screen, done } = await open(asking);
  await using _ = screen;
  expect(screen.frame).toContain("Esc: reject · Tab: reject and say why");
  await screen.type("\t");
  expect(screen.frame).toMatch(/Type why\. Enter: reject and send it[^]*^> Why not\?/mu);
  await screen.type("1 test is ");
  await screen.type("\u001B[200~enough\u001B[201~");
  expect(screen.frame).toMatch(/^> 1 test is enough$/mu);
  await screen.type("\r");
  expect(done).toEqual([
    ["answerPermission", 1, undefined],
    ["steer", { text: "1 test is enough", attachments: [] }],
  ]);
});

test("a reason never runs in the shell, whatever it begins with", async () => {
  const { screen, done } = await open(asking);
  await using _ = screen;
  await screen.type("\t");
  await screen.type("!important: no");
  await screen.type("\r");
  expect(done).toEqual([
    ["answerPermission", 1, undefined],
    ["steer", { text: "!important: no", attachments: [] }],
  ]);
});

test("a line after ! goes to the shell, and a space before it makes it a prompt", async () => {
  const { screen, done } = await open();
  await using _ = screen;
  await screen.type("!ls -l");
  expect(screen.frame).toBe("> !ls -l\nEnter runs it in your shell");
  await screen.type("\r");
  await screen.type(" !ls\r");
  await screen.type("!\r");
  expect(done).toEqual([
    ["runInShell", "ls -l"],
    ["submit", { text: "!ls", attachments: [] }],
    ["submit", { text: "!", attachments: [] }],
  ]);
});

test("Esc goes back from a reason to the answers, and Ctrl-C clears it first", async () => {
  const { screen, done } = await open(asking);
  await using _ = screen;
  await screen.type("\t");
  await screen.type("no");
  await screen.type(ctrlC);
  expect(screen.frame).toMatch(/^> Why not\?/mu);
  await screen.type("\u001B[27u");
  await screen.type("1");
  expect(done).toEqual([
    ["hint", "Cleared. Up brings it back"],
    ["answerPermission", 1, "yes"],
  ]);
});

test("a question that nothing can reject offers no reason", async () => {
  const question = askedQuestion({ title: "x" }, { options: [{ optionId: "a", name: "Allow", kind: "allow_once" }] });
  const { screen, done } = await open({ ...idleState, questions: [{ id: 1, kind: "permission", question }] });
  await using _ = screen;
  expect(screen.frame).not.toContain("Tab");
  await screen.type("\t");
  await screen.type("\r");
  expect(screen.frame).not.toContain("Why not");
  expect(done).toEqual([]);
});
