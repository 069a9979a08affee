import { stat } from "node:fs/promises";

import { tool } from "ai";

import { displayName, locationsOf, shownText } from "../display.ts";
import { inputSchema } from "../input-schema.ts";
import type { AgentTool, CreateDisplay, ToolContext } from "../tool-context.ts";
import { findPath } from "../../workspace/find-path.ts";
import { findFiles } from "./find-files.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { listEntries } from "./walk-files.ts";

export interface ListInput {
  readonly path?: string;
  readonly pattern?: string;
}

/** How many names one call returns at most. */
const maxNames = 500;

const description = `Lists files, sorted. Without a pattern: the files and folders directly in a folder. With a pattern: all files below it that match.
What Git ignores is left out.`;

const schema = inputSchema<ListInput>(
  {
    path: { type: "string", description: "The folder. Default: the working directory" },
    pattern: {
      type: "string",
      description:
        "A glob relative to the folder, such as src/**/*.ts; without a slash it matches names at any depth: *.md",
    },
  },
  [],
);

/** Lists what is in a folder, or finds files by their names. */
export function createListTool({ workspace }: ToolContext): AgentTool {
  return {
    tool: tool({
      description,
      inputSchema: schema,
      async execute({ path: name = ".", pattern }): Promise<string> {
        const directory = await findPath(workspace, name);
        const info = await stat(directory).catch(() => undefined);
        if (info?.isDirectory() !== true) throw new Error(`There is no folder ${name}.`);
        const names =
          pattern === undefined ? await listFolder(directory) : await findFiles(directory, pattern, workspace.signal);
        if (names.length === 0) return pattern === undefined ? "[The folder is empty.]" : "[No file matches.]";
        const left = names.length - maxNames;
        const note = left > 0 ? [`[${left} more. List a folder below, or use a narrower pattern.]`] : [];
        return [...names.slice(0, maxNames), ...note].join("\n");
      },
    }),
    access: { access: "read" },
  };
}

async function listFolder(directory: string): Promise<string[]> {
  const entries = await listEntries(directory, await IgnoreRules.of(directory));
  return entries.map(({ name, isDirectory }) => (isDirectory ? `${name}/` : name));
}

export const createListDisplay: CreateDisplay<ListInput> = (cwd) => ({
  kind: "search",
  title: ({ path = ".", pattern }) =>
    pattern === undefined ? `List ${displayName(cwd, path)}` : `Find ${pattern} in ${displayName(cwd, path)}`,
  locations: ({ path }) => locationsOf(cwd, path),
  output: shownText,
});
