import { PassThrough } from "node:stream";

import type { FormQuestion } from "@acp/core/elicitation";
import { validateForm } from "@acp/core/elicitation";
import { beforeAll, expect, test } from "vitest";

import { askedQuestion } from "../../../../packages/render/src/question/testing/asked-question.ts";
import { ErrorLines } from "../protocol/error-lines.ts";
import type { ChatQuestion, ChatState } from "../ui/chat-state.ts";
import { loadAskedDialogs } from "../ui/questions/dialog-for.ts";
import { idleState, notedActions } from "../ui/testing/chat-states.ts";
import { Asker } from "./asker.ts";
import { LineReader } from "./input/line-reader.ts";
import { ItemPrinter } from "./print/item-printer.ts";

beforeAll(loadAskedDialogs);

const options = [
  { optionId: "once", kind: "allow_once", name: "Yes" },
  { optionId: "always", kind: "allow_always", name: "Yes, and do not ask again" },
  { optionId: "no", kind: "reject_once", name: "No" },
];

function permission(id: number, title = "Write the file"): ChatQuestion {
  return { id, kind: "permission", question: askedQuestion({ title }, { options }) };
}

const logins = ["Work", "Work account", "Home", "Twin", "Twin", "2030"].map((name, at) => ({
  id: `login-${at + 1}`,
  name,
  description: undefined,
  takesTerminal: false,
}));
const login: ChatQuestion = { id: 7, kind: "login", logins };

const schema: FormQuestion["schema"] = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", minLength: 2, title: "Your name" },
    tools: { type: "array", items: { type: "string", enum: ["lint", "test", "build"] } },
  },
};
const form: ChatQuestion = {
  id: 3,
  kind: "form",
  agent: "Agent",
  question: {
    message: "Who are you?",
    schema,
    defaults: { tools: ["test"] },
    request: {} as FormQuestion["request"],
    validate: (content) => validateForm(schema, content),
  },
};

/** An asker whose user types into a pipe. */
function open() {
  const input = new PassThrough();
  const output = new PassThrough();
  let written = "";
  let listener = (): void => {};
  output.setEncoding("utf8").on("data", (text: string) => {
    written += text;
    listener();
  });
  const streams = { input, output, error: output, env: {} };
  const lines = new LineReader(streams, { complete: () => [], onInterrupt: () => {} });
  const printer = new ItemPrinter(output, (_, text) => text, "/project", new ErrorLines(streams, true));
  const { actions, done } = notedActions();
  const asker = new Asker(lines, printer, actions);
  return {
    lines,
    done,
    /** The output since the last call that ends with this. */
    async sees(text: string): Promise<string> {
      while (!written.includes(text)) await new Promise<void>((resolve) => (listener = resolve));
      const end = written.indexOf(text) + text.length;
      const seen = written.slice(0, end);
      written = written.slice(end);
      return seen;
    },
    show: (part: Partial<ChatState>) => asker.show({ ...idleState, ...part }),
    type: (text: string) => input.write(text),
    end: () => input.end(),
    [Symbol.dispose]: () => lines.close(),
  };
}

test.each([
  ["a number", "2", "always"],
  ["a number with spaces around it", "  3 ", "no"],
  ["a label", "Allow once", "once"],
  ["the beginning of a label in any case", "REJ", "no"],
])("takes %s", async (_name, typed, answer) => {
  using asked = open();
  asked.show({ questions: [permission(1)] });
  expect(await asked.sees("Your choice [1-3]: ")).toMatch(
    /1 Allow once +Yes\n.*2 Always allow +Yes.*\n.*3 Reject once +No\n/u,
  );
  asked.type(`${typed}\n`);
  await expect.poll(() => asked.done).toEqual([["answerPermission", 1, answer]]);
});

test.each([
  ["the beginning of two labels", "al"],
  ["nothing: that is no answer to the agent", ""],
  ["zero", "0"],
  ["a number that is too large", "4"],
  ["a negative number", "-1"],
  ["a fraction", "1.5"],
  ["other digits", "٢"],
  ["other words", "yes"],
  ["a name of every object", "constructor"],
])("asks again after %s", async (_name, typed) => {
  using asked = open();
  asked.show({ questions: [permission(1)] });
  await asked.sees("Your choice [1-3]: ");
  asked.type(`${typed}\n`);
  expect(await asked.sees("Your choice [1-3]: ")).toContain("Please type a number from 1 to 3\n");
  expect(asked.done).toEqual([]);
});

test.each([
  ["a label with which another one begins", "work", "login-1"],
  ["a label that is a number", "2030", "login-6"],
  ["nothing, which gives up", "", undefined],
])("takes %s where the user may give up", async (_name, typed, answer) => {
  using asked = open();
  asked.show({ questions: [login] });
  await asked.sees("Your choice [1-6], or nothing to give up: ");
  asked.type("twin\n");
  expect(await asked.sees("or nothing to give up: ")).toContain("Please type a number from 1 to 6, or nothing\n");
  asked.type(`${typed}\n`);
  await expect.poll(() => asked.done).toEqual([["answerLogin", 7, answer]]);
});

test("fills in a form field by field: kept, cleared, wrong and several values", async () => {
  using asked = open();
  asked.show({ questions: [form] });
  await asked.sees("give up: ");
  asked.type("1\n");
  expect(await asked.sees("Your answer: ")).toMatch(
    /Enter keeps what is in \[ \].*\n[^]*Your name \(required, text\)/u,
  );
  asked.type("A\n");
  expect(await asked.sees("Your answer: ")).toContain("It ");
  asked.type("Ada\n");
  expect(await asked.sees("Numbers, with commas between [test]: ")).toMatch(/1 lint\n.*2 test \*\n.*3 build/u);
  asked.type("1, nope\n");
  await asked.sees("Numbers, with commas between [test]: ");
  asked.type("build, 1\n");
  await asked.sees("give up: ");
  asked.type("1\n");
  await expect.poll(() => asked.done).toHaveLength(1);
  const [[name, id, answer] = []] = asked.done;
  expect([name, id]).toEqual(["answerForm", 3]);
  expect(answer).toMatchObject({ action: "accept", content: { name: "Ada" } });
  expect(answer).toHaveProperty("content.tools", expect.arrayContaining(["lint", "build"]));
});

test("the end of the input in the middle of a form leaves it without an answer, and ends", async () => {
  using asked = open();
  asked.show({ questions: [form] });
  await asked.sees("give up: ");
  asked.type("1\n");
  await asked.sees("Your answer: ");
  asked.end();
  await asked.sees("The input has ended");
  await asked.sees("The input has ended");
  expect(asked.done).toEqual([["answerForm", 3, { action: "cancel" }]]);
});

test("the second of two questions waits for the answer to the first, and takes lines that were typed ahead", async () => {
  using asked = open();
  asked.show({ questions: [permission(1, "The first"), permission(2, "The second")] });
  expect(await asked.sees("Your choice [1-3]: ")).not.toContain("The second");
  asked.type("1\n3\n");
  await expect.poll(() => asked.done).toHaveLength(1);
  asked.show({ questions: [permission(2, "The second")] });
  expect(await asked.sees("Your choice [1-3]: 3\n")).toContain("The second");
  await expect
    .poll(() => asked.done)
    .toEqual([
      ["answerPermission", 1, "once"],
      ["answerPermission", 2, "no"],
    ]);
});

test("a question that the agent withdraws is not answered, and the prompt comes back", async () => {
  using asked = open();
  const prompt = asked.lines.readPrompt();
  await asked.sees("> ");
  asked.show({ questions: [permission(1)] });
  await asked.sees("Your choice [1-3]: ");
  asked.show({ questions: [] });
  await asked.sees("\n> ");
  asked.type("1\n");
  expect(await prompt).toBe("1");
  expect(asked.done).toEqual([]);
});

test("a question that is withdrawn for another one does not get its answer", async () => {
  using asked = open();
  asked.show({ questions: [permission(1, "The first")] });
  await asked.sees("Your choice [1-3]: ");
  asked.show({ questions: [permission(2, "The second")] });
  expect(await asked.sees("Your choice [1-3]: ")).toContain("The second");
  asked.type("3\n");
  await expect.poll(() => asked.done).toEqual([["answerPermission", 2, "no"]]);
});
