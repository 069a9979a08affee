import type { Received } from "@acp/schema/v1";
import { describe, expect, test } from "vitest";

import { describeQuestion } from "./describe-question.ts";
import { stateAfter, updates } from "./testing/updates.ts";

type ToolCall = Parameters<typeof describeQuestion>[0]["toolCall"];

const text = (value: string) => ({ type: "content", content: { type: "text", text: value } }) as const;
const diff = (path: string) => ({ type: "diff", path, newText: "x" }) as const;

/** The facts of a question, in words, after these updates of its call. */
function facts(toolCall: Omit<ToolCall, "toolCallId">, ...before: readonly object[]): string[] {
  const [first, ...rest] = before;
  const announced = [
    ...(first === undefined ? [] : [{ sessionUpdate: "tool_call", toolCallId: "c", title: "c", ...first }]),
    ...rest.map((change) => ({ sessionUpdate: "tool_call_update", toolCallId: "c", ...change })),
  ] as Received.SessionUpdate[];
  const known = stateAfter(updates(...announced)).timeline.find("tool_call", "c");
  return describeQuestion({ toolCall: { toolCallId: "c", ...toolCall } }, known).facts.map((fact) => {
    const what = fact.about === "content" ? JSON.stringify(fact.content) : fact.value;
    const name = fact.about === "content" || fact.name === undefined ? "" : ` ${fact.name}`;
    return `${fact.isEarlier ? "earlier " : ""}${fact.about}${name}: ${what}`;
  });
}

describe("the facts of a question", () => {
  test("leave nothing out because the title says it", () => {
    const title = "`rm -rf *` in /home/me/build, for https://a.test with LD_PRELOAD=/x";
    const rawInput = { command: "rm -rf *", cwd: "/", url: "https://a.test", env: { LD_PRELOAD: "/x" } };
    expect(facts({ title, kind: "execute", rawInput, locations: [{ path: "/home" }] })).toEqual([
      "kind: execute",
      "command: rm -rf *",
      "directory: /",
      "url url: https://a.test",
      "path: /home",
      "variable LD_PRELOAD: /x",
      `comment: ${title}`,
    ]);
  });

  test("merge equal facts, and keep similar ones apart", () => {
    const rawInput = { path: "/p/a", file: "/p/a ", file_path: "/p/ab" };
    expect(facts({ title: "/p/a", locations: [{ path: "/p/a" }], content: [diff("/p/a")], rawInput })).toEqual([
      "path: /p/a",
      "path: /p/a ",
      "path: /p/ab",
      `content: ${JSON.stringify(diff("/p/a"))}`,
      "comment: /p/a",
    ]);
  });

  test("have the announced content, which the question replaces", () => {
    expect(
      facts({ content: [text("Requesting approval to run a command")] }, { content: [text('{"command":"rm -rf ~"}')] }),
    ).toEqual([
      "earlier command: rm -rf ~",
      `content: ${JSON.stringify(text("Requesting approval to run a command"))}`,
    ]);
  });

  test.each<[string, object, object, string]>([
    ["a command", { rawInput: { command: "rm a" } }, { rawInput: { command: "ls" } }, "command: rm a"],
    ["a longer command", { rawInput: { command: "ls" } }, { rawInput: { command: "ls -l" } }, "command: ls"],
    ["all arguments", { rawInput: { cmd: "rm a" } }, { rawInput: {} }, "command: rm a"],
    ["a diff", { content: [diff("/p/a")] }, { content: [] }, "path: /p/a"],
    ["a location", { locations: [{ path: "/p/a" }] }, { locations: [] }, "path: /p/a"],
    ["an argument", { rawInput: { host: "a.test" } }, { rawInput: { host: "b.test" } }, "argument host: a.test"],
    ["a text", { content: [text("rm a")] }, { content: [text("ls")] }, `content: ${JSON.stringify(text("rm a"))}`],
    ["a kind", { kind: "delete" }, { kind: "read" }, "kind: delete"],
    ["a title", { title: "Delete all" }, { title: "Read" }, "comment: Delete all"],
  ])("have %s that an update has taken back, marked as earlier", (_, first, change, fact) => {
    expect(facts({}, first, change)).toContain(`earlier ${fact}`);
    // Also if it is not the last one, and if something else came between.
    expect(facts({}, first, change, { rawInput: { x: 1 }, content: [text("y")], kind: "think" })).toContain(
      `earlier ${fact}`,
    );
    expect(facts(change, first)).toContain(
      JSON.stringify(change).includes("[]") || JSON.stringify(change).includes("{}") ? fact : `earlier ${fact}`,
    );
  });

  test("have the newest announcement first, and one that comes again as current", () => {
    const command = (value: string) => ({ rawInput: { command: value } });
    expect(facts(command("d"), command("a"), command("b"), command("c"), command("a"), command("c"))).toEqual([
      "command: d",
      "earlier command: c",
      "earlier command: a",
      "earlier command: b",
    ]);
    expect(facts({}, command("a"), command("b"), command("a"))).toEqual(["command: a", "earlier command: b"]);
  });

  test("have a text that arrives in pieces once", () => {
    const pieces = ['{"com', '{"command":', '{"command":"rm', '{"command":"rm a"}'];
    expect(facts({}, ...pieces.map((piece) => ({ content: [text(piece)] })))).toEqual(["command: rm a"]);
    expect(facts({}, ...pieces.map((rawInput) => ({ rawInput })))).toEqual(["command: rm a"]);
  });

  test("keep the text of arguments that says more than they do", () => {
    const twice = '{"command":"ls","command":"rm a"}';
    expect(facts({ content: [text(twice)] })).toEqual(["command: rm a", `content: ${JSON.stringify(text(twice))}`]);
  });

  test("report how much was announced beyond the kept part", () => {
    const many = Array.from({ length: 1_003 }, (_, at) => ({ rawInput: { command: `step ${at}` } }));
    const shown = facts({}, ...many);
    expect(shown.filter((fact) => fact.startsWith("earlier command: "))).toHaveLength(1_000);
    expect(shown.at(-1)).toBe("earlier omitted: 2");
  });
});

test("an agent cannot change its earlier announcements", () => {
  const forged = { earlier: { titles: [], kinds: [], rawInputs: [], locations: [], content: [], omitted: 0, size: 0 } };
  expect(facts({}, { rawInput: { cmd: "rm a" } }, { rawInput: { cmd: "ls" }, ...forged }, forged)).toEqual([
    "command: ls",
    "earlier command: rm a",
  ]);
});
