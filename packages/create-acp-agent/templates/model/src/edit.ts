// The tool that the model has. The user sees the change and is asked before it happens.
import type { ToolDisplay } from "@acp/ai";
import type { AgentTurn } from "@acp/core";
import { diff } from "@acp/core/agent";
import { jsonSchema, tool } from "ai";
import { readFile, resolveInside, writeFile } from "./files.ts";

interface Edit {
  readonly path: string;
  readonly oldText?: string;
  readonly newText: string;
}

const properties = {
  path: { type: "string", description: "The file, relative to the project" },
  oldText: {
    type: "string",
    description: "The text to replace, which is in the file once. Without it, the whole file",
  },
  newText: { type: "string", description: "The text to put there" },
} as const;

export function editTool(turn: AgentTurn) {
  return tool({
    description: "Changes a text file of the project, or creates one",
    inputSchema: jsonSchema<Edit>({ type: "object", properties, required: ["path", "newText"] }),
    execute: async ({ path, oldText, newText }) => {
      const file = resolveInside(turn.session.cwd, path);
      const text = oldText === undefined ? newText : replaceOnce(await readFile(turn, file), oldText, newText);
      await writeFile(turn, file, text);
      return `Changed ${path}`;
    },
  });
}

export const showEdit: ToolDisplay<Edit, string> = {
  kind: "edit",
  title: ({ path = "a file" }) => `Edit ${path}`,
  locations: ({ path }) => (path?.startsWith("/") ? [{ path }] : []),
  input: ({ path, oldText, newText }) =>
    path === undefined || newText === undefined
      ? undefined
      : [diff({ path, newText, ...(oldText === undefined ? {} : { oldText }) })],
};

/** What this throws goes back to the model. */
function replaceOnce(text: string, oldText: string, newText: string): string {
  const parts = text.split(oldText);
  if (parts.length !== 2) throw new Error(`oldText is in the file ${parts.length - 1} times, and not once`);
  return parts.join(newText);
}
