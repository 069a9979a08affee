import { stat } from "node:fs/promises";

import { tool } from "ai";

import { displayName, locationsOf, shownText } from "../display.ts";
import { inputSchema } from "../input-schema.ts";
import type { AgentTool, CreateDisplay, ToolContext } from "../tool-context.ts";
import { findPath } from "../../workspace/find-path.ts";
import { searchFiles } from "./search-files.ts";

export interface SearchInput {
  readonly pattern: string;
  readonly path?: string;
  readonly files?: string;
  readonly context?: number;
  readonly ignoreCase?: boolean;
}

const description = `Searches the lines of files for a regular expression of JavaScript. It returns the lines that match, with their numbers, by file.
Binary files, and what Git ignores, are left out.`;

const schema = inputSchema<SearchInput>(
  {
    pattern: { type: "string", description: "The regular expression, without slashes around it" },
    path: { type: "string", description: "The folder or file to search. Default: the working directory" },
    files: { type: "string", description: "A glob for the files to search, such as *.ts. Default: all" },
    context: {
      type: "integer",
      description: "How many lines to show before and after each match. Default: 0",
      minimum: 0,
      maximum: 20,
    },
    ignoreCase: { type: "boolean", description: "Default: false" },
  },
  ["pattern"],
);

/** Searches files for a regular expression. */
export function createSearchTool({ workspace }: ToolContext): AgentTool {
  return {
    tool: tool({
      description,
      inputSchema: schema,
      async execute({ pattern, path: name = ".", files, context = 0, ignoreCase = false }): Promise<string> {
        const expression = toRegExp(pattern, ignoreCase);
        const path = await findPath(workspace, name);
        const info = await stat(path).catch(() => undefined);
        if (info === undefined) throw new Error(`There is no file or folder ${name}.`);
        if (!info.isDirectory() && !info.isFile()) throw new Error(`${name} is neither a file nor a folder.`);
        const { cwd, signal } = workspace;
        return searchFiles({ expression, path, isDirectory: info.isDirectory(), files, context, cwd, signal });
      },
    }),
    access: { access: "read" },
  };
}

function toRegExp(pattern: string, ignoreCase: boolean): RegExp {
  try {
    return new RegExp(pattern, ignoreCase ? "i" : "");
  } catch (error) {
    throw new Error(`The pattern is no regular expression: ${error instanceof Error ? error.message : ""}`, {
      cause: error,
    });
  }
}

export const createSearchDisplay: CreateDisplay<SearchInput> = (cwd) => ({
  kind: "search",
  title({ pattern = "…", path = ".", files }) {
    return `Search ${displayName(cwd, path)}${files === undefined ? "" : ` (${files})`} for ${pattern}`;
  },
  locations: ({ path }) => locationsOf(cwd, path),
  output: shownText,
});
