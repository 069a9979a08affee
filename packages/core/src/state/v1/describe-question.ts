import type { Received } from "@acp/schema/v1/types";
import { type DescribedCall, type AskedAction, describeAction } from "../shared/describe-question.ts";

/**
 * What a permission question asks for, out of everything that the agent says: title, kind, locations, content and arguments of
 * the question's tool call. `known` is that call as the state has it; it fills in what the question leaves out.
 *
 * Agents put the command into the title, the arguments or the content, under many names. A user who sees the title alone
 * approves blind. No argument is left out.
 *
 * ```ts
 * "session/request_permission": ({ toolCall, options }) => {
 *   const asked = describeQuestion({ toolCall }, store.state.timeline.find("tool_call", toolCall.toolCallId));
 *   return ask([asked.title, ...asked.commands, ...asked.paths].map((text) => visibleText(text)), options);
 * },
 * ```
 */
export function describeQuestion(
  { toolCall }: Pick<Received.RequestPermissionRequest, "toolCall">,
  known?: DescribedCall<Received.ToolCallContent>,
): AskedAction<Received.ToolCallContent> {
  return describeAction({}, toolCall, known);
}
