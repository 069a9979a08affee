import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { type Attachment, attachmentOf } from "../../../protocol/file-kind.ts";
import type { Prompt } from "../../chat-state.ts";
import { type Mention, mentionsOf, spellings } from "./mentions.ts";

/** More files are not attached to one prompt: a pasted log may name thousands. */
const attachmentLimit = 50;

/** Makes a prompt of what the user typed, with the files that it names as `@path`, and images and sounds named by path. */
export function toPrompt(text: string, cwd: string): Prompt {
  const attachments = new Map<string, Attachment>();
  for (const mention of mentionsOf(text)) {
    if (attachments.size === attachmentLimit) break;
    const attachment = find(mention, cwd);
    if (attachment !== undefined) attachments.set(attachment.path, attachment);
  }
  return { text, attachments: [...attachments.values()] };
}

function find({ path, isMarked }: Mention, cwd: string): Attachment | undefined {
  if (!isMarked && !looksLikePath(path)) return undefined;
  for (const name of spellings(path)) {
    const attachment = attachmentOf(absolute(name, cwd));
    if ((isMarked || attachment.kind !== "file") && exists(attachment.path, isMarked)) return attachment;
  }
  return undefined;
}

/** A bare word such as `logo.png` is rather spoken of than attached. */
function looksLikePath(path: string): boolean {
  return /[/\\]/u.test(path);
}

function absolute(name: string, cwd: string): string {
  if (name.startsWith("file://")) {
    try {
      return fileURLToPath(name);
    } catch {
      return resolve(cwd, name);
    }
  }
  return name.startsWith("~/") ? join(homedir(), name.slice(2)) : resolve(cwd, name);
}

function exists(path: string, orFolder: boolean): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (stats.isFile() || (orFolder && stats.isDirectory()));
}
