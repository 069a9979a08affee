import type { Received } from "@acp/schema/v1/types";
import { type DescribedCall, type AskedAction, describeAction } from "../shared/describe-question.ts";
import { requireObject } from "../../base/require-argument.ts";
import { readMember } from "../../base/values.ts";

/**
 * What a permission question asks for, out of everything that the agent says: title, kind, locations, content and arguments of
 * the question's tool call. `known` is that call as the state has it: all that the agent has announced for it counts, also
 * what it has replaced since.
 *
 * Agents put the command into the title, the arguments or the content, under many names. A user who sees the title alone
 * approves blind. No argument is left out. Show all {@link AskedAction.facts}.
 *
 * ```ts
 * "session/request_permission": ({ toolCall, options }) => {
 *   const { facts } = describeQuestion({ toolCall }, store.state.timeline.find("tool_call", toolCall.toolCallId));
 *   return ask(facts, options);
 * },
 * ```
 */
export function describeQuestion(
  question: Pick<Received.RequestPermissionRequest, "toolCall">,
  known?: DescribedCall<Received.ToolCallContent>,
): AskedAction<Received.ToolCallContent> {
  requireObject(readMember(question, "toolCall"), "describeQuestion() takes a question with its toolCall");
  const { toolCall } = question;
  // In the state, the id stands for a title that the agent has not sent.
  const title = known?.title === toolCall.toolCallId ? undefined : known?.title;
  return describeAction({}, toolCall, known && { ...known, title });
}
