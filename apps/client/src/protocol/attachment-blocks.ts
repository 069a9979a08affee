import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";

import { printableLine } from "@acp/render/text";

import { utf8Text, whyUnreadable } from "../text/file-content.ts";
import type { PromptBlock, PromptKinds } from "./agent.ts";
import { type Attachment, sniffMimeType } from "./file-kind.ts";

/** Larger files are sent as links, in bytes: the agent can read them by itself. */
const limits = { text: 256 * 1024, media: 8 * 1024 * 1024 };

/** The content blocks of attached files, and sentences for the user about what cannot be sent as it is. */
export interface AttachedBlocks {
  readonly blocks: readonly PromptBlock[];
  readonly notes: readonly string[];
}

/**
 * Makes content blocks of attached files as the agent takes them: images and sounds as data, texts as embedded resources, and
 * everything else as links.
 *
 * @throws an error with a sentence for the user if a file cannot be read
 */
export async function attachmentBlocks(
  attachments: readonly Attachment[],
  takes: PromptKinds,
): Promise<AttachedBlocks> {
  const notes: string[] = [];
  const blocks: PromptBlock[] = [];
  for (const attachment of attachments) {
    try {
      blocks.push(await blockOf(attachment, takes, (note) => notes.push(note)));
    } catch (error) {
      throw new Error(whyUnreadable(attachment.path, error), { cause: error });
    }
  }
  return { blocks, notes };
}

async function blockOf(
  { path, kind, mimeType: named, isGiven = false }: Attachment,
  takes: PromptKinds,
  note: (text: string) => void,
): Promise<PromptBlock> {
  const stats = await stat(path);
  const uri = pathToFileURL(path).href;
  const name = basename(path);
  const shown = printableLine(name);
  const size = stats.isFile() ? { size: stats.size } : {};
  const link: PromptBlock = { type: "resource_link", uri, name, ...size, ...(named && { mimeType: named }) };
  if (!stats.isFile()) return link;
  if (kind === "file") {
    if (!takes.embeddedContext || (stats.size > limits.text && !isGiven)) return link;
    const text = utf8Text(await read(path, stats.size));
    return text === undefined ? link : { type: "resource", resource: { uri, text } };
  }
  const plural = kind === "image" ? "images" : "sounds";
  if (!takes[kind]) {
    note(`The agent takes no ${plural}, so it gets a link to ${shown}.`);
    return link;
  }
  if (stats.size > limits.media && !isGiven) {
    note(`${shown} is larger than ${limits.media / 1024 / 1024} MB, so the agent gets a link to it.`);
    return link;
  }
  const bytes = await read(path, stats.size);
  const mimeType = isGiven ? named : sniffMimeType(bytes);
  if (mimeType?.startsWith(`${kind}/`) !== true) {
    note(`${shown} is not what its name says, so the agent gets a link to it.`);
    return link;
  }
  const data = bytes.toString("base64");
  return kind === "image" ? { type: "image", data, mimeType, uri } : { type: "audio", data, mimeType };
}

/** Reads a file that may grow or shrink meanwhile. */
async function read(path: string, size: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
