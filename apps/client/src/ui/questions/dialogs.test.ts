import type { FormQuestion, UrlQuestion } from "@acp/core/elicitation";
import { inspectUrl, validateForm } from "@acp/core/elicitation";
import { expect, test } from "vitest";

import type { ChatQuestion, ChatState, SessionOption } from "../chat-state.ts";
import { idleState } from "../testing/chat-states.ts";
import { openTypedInput } from "../testing/typed-input.ts";

async function open(part: Partial<ChatState>) {
  const { screen, done, show } = await openTypedInput({ ...idleState, ...part });
  return { screen, done, show: (state: Partial<ChatState>) => show({ ...idleState, ...state }) };
}

const down = "\u001B[B";
const escape = "\u001B[27u";

const schema: FormQuestion["schema"] = {
  type: "object",
  title: "Settings",
  required: ["name", "kind"],
  properties: {
    name: { type: "string", minLength: 2, title: "Your name" },
    count: { type: "integer", maximum: 5 },
    kind: {
      type: "string",
      oneOf: [
        { const: "js", title: "JavaScript" },
        { const: "ts", title: "TypeScript" },
      ],
    },
    tools: { type: "array", items: { type: "string", enum: ["lint", "test"] } },
    sure: { type: "boolean" },
  },
};
const form: ChatQuestion = {
  id: 3,
  kind: "form",
  agent: "Agent",
  question: {
    message: "What do you want?",
    schema,
    defaults: { count: 3 },
    request: {} as FormQuestion["request"],
    validate: (content) => validateForm(schema, content),
  },
};

test("a form is filled in field by field, checked, reviewed and sent", async () => {
  const { screen, done } = await open({ questions: [form] });
  await using _ = screen;
  expect(screen.frame).toContain("? Agent asks: What do you want?\n  Settings");
  await screen.type("1");
  expect(screen.frame).toContain("1 of 5\n  Your name (required, text)");
  await screen.type("A\r");
  expect(screen.frame).toContain("It ");
  await screen.type("da");
  await screen.type("\r");
  expect(screen.frame).toContain("2 of 5\n  count (whole number)\n> 3");
  await screen.type("\u0015many\r");
  expect(screen.frame).toContain("It should be");
  await screen.type("\u00155\r");
  await screen.type(down);
  await screen.type("\r");
  await screen.type("2");
  await screen.type(" ");
  await screen.type("\r");
  await screen.type("n");
  await screen.type("\r");
  expect(screen.frame).toContain("You are about to send:");
  expect(screen.frame).toContain("kind: TypeScript\n  tools: test, lint\n  sure: no");
  await screen.type("1");
  const content = { name: "Ada", count: 5, kind: "ts", tools: ["test", "lint"], sure: false };
  expect(done).toEqual([["answerForm", 3, { action: "accept", content }]]);
});

test("a form that is left is reviewed, reports missing fields, and can be declined or left without an answer", async () => {
  const { screen, done, show } = await open({ questions: [form] });
  await using _ = screen;
  await screen.type("1");
  await screen.type(escape);
  expect(screen.frame).toContain("This cannot be sent yet:\n  count: 3\n  ! name is required");
  await screen.type("2");
  await show({ questions: [{ ...form, id: 4 }] });
  await screen.type(escape);
  expect(done).toEqual([
    ["answerForm", 3, { action: "decline" }],
    ["answerForm", 4, { action: "cancel" }],
  ]);
});

test("a URL is shown whole with its warnings, and opened only after a choice", async () => {
  const url = "http://user@evil.example/\u202Elogin";
  const question: UrlQuestion = {
    message: "Please log in",
    url,
    report: inspectUrl(url),
    elicitationId: "e1",
    request: {} as UrlQuestion["request"],
    completed: new AbortController().signal,
  };
  const { screen, done } = await open({ questions: [{ id: 5, kind: "url", agent: "Agent", question }] });
  await using _ = screen;
  expect(screen.frame).toContain(
    "? Agent asks: Please log in\n  http://user@evil.example/%E2%80%AElogin\n  Host: evil.example\n  ! ",
  );
  await screen.type("\r");
  expect(done).toEqual([]);
  await screen.type("1");
  expect(done).toEqual([["answerUrl", 5, "accept"]]);
});

test("a login is chosen by its number", async () => {
  const logins = [
    { id: "a", name: "Browser", takesTerminal: false },
    { id: "b", name: "Key", description: "from the environment", takesTerminal: false },
  ];
  const { screen, done } = await open({ questions: [{ id: 6, kind: "login", logins }] });
  await using _ = screen;
  expect(screen.frame).toContain("  1 Browser\n  2 Key  from the environment");
  await screen.type("2");
  expect(done).toEqual([["answerLogin", 6, "b"]]);
});

const models: SessionOption = {
  id: "model",
  name: "Model",
  category: "model",
  value: "m7",
  choices: Array.from({ length: 200 }, (_, index) => ({
    value: `m${index}`,
    name: `Model ${index}`,
    group: index < 100 ? "Old" : "New",
    description: `number ${index}`,
  })),
};

test("a long list fits the screen, and typing narrows it", async () => {
  const { screen, done } = await open({ overlay: { kind: "option", option: models } });
  await using _ = screen;
  // The gap above, the status line and the last row are not its own.
  expect(screen.frame.split("\n").length).toBeLessThanOrEqual(20);
  expect(screen.frame).toContain("❯ 8 ● Model 7  number 7");
  await screen.type("model 15");
  await screen.type(down);
  await screen.type(down);
  expect(screen.frame).toContain("  New\n      Model 150  number 150\n❯     Model 151  number 151");
  await screen.type("\r");
  expect(done).toEqual([["closeOverlay"], ["setOption", models, "m151"]]);
});

test("sessions have titles and relative times, and are deleted only after a yes", async () => {
  const minutesAgo = (count: number): string => new Date(Date.now() - count * 60_000 - 5_000).toISOString();
  const sessions = [
    { sessionId: "s1", title: "First", updatedAt: minutesAgo(5), isOpen: true },
    { sessionId: "s2", title: "Second", updatedAt: minutesAgo(120), isOpen: false },
  ];
  const { screen, done, show } = await open({
    overlay: { kind: "sessions", sessions: sessions.slice(0, 1), isComplete: false },
  });
  await using _ = screen;
  await show({ overlay: { kind: "sessions", sessions, isComplete: true } });
  expect(screen.frame).toContain("❯ 1 ● First  5 minutes ago\n  2   Second  2 hours ago");
  await screen.type(down);
  await screen.type("\u001B[3~");
  expect(screen.frame).toContain("Delete the session “Second”?");
  await screen.type("2");
  await screen.type("\u001B[3~");
  await screen.type("1");
  await screen.type("2");
  expect(done).toEqual([["deleteSession", "s2"], ["closeOverlay"], ["openSession", "s2", "load"]]);
});

test("the help shows only the beginning of a description that is a page", async () => {
  const description = `Draws a chart. ${"word ".repeat(200)}hidden\nAnd so on`;
  const commands = [{ name: "chart", takesInput: false, description, hint: undefined, isOwn: false }];
  const { screen } = await open({ overlay: { kind: "help" }, commands });
  await using _ = screen;
  for (let page = 0; page < 3; page += 1) await screen.type("\u001B[6~");
  expect(screen.frame).toMatch(/\/chart +Draws a chart\.[^]*word…\n/u);
  expect(screen.frame).not.toMatch(/hidden|And so on/u);
});

test("the help lists keys and commands, and any of Esc, Enter and ? closes it", async () => {
  const commands = [{ name: "review", takesInput: true, description: "Review a change", hint: "file", isOwn: false }];
  const { screen, done } = await open({ overlay: { kind: "help" }, commands });
  await using _ = screen;
  expect(screen.frame).toContain("say it to the agent while it works");
  // It takes the screen, but for the gap above, the status line and the last row.
  expect(screen.frame.split("\n")).toHaveLength(20);
  // The second row of a key is below the first.
  expect(screen.frame).toMatch(/^ {2}Up, Down {12}earlier prompts; .*\n {22}\S/mu);
  await screen.type("\u001B[6~");
  await screen.type("\u001B[6~");
  expect(screen.frame).toMatch(/\/review <file> +Review a change/u);
  await screen.type("?");
  expect(done).toEqual([["closeOverlay"]]);
});
