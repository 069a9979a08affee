import type { ContentBlock, ToolCallContent } from "@acp/schema/v2/types";
import * as shared from "../session/agent/tool-output.ts";

const itemTypes: shared.ItemTypes<ToolCallContent> = { content: true, diff: true, terminal: true };

/** The content of a tool call: text, content blocks, or the protocol's own items. */
export type ToolOutput = string | readonly (ToolCallContent | ContentBlock)[];

/** The output of a tool in the form on the wire. */
export function toolOutput(output: ToolOutput): ToolCallContent[] {
  return shared.toolOutput<ToolCallContent, ContentBlock>(output, itemTypes);
}

/** The member of an update in which omitted values have not changed, and `null` clears. */
export function shownOutput(output: ToolOutput | null | undefined): { content?: ToolCallContent[] | null } {
  return output === undefined ? {} : { content: output === null ? null : toolOutput(output) };
}
