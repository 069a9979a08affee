import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2/types";
import { type DescribedCall, type AskedAction, describeAction } from "../shared/describe-question.ts";

/**
 * What a permission question asks for, out of everything that the agent says: title and description of the question, its
 * command, and title, kind, locations, content and arguments of its tool call. `known` is that call as the state has it; it
 * fills in what the question leaves out.
 *
 * Agents put the command into the title, the arguments or the content, under many names. A user who sees the title alone
 * approves blind. No argument is left out.
 *
 * ```ts
 * "session/request_permission": (question) => {
 *   const asked = describeQuestion(question);
 *   return ask([asked.title, ...asked.commands, ...asked.paths].map((text) => visibleText(text)), question.options);
 * },
 * ```
 */
export function describeQuestion(
  { title, description, subject }: Pick<Received.RequestPermissionRequest, "title" | "description" | "subject">,
  known?: DescribedCall<Received.ToolCallContent>,
): AskedAction<Received.ToolCallContent> {
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
