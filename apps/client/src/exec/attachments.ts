import { readFile } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { optionError } from "../cli/options.ts";
import type { PromptBlock, PromptKinds } from "../protocol/agent.ts";
import { mimeTypes, utf8Text } from "../text/file-content.ts";
import { execSpec } from "./exec-spec.ts";

/** A file of `--attach`. */
export interface AttachedFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** @throws {CommandLineError} if one cannot be read. */
export function readAttachments(paths: readonly string[]): Promise<readonly AttachedFile[]> {
  return Promise.all(
    paths.map(async (name) => {
      const path = resolve(name);
      try {
        return { path, bytes: await readFile(path) };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw optionError("attach", execSpec.options.attach, `--attach cannot be read: ${reason}`);
      }
    }),
  );
}

const mediaTypes: Readonly<Record<string, string>> = { ...mimeTypes, ".svg": "image/svg+xml", ".bmp": "image/bmp" };

/** A file as the agent takes it: its content, or a link to it. */
export function toBlock({ path, bytes }: AttachedFile, takes: PromptKinds): PromptBlock {
  const uri = pathToFileURL(path).href;
  const mimeType = mediaTypes[extname(path).toLowerCase()];
  const isText = mimeType === undefined || mimeType === "image/svg+xml";
  if (!isText && mimeType.startsWith("image/") && takes.image)
    return { type: "image", mimeType, data: base64(bytes), uri };
  if (!isText && mimeType.startsWith("audio/") && takes.audio) return { type: "audio", mimeType, data: base64(bytes) };
  const text = isText && takes.embeddedContext ? utf8Text(bytes) : undefined;
  if (text !== undefined) return { type: "resource", resource: { uri, text } };
  const link = { type: "resource_link", uri, name: basename(path), size: bytes.length } as const;
  return mimeType === undefined ? link : { ...link, mimeType };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
