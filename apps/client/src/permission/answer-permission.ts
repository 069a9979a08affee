import type { RequestPermissionResponse } from "@acp/schema/v1";

import type { LineReader } from "../input/line-reader.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { nameOf } from "./option-words.ts";
import { chooseOption, type PermissionPolicy } from "./policy.ts";
import type { PermissionOption, PermissionQuestion } from "./question.ts";

export interface PermissionOptions {
  readonly policy: PermissionPolicy;
  /** Reads the user's answers; absent if nobody is there. */
  readonly lines: LineReader | undefined;
  readonly transcript: Transcript;
  /** Whether the request is of the session that the user is in. */
  readonly isCurrentSession: boolean;
}

/** Shows what the agent asks for, and answers it. `signal` aborts when the turn is cancelled. */
export async function answerPermission(
  question: PermissionQuestion,
  { policy, lines, transcript, isCurrentSession }: PermissionOptions,
  signal: AbortSignal,
): Promise<RequestPermissionResponse> {
  transcript.permission(question, isCurrentSession);
  const isAsked = policy === "ask" && lines !== undefined && question.options.length > 0;
  const answer = isAsked ? await askUser(question, lines, transcript, signal) : undefined;
  if (answer !== undefined) {
    transcript.permissionAnswer(nameOf(answer), "");
    return { outcome: { outcome: "selected", optionId: answer.optionId } };
  }
  const option = chooseOption(policy, question.options);
  if (option === undefined) {
    transcript.permissionAnswer("no answer", "no option fits");
    return { outcome: { outcome: "cancelled" } };
  }
  const reason = isAsked ? "the input has ended" : "nobody to ask; --allow allows it";
  transcript.permissionAnswer(nameOf(option), policy === "ask" ? reason : `--${policy}`);
  return { outcome: { outcome: "selected", optionId: option.optionId } };
}

/** Asks until a number of the list is given; the end of input is no answer. */
async function askUser(
  { options }: PermissionQuestion,
  lines: LineReader,
  transcript: Transcript,
  signal: AbortSignal,
): Promise<PermissionOption | undefined> {
  for (;;) {
    // What was typed before the question was there is no answer to it.
    const line = await lines.ask(`    Your choice [1-${options.length}]: `, signal);
    transcript.takeBack(false);
    if (line === undefined) return undefined;
    const number = Number(line.trim());
    const option = line.trim() === "" ? undefined : options[number - 1];
    if (option !== undefined) return option;
    transcript.remark(`Please type a number from 1 to ${options.length}`);
  }
}
