import type { ReportedToolCall } from "@acp/core";
import { askPermission } from "@acp/core/agent";
import type { ReportedToolCall as ReportedToolCall2 } from "@acp/core/v2";
import { askPermission as askPermission2 } from "@acp/core/v2/agent";
import type { AnyTurn } from "./any-turn.ts";

/** A tool call that needs a permission: `ai` asks for the approval of the user. */
export interface PermissionQuestion {
  readonly turn: AnyTurn;
  /** The call as the client knows it. */
  readonly call: ReportedToolCall | ReportedToolCall2;
  readonly toolName: string;
  /** The id that the model has given the call. */
  readonly toolCallId: string;
  /** The input as the tool gets it. */
  readonly input: unknown;
  /** Why the tool needs a permission, if its policy says so. */
  readonly reason: string | undefined;
  /**
   * Asks the user. `remember` is a name: once the user has chosen "always", all later questions of the session with the same
   * name have the same answer. Default: every question is asked.
   */
  ask(options?: { readonly remember?: string | undefined }): Promise<boolean>;
}

/** The answer to a {@link PermissionQuestion}. The model reads the reason. */
export type PermissionAnswer = boolean | { readonly approved: boolean; readonly reason?: string | undefined };

/**
 * Decides about tool calls that need a permission.
 *
 * ```ts
 * const permission: DecidePermission = ({ toolName, ask }) => isTrusted || ask({ remember: toolName });
 * ```
 */
export type DecidePermission = (question: PermissionQuestion) => PermissionAnswer | Promise<PermissionAnswer>;

/** Asks the user about a call, in the version of its turn. */
export async function askUser(
  turn: AnyTurn,
  call: unknown,
  { remember, reason }: { readonly remember?: string | undefined; readonly reason?: string | undefined },
): Promise<boolean> {
  // The call was reported by this turn. Only turns of version 2 ask themselves.
  const answer =
    "requestPermission" in turn
      ? await askPermission2(call as ReportedToolCall2, { remember, description: reason })
      : await askPermission(call as ReportedToolCall, { remember });
  return answer.allowed;
}
