import type { ReportedToolCall } from "@acp/core";
import { askPermission, permissionOptions } from "@acp/core/agent";
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
   * Asks the user. `remember` is a name such as `run git`: once the user has chosen an option for "always", all later
   * questions of the session with the same name have the same answer. Default: every question is asked.
   *
   * The options for "always" show that name. `scope` says it in other words instead, as the rest of a sentence that begins with
   * "Always allow", and is shown whole.
   */
  ask(options?: { readonly remember?: string | undefined; readonly scope?: string | undefined }): Promise<boolean>;
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
  { remember, scope, reason }: Parameters<PermissionQuestion["ask"]>[0] & { readonly reason?: string | undefined },
): Promise<boolean> {
  const options =
    remember == null
      ? undefined
      : permissionOptions.map((option) =>
          withScope(option, scope === undefined ? `: ${shorten(remember)}` : ` ${scope}`),
        );
  // The call was reported by this turn. Only turns of version 2 ask themselves.
  const answer =
    "requestPermission" in turn
      ? await askPermission2(call as ReportedToolCall2, { remember, options, description: reason })
      : await askPermission(call as ReportedToolCall, { remember, options });
  return answer.allowed;
}

/** Says what "always" refers to: nobody should allow more than what they see. */
function withScope<Option extends { readonly name: string; readonly kind: string }>(
  option: Option,
  scope: string,
): Option {
  return option.kind.endsWith("_always") ? { ...option, name: option.name + scope } : option;
}

const longestScope = 80;

/** A name for a button. The title of the call has the whole command. */
function shorten(remember: string): string {
  const line = remember.replaceAll(/\s+/gu, " ");
  return line.length > longestScope ? `${line.slice(0, longestScope).replace(/[\uD800-\uDBFF]$/u, "")}…` : line;
}
