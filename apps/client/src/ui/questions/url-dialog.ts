import type { UrlQuestion } from "@acp/core/elicitation";

import type { ChatActions } from "../chat-state.ts";
import { type ChoiceDialog, choiceDialog } from "./choice-dialog.ts";
import type { QuestionLine } from "./question-lines.ts";

type Action = Parameters<ChatActions["answerUrl"]>[1];

/** Asks whether to open a URL: shows all of it with its host and the warnings (ELIC-23, ELIC-27, ELIC-29). */
export function urlDialog(
  agent: string,
  { message, report }: UrlQuestion,
  isTyping: boolean,
  answer: (action: Action) => void,
): ChoiceDialog {
  const { before, host, after } = report.parts;
  const url = [{ text: before }, { text: host, isStrong: true }, { text: after }];
  const lines: QuestionLine[] = [
    { text: `? ${agent} asks: ${message}`, tone: "title" },
    { text: url, tone: "plain", indent: 2 },
    ...(report.host === "" ? [] : [{ text: `Host: ${report.host}`, tone: "plain", indent: 2 } as const]),
    ...report.warnings.map(({ message: warning }) => ({ text: `! ${warning}`, tone: "warning", indent: 2 }) as const),
  ];
  // A URL that is not a web page may start a program.
  const isPage = !report.warnings.some(({ kind }) => kind === "not-a-url" || kind === "unusual-scheme");
  const entries = [
    ...(isPage ? [{ label: "Open it in your browser", value: "accept" } as const] : []),
    { label: "Decline", value: "decline" } as const,
  ];
  return choiceDialog<Action>({ lines, entries, escape: "Esc: no answer" }, isTyping, (action) =>
    answer(action ?? "cancel"),
  );
}
