import { answerLine, optionRows, permissionLines, questionRows } from "@acp/render/question";
import { answerOf } from "@acp/render";

import { element, line, lines } from "../dom.ts";
import { membersOf } from "../snippet.ts";
import { treeOf } from "../tree.ts";
import { boxOf, type Drawing } from "./draw-item.ts";
import { linesOf } from "./line.ts";
import type { Question } from "./moment.ts";
import type { Asked, SessionState } from "./session-state.ts";
import type { Step } from "./step.ts";

/** A question, complete, and its answer if there is one. */
export function questionOf(
  { kind, params }: Question,
  answer: Step | undefined,
  state: SessionState,
  { cwd, width }: Drawing,
): HTMLElement {
  const title = answer === undefined ? "A question that waits for the user" : "A question, and its answer";
  if (kind === "form") {
    const { message, requestedSchema, url } = membersOf(params);
    const form = requestedSchema ?? url;
    return boxOf(
      "question",
      title,
      element("div", { class: "lines" }, lines(typeof message === "string" ? message : "")),
      form === undefined ? "" : treeOf(form, "asks for", 4),
      answer === undefined ? "" : treeOf(answer.body, "answer", 4),
    );
  }
  const asked = state.ask(params);
  if (asked === undefined) return boxOf("question", title, "The question is malformed: clients refuse it.");
  const facts = permissionLines({ sessionId: "", isOfAgent: false, asked: asked.asked }, cwd);
  const rows = [...questionRows(facts, width), ...optionRows(asked.options, width)];
  return boxOf(
    "question",
    title,
    linesOf(rows),
    answer === undefined ? "" : linesOf([answerLine(wordsOf(answer, asked), "")]),
  );
}

function wordsOf({ kind, body }: Step, { options }: Asked): string {
  if (kind === "error") return `an error: ${line(String(membersOf(body)["message"]))}`;
  const { outcome, optionId } = membersOf(membersOf(body)["outcome"]);
  const chosen = options.find((option) => option.optionId === optionId);
  return chosen === undefined ? line(String(optionId ?? outcome)) : answerOf(chosen);
}
