import type { RequestPermissionResponse } from "@acp/schema/v1";

import type { LineReader } from "./input/line-reader.ts";
import type { Transcript } from "./transcript/transcript.ts";
import { answerOf, chooseOption, type PermissionPolicy } from "../protocol/permission/options.ts";
import type { PermissionOption, PermissionQuestion } from "../protocol/permission/question.ts";

export interface PermissionOptions {
  readonly policy: PermissionPolicy;
  /** Reads the user's answers; `undefined` if there is no user to ask. */
  readonly lines: LineReader | undefined;
  readonly transcript: Transcript;
  /** Whether the request belongs to the current session. */
  readonly isCurrentSession: boolean;
}

/** Shows a permission request, and answers it. `signal` aborts when the turn is cancelled. */
export async function answerPermission(
  question: PermissionQuestion,
  { policy, lines, transcript, isCurrentSession }: PermissionOptions,
  signal: AbortSignal,
): Promise<RequestPermissionResponse> {
  transcript.permission(question, isCurrentSession);
  const isAsked = policy === "ask" && lines !== undefined && question.options.length > 0;
  const answer = isAsked ? await askUser(question, lines, transcript, signal) : undefined;
  if (answer !== undefined) {
    transcript.permissionAnswer(answerOf(answer), "");
    return { outcome: { outcome: "selected", optionId: answer.optionId } };
  }
  const option = chooseOption(policy, question.options);
  if (option === undefined) {
    transcript.permissionAnswer("no answer", "no option fits");
    return { outcome: { outcome: "cancelled" } };
  }
  const reason = isAsked ? "the input has ended" : "nobody to ask; --allow allows it";
  transcript.permissionAnswer(answerOf(option), policy === "ask" ? reason : `--${policy}`);
  return { outcome: { outcome: "selected", optionId: option.optionId } };
}

/** Asks until the user types a number of the list; returns `undefined` at the end of input. */
async function askUser(
  { options }: PermissionQuestion,
  lines: LineReader,
  transcript: Transcript,
  signal: AbortSignal,
): Promise<PermissionOption | undefined> {
  for (;;) {
    // Text typed before the question appeared is no answer.
    const line = await lines.ask(`    Your choice [1-${options.length}]: `, signal);
    transcript.takeBack(false);
    if (line === undefined) return undefined;
    const number = Number(line.trim());
    const option = line.trim() === "" ? undefined : options[number - 1];
    if (option !== undefined) return option;
    transcript.remark(`Please type a number from 1 to ${options.length}`);
  }
}
