// Blocks of content. Their types are those of version 1, which are blocks of version 2 as well.
import type { ContentBlock } from "@acp/schema/v1/types";
import { encodeBase64 } from "../../base/values.ts";
import type { TextBlock } from "../../session/agent/send-content.ts";
import { requireArgument, requireObject } from "../../base/require-argument.ts";

type BlockOf<Type extends ContentBlock["type"]> = Extract<ContentBlock, { type: Type }>;

/** Binary data: bytes, or text that is already in base64. */
export type Base64Data = string | Uint8Array;

/** A block of text. */
export function text(content: string): BlockOf<"text"> {
  return { type: "text", text: content };
}

/** An image, with a media type such as `image/png`. */
export function image(data: Base64Data, mimeType: string): BlockOf<"image"> {
  return { type: "image", data: toBase64(data), mimeType };
}

/** Audio, with a media type such as `audio/wav`. */
export function audio(data: Base64Data, mimeType: string): BlockOf<"audio"> {
  return { type: "audio", data: toBase64(data), mimeType };
}

/** A link to a file or page that the reader can open. */
export function resourceLink(uri: string, name: string): BlockOf<"resource_link"> {
  return { type: "resource_link", uri, name };
}

/** A file to include in a message: `text` for the contents of a text file, `data` for those of any other file. */
export type EmbeddedFile = {
  /** The URI of the file, such as `file:///project/notes.md`. */
  readonly uri: string;
  /** The media type, such as `text/markdown`. Default: none. */
  readonly mimeType?: string | undefined;
} & ({ readonly text: string } | { readonly data: Base64Data });

/** A file with its contents. */
export function embeddedFile(file: EmbeddedFile): BlockOf<"resource"> {
  requireObject(file, "embeddedFile() takes a file: { uri, text }");
  const { uri, mimeType } = file;
  const head = mimeType == null ? { uri } : { uri, mimeType };
  return {
    type: "resource",
    resource: "text" in file ? { ...head, text: file.text } : { ...head, blob: toBase64(file.data) },
  };
}

function toBase64(data: Base64Data): string {
  if (typeof data === "string") return data;
  requireArgument(data instanceof Uint8Array, "Binary content is a Uint8Array, or text in base64", data);
  return encodeBase64(data);
}

/** Content to send: text, a block, or several blocks. */
export type Blocks<Block> = string | Block | readonly Block[];

/** The blocks of some content. */
export function toBlocks<Block extends object>(content: Blocks<Block>): (Block | TextBlock)[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return isList(content) ? [...content] : [content];
}

function isList<Block>(content: Block | readonly Block[]): content is readonly Block[] {
  return Array.isArray(content);
}
