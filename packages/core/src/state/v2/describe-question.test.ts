import { unknownVariant } from "@acp/schema";
import { List } from "../shared/list.ts";
import { describe, expect, test } from "vitest";

import { describeQuestion } from "./describe-question.ts";

describe("describeQuestion()", () => {
  test("returns the question's title and description, and the arguments of its tool call", () => {
    const toolCall = { toolCallId: "c", title: "bash", kind: "execute" as const, rawInput: { command: ["rm", "a b"] } };
    const asked = describeQuestion({
      title: "Make a file?",
      description: "In /p",
      subject: { type: "tool_call", toolCall },
    });
    expect(asked).toMatchObject({
      title: "Make a file?",
      description: "In /p",
      kind: "execute",
      commands: ["rm 'a b'"],
    });
  });

  test("returns the command and its directory", () => {
    const asked = describeQuestion({ title: "Run?", subject: { type: "command", command: "make", cwd: "/p" } });
    expect(asked).toMatchObject({ commands: ["make"], directories: ["/p"] });
  });

  test("returns the files of a diff, and the known members of the call", () => {
    const content = List.of([
      { type: "diff" as const, changes: [{ operation: "move" as const, oldPath: "/a", path: "/b" }] },
    ]);
    const subject = { type: "tool_call" as const, toolCall: { toolCallId: "c" } };
    const asked = describeQuestion({ title: "Move?", subject }, { content, rawInput: { url: "x" } });
    expect(asked).toMatchObject({ paths: ["/a", "/b"], details: [{ name: "url", value: "x" }] });
  });

  test("shows everything of a subject of an unknown kind", () => {
    const subject = { type: unknownVariant, received: { type: "host", host: "example.com", command: "nc" } } as const;
    const asked = describeQuestion({ title: "Connect?", subject });
    expect(asked).toMatchObject({ commands: ["nc"], details: [{ name: "type", value: "host" }, { name: "host" }] });
  });

  test("returns the title alone for a question without a subject", () => {
    expect(describeQuestion({ title: "Go on?" })).toMatchObject({
      title: "Go on?",
      commands: [],
      paths: [],
      details: [],
    });
  });
});
