import { inputSchema } from "../input-schema.ts";
import type { AgentTool, CreateDisplay, ToolContext } from "../tool-context.ts";
import { createChangeDisplay, createChangeTool } from "./change-tool.ts";
import { type Replacement, replaceTexts } from "./replace-text.ts";

export interface EditInput {
  readonly path: string;
  readonly edits: readonly Replacement[];
}

const description = `Replaces texts in a file. Each edit replaces oldText, which must be in the file exactly once, with newText.
Put several edits of one file into one call; each works on what the one before has left. Read the file before you edit it.`;

const schema = inputSchema<EditInput>(
  {
    path: { type: "string", description: "The file: absolute, or relative to the working directory" },
    edits: {
      type: "array",
      description: "The replacements, in order",
      minItems: 1,
      items: {
        type: "object",
        properties: {
          oldText: {
            type: "string",
            description: "The text to replace, exactly as it is in the file, without line numbers",
          },
          newText: { type: "string", description: "The text to put in its place; empty to delete it" },
          all: { type: "boolean", description: "Replace it everywhere. Default: false" },
        },
        required: ["oldText", "newText"],
      },
    },
  },
  ["path", "edits"],
);

/** Replaces texts in a file. */
export function createEditTool(context: ToolContext): AgentTool {
  return createChangeTool<EditInput>(context, {
    verb: "edits of files",
    description,
    inputSchema: schema,
    change({ path, edits }, oldText) {
      if (oldText === undefined) throw new Error(`There is no file ${path}. To create it, use write.`);
      const { text, lines } = replaceTexts(oldText, edits);
      const places = lines.length === 1 ? "1 replacement, in line" : `${lines.length} replacements, in the lines`;
      return { newText: text, line: Math.min(...lines), summary: `Edited ${path}: ${places} ${lines.join(", ")}.` };
    },
  });
}

export const createEditDisplay: CreateDisplay<{ path: string }> = createChangeDisplay("Edit");
