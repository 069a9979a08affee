import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2/types";
import { type DescribedCall, type AskedAction, describeAction } from "../shared/describe-question.ts";
import { requireObject } from "../../base/require-argument.ts";

/**
 * What a permission question asks for, out of everything that the agent says: title and description of the question, its
 * command, and title, kind, locations, content and arguments of its tool call. `known` is that call as the state has it: all
 * that the agent has announced for it counts, also what it has replaced since.
 *
 * Agents put the command into the title, the arguments or the content, under many names. A user who sees the title alone
 * approves blind. No argument is left out. Show all {@link AskedAction.facts}.
 *
 * ```ts
 * "session/request_permission": (question) => {
 *   const { subject } = question;
 *   const id = subject?.type === "tool_call" ? subject.toolCall.toolCallId : undefined;
 *   const known = id === undefined ? undefined : store.state.timeline.find("tool_call", id);
 *   return ask(describeQuestion(question, known).facts, question.options);
 * },
 * ```
 */
export function describeQuestion(
  question: Pick<Received.RequestPermissionRequest, "title" | "description" | "subject">,
  known?: DescribedCall<Received.ToolCallContent>,
): AskedAction<Received.ToolCallContent> {
  requireObject(question, "describeQuestion() takes a question about a permission");
  const { title, description, subject } = question;
  const words = { title, description };
  switch (subject?.type) {
    case "tool_call":
      return describeAction(words, subject.toolCall, known);
    case "command":
      return describeAction({ ...words, command: subject.command, directory: subject.cwd }, undefined, known);
    case unknownVariant:
      return describeAction({ ...words, received: subject.received }, undefined, known);
    default:
      return describeAction(words, undefined, known);
  }
}
