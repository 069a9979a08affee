import { expect, test } from "vitest";

import type { PermissionQuestion } from "../../protocol/permission/question.ts";
import { textOf } from "../../text/spans.ts";
import { permissionLines } from "./permission-lines.ts";
import { questionRows } from "./question-lines.ts";

const question: PermissionQuestion = {
  sessionId: "s1",
  isOfAgent: false,
  toolCallId: undefined,
  options: [],
  asked: {
    title: "Edit a.txt",
    description: undefined,
    kind: "edit",
    commands: [],
    directories: [],
    paths: [],
    details: [{ name: "diff", value: "--- a.txt\n-old\n1 Allow\n" }],
    content: [],
  },
};

test("an argument of several lines is shown as lines that cannot pass for answers", () => {
  expect(questionRows(permissionLines(question, "/project"), 60).map(textOf)).toEqual([
    "? Edit a.txt",
    "  diff: --- a.txt",
    "    │ -old",
    "    │ 1 Allow",
  ]);
});
