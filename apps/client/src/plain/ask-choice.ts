import type { RequestPermissionResponse } from "@acp/schema/v1";
import { visibleText } from "@acp/core/state";

import type { LineReader } from "./input/line-reader.ts";
import type { Transcript } from "./transcript/transcript.ts";
import { answerOf, answerWith, chooseOption, type PermissionPolicy } from "../protocol/permission/options.ts";
import type { PermissionQuestion } from "../protocol/permission/question.ts";
import type { Login } from "../protocol/agent.ts";

export interface PermissionOptions {
  readonly policy: PermissionPolicy;
  /** What the policy is called where it was written. */
  readonly by: string;
  /** Reads the user's answers; `undefined` if there is no user to ask. */
  readonly lines: LineReader | undefined;
  readonly transcript: Transcript;
  /** Whether the request belongs to the current session. */
  readonly isCurrentSession: boolean;
}

/** Shows a permission request, and answers it. `signal` aborts when the turn is cancelled. */
export async function answerPermission(
  question: PermissionQuestion,
  { policy, by, lines, transcript, isCurrentSession }: PermissionOptions,
  signal: AbortSignal,
): Promise<RequestPermissionResponse> {
  transcript.permission(question, isCurrentSession);
  const isAsked = policy === "ask" && lines !== undefined && question.options.length > 0;
  const answer = isAsked ? await choose(question.options, lines, transcript, signal) : undefined;
  if (answer !== undefined) {
    transcript.permissionAnswer(answerOf(answer), "");
    return answerWith(answer);
  }
  const option = chooseOption(policy, question.options);
  if (option === undefined) {
    transcript.permissionAnswer("no answer", "no option fits");
    return answerWith(undefined);
  }
  const reason = isAsked ? "the input has ended" : "nobody to ask; --allow allows it";
  transcript.permissionAnswer(answerOf(option), policy === "ask" ? reason : by);
  return answerWith(option);
}

/** Shows the login methods, and asks for one. `undefined` if the user gives up. */
export async function chooseLogin(
  methods: readonly Login[],
  lines: LineReader,
  transcript: Transcript,
  signal: AbortSignal,
): Promise<Login | undefined> {
  const choices = methods.map(({ name, description }, index) => {
    const more = description == null ? "" : `  ${visibleText(description)}`;
    return `  ${index + 1} ${visibleText(name)}${more}`;
  });
  transcript.note(["The agent wants you to log in:", ...choices].join("\n"), "yellow");
  return choose(methods, lines, transcript, signal, true);
}

/** Asks until the user types a number of the list; `undefined` at the end of input, and if the user may give up and does. */
async function choose<Choice>(
  choices: readonly Choice[],
  lines: LineReader,
  transcript: Transcript,
  signal: AbortSignal,
  mayGiveUp = false,
): Promise<Choice | undefined> {
  const range = `Your choice [1-${choices.length}]`;
  for (;;) {
    // Text typed before the question appeared is no answer.
    const line = await lines.ask(mayGiveUp ? `${range}, or nothing to give up: ` : `    ${range}: `, signal);
    transcript.takeBack(false);
    const typed = line?.trim();
    if (typed === undefined || (typed === "" && mayGiveUp)) return undefined;
    const choice = typed === "" ? undefined : choices[Number(typed) - 1];
    if (choice !== undefined) return choice;
    transcript.remark(`Please type a number from 1 to ${choices.length}${mayGiveUp ? ", or nothing" : ""}`);
  }
}
