import { expect, test } from "vitest";

import { Transcript } from "./transcript.ts";

test("starts a new paragraph after the user's input", () => {
  let written = "";
  const write = (text: string): boolean => {
    written += text;
    return true;
  };
  const transcript = new Transcript({ isTTY: true, columns: 40, write, once: () => {} }, (_, text) => text, "/project");
  const say = (text: string): void => {
    void transcript.show({
      kind: "message",
      speaker: "agent",
      messageId: undefined,
      content: [{ type: "text", text }],
    });
  };
  say("Something said while the user types");
  transcript.flush();
  expect(written).toBe("Something said while the user types");
  written = "";
  transcript.takeBack(true);
  say(" Something else");
  transcript.flush();
  expect(written).toBe("\nSomething else");
});

test.each([
  ["40 columns", { isTTY: true, columns: 40 }, "several words that go beyond one of its\nlines, if it has any\n"],
  [
    "0 columns, as recorders have",
    { isTTY: true, columns: 0 },
    "several words that go beyond one of its lines, if it has any\n",
  ],
  ["no terminal", {}, "several words that go beyond one of its lines, if it has any\n"],
])("wraps a note for %s", (_name, terminal, shown) => {
  let written = "";
  const write = (text: string): boolean => {
    written += text;
    return true;
  };
  const output = { ...terminal, write, once: () => {} };
  new Transcript(output, (_format, text) => text, "/project").note(
    "several words that go beyond one of its lines, if it has any",
  );
  expect(written).toBe(shown);
});
