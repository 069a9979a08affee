import type { TextStreamPart, ToolApprovalResponse, ToolSet } from "ai";
import type { AnyTurn } from "../turn/any-turn.ts";
import { askUser, type DecidePermission, type PermissionQuestion } from "../turn/permission.ts";
import type { ModelCall } from "./reported-calls.ts";

type Request = Extract<TextStreamPart<ToolSet>, { type: "tool-approval-request" }>;

/**
 * The questions that a stream raises. The first is asked at once, while the model goes on; each later one when the one before
 * is answered, so that the user has one to answer at a time.
 */
export class ApprovalQuestions {
  readonly #turn: AnyTurn;
  readonly #decide: DecidePermission;
  #last: Promise<ToolApprovalResponse[]> = Promise.resolve([]);

  constructor(turn: AnyTurn, decide: DecidePermission = ({ ask }) => ask()) {
    this.#turn = turn;
    this.#decide = decide;
  }

  ask(request: Request, call: ModelCall): void {
    this.#last = this.#last.then(async (answers) => [...answers, await this.#answer(request, call)]);
    // Reported by `answers`, which is awaited when the stream has ended.
    this.#last.catch(() => {});
  }

  answers(): Promise<ToolApprovalResponse[]> {
    return this.#last;
  }

  async #answer({ approvalId, reason, toolCall }: Request, call: ModelCall): Promise<ToolApprovalResponse> {
    const { toolCallId, toolName, providerExecuted } = toolCall;
    const question: PermissionQuestion = {
      turn: this.#turn,
      call: call.shown as unknown as PermissionQuestion["call"],
      toolName,
      toolCallId,
      input: toolCall.input,
      reason,
      ask: (options) => askUser(this.#turn, call.shown, { ...options, reason }),
    };
    const given = await this.#decide(question);
    const answer = typeof given === "boolean" ? { approved: given } : given;
    if (answer.approved) await call.shown.update({ status: "in_progress" });
    else if (this.#turn.signal.aborted) await call.cancel("Cancelled.");
    else await call.fail(answer.reason ?? "This was not allowed.");
    return {
      type: "tool-approval-response",
      approvalId,
      approved: answer.approved,
      ...(answer.reason === undefined ? {} : { reason: answer.reason }),
      ...(providerExecuted === undefined ? {} : { providerExecuted }),
    };
  }
}
