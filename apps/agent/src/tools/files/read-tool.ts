import { stat } from "node:fs/promises";

import { tool } from "ai";

import { existingText } from "../../workspace/existing-text.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { displayName, locationsOf, shownText } from "../display.ts";
import { inputSchema } from "../input-schema.ts";
import type { AgentTool, CreateDisplay, ToolContext } from "../tool-context.ts";
import { isBinary } from "./binary.ts";
import { findPath } from "../../workspace/find-path.ts";
import { type Image, imageIn, isImageName, readImage } from "./image.ts";
import { maxLines, numberLines } from "./number-lines.ts";

export interface ReadInput {
  readonly path: string;
  readonly line?: number;
  readonly limit?: number;
}

const description = `Reads a text file, with line numbers, or looks at an image (PNG, JPEG, GIF, WebP).
It returns up to ${maxLines} lines, and says where to go on if there are more.`;

const schema = inputSchema<ReadInput>(
  {
    path: { type: "string", description: "The file: absolute, or relative to the working directory" },
    line: { type: "integer", description: "The first line to read, from 1. Default: 1", minimum: 1 },
    limit: {
      type: "integer",
      description: `How many lines to read. Default: ${maxLines}`,
      minimum: 1,
      maximum: maxLines,
    },
  },
  ["path"],
);

/** Reads a file: a text as numbered lines, an image as an image. */
export function createReadTool({ workspace, seenFiles, takesImages }: ToolContext): AgentTool {
  return {
    tool: tool({
      description,
      inputSchema: schema,
      async execute({ path: name, line = 1, limit = maxLines }): Promise<string | Image> {
        const path = await findPath(workspace, name);
        await checkReadable(path, name);
        if (isImageName(name)) return readImage(path, name, takesImages());
        const text = await readLines(workspace, { path, name, line, limit });
        if (text.includes("\0")) throw new Error(`${name} is no text, so it cannot be shown.`);
        const { numbered, shown } = numberLines(text, line, limit);
        seenFiles.noteLines(path, line, shown);
        return numbered;
      },
      toModelOutput({ output }) {
        if (typeof output === "string") return { type: "text", value: output };
        const { data, mimeType } = imageIn(output);
        return { type: "content", value: [{ type: "file", data: { type: "data", data }, mediaType: mimeType }] };
      },
    }),
    access: { access: "read" },
  };
}

/** Says clearly why a file of this machine cannot be shown. A client may have files that this machine does not have. */
async function checkReadable(path: string, name: string): Promise<void> {
  const info = await stat(path).catch(() => undefined);
  if (info === undefined) return;
  if (info.isDirectory()) throw new Error(`${name} is a directory. To see what is in it, use list.`);
  if (!info.isFile()) throw new Error(`${name} is a device, a pipe or a socket, which cannot be read.`);
  if (!isImageName(name) && (await isBinary(path))) {
    throw new Error(`${name} is a binary file of ${info.size} bytes, which cannot be shown as text.`);
  }
}

interface Lines extends Required<ReadInput> {
  readonly name: string;
}

/** Reads one line more than is wanted: it shows whether the file goes on. */
async function readLines(workspace: Workspace, { path, name, line, limit }: Lines): Promise<string> {
  const text = await existingText((one) => workspace.readText(one, { line, limit: limit + 1 }), path);
  if (text === undefined) throw new Error(`There is no file ${name}.`);
  if (text === "" && line > 1) throw new Error(`${name} has fewer than ${line} lines.`);
  return text;
}

export const createReadDisplay: CreateDisplay<ReadInput> = (cwd) => ({
  kind: "read",
  title({ path, line, limit }) {
    if (path === undefined) return "Read a file";
    const end = limit === undefined ? "" : `-${(line ?? 1) + limit - 1}`;
    const lines = line === undefined && limit === undefined ? "" : `:${line ?? 1}${end}`;
    return `Read ${displayName(cwd, path)}${lines}`;
  },
  locations: ({ path, line }) => locationsOf(cwd, path, line),
  output: (output: unknown) => shownText(output) ?? (output as Partial<Image>).content,
  rawOutput: false,
});
