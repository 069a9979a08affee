import type { UrlQuestion } from "@acp/core/elicitation";
import { kindOf, nameOf, type PermissionQuestion } from "@acp/render";
import { permissionLines } from "@acp/render/question";

import type { Login } from "../../protocol/agent.ts";
import type { ChatActions, ChatQuestion, ChatState } from "../chat-state.ts";
import { ChoiceDialog } from "./choice-dialog.ts";
import type { Dialog } from "./dialog.ts";
import { FormDialog } from "./form-dialog.ts";
import type { QuestionLine } from "./question-lines.ts";

/** The dialog of what the agent asks. `isTyping`: the user has typed a part of a prompt, so keys may be meant for that. */
export function questionDialog(
  entry: ChatQuestion,
  { session, cwd }: ChatState,
  actions: ChatActions,
  isTyping: boolean,
): Dialog {
  const { id } = entry;
  switch (entry.kind) {
    case "permission":
      return permissionDialog(entry.question, session?.cwd ?? cwd, isTyping, (option) =>
        actions.answerPermission(id, option),
      );
    case "form":
      return new FormDialog(entry.agent, entry.question, isTyping, (answer) => actions.answerForm(id, answer));
    case "url":
      return urlDialog(entry.agent, entry.question, isTyping, (action) => actions.answerUrl(id, action));
    default:
      return loginDialog(entry.logins, isTyping, (loginId) => actions.answerLogin(id, loginId));
  }
}

/** Asks for permission. Without an answer the client takes the option that rejects once, if there is one. */
export function permissionDialog(
  question: PermissionQuestion,
  cwd: string,
  isTyping: boolean,
  answer: (optionId: string | undefined) => void,
): Dialog {
  const { options } = question;
  const canReject = options.some(({ kind }) => kind === "reject_once");
  const asked = {
    lines: permissionLines(question, cwd).map((line) =>
      "diff" in line ? { diff: line.diff, indent: 2 } : { judged: line, indent: line.tone === "title" ? 0 : 2 },
    ),
    // What an option does is never cut. What the agent calls it may be, and is whole above then.
    entries: options.map((option) => ({ label: kindOf(option), aside: nameOf(option), value: option.optionId })),
    escape: canReject ? "Esc: reject" : "Esc: no answer",
    takesReason: canReject,
  };
  return new ChoiceDialog(asked, isTyping, answer);
}

/** Asks which login to use. */
function loginDialog(
  logins: readonly Login[],
  isTyping: boolean,
  answer: (loginId: string | undefined) => void,
): Dialog {
  const question = {
    lines: [{ text: "The agent wants you to log in:", tone: "title" }],
    entries: logins.map(({ id, name, description }) => ({ label: name, aside: description ?? undefined, value: id })),
    escape: "Esc: give up",
  } as const;
  return new ChoiceDialog(question, isTyping, answer);
}

type Action = Parameters<ChatActions["answerUrl"]>[1];

/** Asks whether to open a URL: shows all of it with its host and the warnings (ELIC-23, ELIC-27, ELIC-29). */
function urlDialog(
  agent: string,
  { message, report }: UrlQuestion,
  isTyping: boolean,
  answer: (action: Action) => void,
): Dialog {
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
  return new ChoiceDialog<Action>({ lines, entries, escape: "Esc: no answer" }, isTyping, (action) =>
    answer(action ?? "cancel"),
  );
}
