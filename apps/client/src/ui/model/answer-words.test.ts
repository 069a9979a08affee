import { expect, test } from "vitest";

import { answerWord } from "./question-list.ts";

test("answerWord() describes the user's answer to a form or a URL", () => {
  const actions = ["accept", "decline", "cancel"] as const;
  expect(actions.map((action) => answerWord("form", action))).toEqual(["sent", "declined", "closed"]);
  expect(actions.map((action) => answerWord("url", action))).toEqual(["opened", "declined", "closed"]);
});
