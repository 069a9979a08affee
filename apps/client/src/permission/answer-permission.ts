import type { Received, RequestPermissionResponse } from "@acp/schema/v1";

import type { LineReader } from "../input/line-reader.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { chooseOption, type PermissionPolicy } from "./policy.ts";

type Request = Received.RequestPermissionRequest;

export interface PermissionOptions {
  readonly policy: PermissionPolicy;
  /** Reads the user's answers; absent if nobody is there. */
  readonly lines: LineReader | undefined;
  readonly transcript: Transcript;
}

/** Shows what the agent asks for, and answers it. `signal` aborts when the turn is cancelled. */
export async function answerPermission(
  request: Request,
  { policy, lines, transcript }: PermissionOptions,
  signal: AbortSignal,
): Promise<RequestPermissionResponse> {
  transcript.permission(request);
  const answer =
    policy === "ask" && lines !== undefined ? await askUser(request, lines, transcript, signal) : undefined;
  if (answer !== undefined) {
    transcript.permissionAnswer(answer.name, "");
    return { outcome: { outcome: "selected", optionId: answer.optionId } };
  }
  const option = chooseOption(policy, request.options);
  if (option === undefined) {
    transcript.permissionAnswer("no answer", "no option fits");
    return { outcome: { outcome: "cancelled" } };
  }
  transcript.permissionAnswer(option.name, policy === "ask" ? "nobody to ask; --allow allows it" : `--${policy}`);
  return { outcome: { outcome: "selected", optionId: option.optionId } };
}

/** Asks until a number of the list is given; the end of input is no answer. */
async function askUser(
  { options }: Request,
  lines: LineReader,
  transcript: Transcript,
  signal: AbortSignal,
): Promise<Received.PermissionOption | undefined> {
  for (;;) {
    // What was typed before the question was there is no answer to it.
    const line = await lines.ask(`    Your choice [1-${options.length}]: `, signal);
    transcript.takeOver(false);
    if (line === undefined) return undefined;
    const number = Number(line.trim());
    const option = line.trim() === "" ? undefined : options[number - 1];
    if (option !== undefined) return option;
  }
}
