import { inputSchema } from "../input-schema.ts";
import type { AgentTool, CreateDisplay, ToolContext } from "../tool-context.ts";
import { createChangeDisplay, createChangeTool } from "./change-tool.ts";
import { inStyleOf } from "./replace-text.ts";

export interface WriteInput {
  readonly path: string;
  readonly text: string;
}

const description = `Creates a file, with the folders above it, or replaces all of its text. To change parts of a file, use edit.`;

const schema = inputSchema<WriteInput>(
  {
    path: { type: "string", description: "The file: absolute, or relative to the working directory" },
    text: { type: "string", description: "The whole text of the file" },
  },
  ["path", "text"],
);

/** Writes a whole file. */
export function createWriteTool(context: ToolContext): AgentTool {
  return createChangeTool<WriteInput>(context, {
    verb: "writing whole files",
    description,
    inputSchema: schema,
    change({ path, text }, oldText) {
      if (oldText === undefined) return { newText: text, line: 1, summary: `Created ${path}.` };
      const newText = inStyleOf(oldText, text);
      const summary = newText === oldText ? `${path} has this text already.` : `Replaced the text of ${path}.`;
      return { newText, line: 1, summary };
    },
  });
}

export const createWriteDisplay: CreateDisplay<{ path: string }> = createChangeDisplay("Write");
