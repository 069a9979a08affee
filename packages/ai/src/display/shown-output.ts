import type { ContentBlock } from "@acp/schema/v1/types";
import type { CallChange, ToolOutput } from "../turn/any-turn.ts";
import { isObject, textIn } from "../values.ts";
import type { ToolDisplay } from "./tool-display.ts";

/** What a call shows for a result. */
export function shownOutput(display: ToolDisplay, output: unknown, input: unknown): CallChange {
  const content = display.output === undefined ? defaultOutput(output) : display.output(output, input);
  const isRaw = display.rawOutput ?? (typeof output !== "string" && output !== undefined);
  return { ...(content === undefined ? {} : { content }), ...(isRaw ? { rawOutput: output } : {}) };
}

function defaultOutput(output: unknown): ToolOutput | undefined {
  if (typeof output === "string") return output === "" ? undefined : output;
  const content = isObject(output) ? output["content"] : undefined;
  if (!Array.isArray(content)) return undefined;
  const blocks = content.filter(isBlock);
  return blocks.length === 0 ? undefined : blocks;
}

/** Whether a part of a result of MCP is a block of content: they have the same shape. */
function isBlock(part: unknown): part is ContentBlock {
  const has = (...keys: string[]): boolean => keys.every((key) => textIn(part, key) !== undefined);
  switch (textIn(part, "type")) {
    case "text":
      return has("text");
    case "image":
    case "audio":
      return has("data", "mimeType");
    case "resource_link":
      return has("uri", "name");
    case "resource":
      return isObject(part) && textIn(part["resource"], "uri") !== undefined;
    default:
      return false;
  }
}
