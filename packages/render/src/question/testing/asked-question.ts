import { describeQuestion, type ToolCallItem } from "@acp/core/state";
import type { Received } from "@acp/schema/v1";

import { showContent } from "../../session/shown-content.ts";
import { type PermissionOption, type PermissionQuestion, withShownContent } from "../permission-question.ts";

/** The question about a tool call, as the client shows it. */
export function askedQuestion(
  toolCall: Omit<Received.ToolCallUpdate, "toolCallId">,
  more: { readonly known?: Partial<ToolCallItem>; readonly options?: readonly PermissionOption[] } = {},
): PermissionQuestion {
  const asked = describeQuestion({ toolCall: { toolCallId: "c1", ...toolCall } }, more.known);
  return {
    sessionId: "s1",
    isOfAgent: false,
    toolCallId: "c1",
    options: more.options ?? [
      { optionId: "yes", name: "Allow", kind: "allow_once" },
      { optionId: "no", name: "Reject", kind: "reject_once" },
    ],
    asked: withShownContent(asked, showContent),
  };
}
