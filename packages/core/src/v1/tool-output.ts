import type { ContentBlock, ToolCallContent } from "@acp/schema/v1/types";
import { type ItemTypes, toolOutput } from "../session/agent/tool-output.ts";

const itemTypes: ItemTypes<ToolCallContent> = { content: true, diff: true, terminal: true };

/** The content of a tool call: text, content blocks, or the protocol's own items. */
export type ToolOutput = string | readonly (ToolCallContent | ContentBlock)[];

/** The output of a tool as a member of its update; empty without output. */
export function outputMember(output: ToolOutput | null | undefined): { content: ToolCallContent[] } | undefined {
  return output == null ? undefined : { content: toolOutput<ToolCallContent, ContentBlock>(output, itemTypes) };
}
