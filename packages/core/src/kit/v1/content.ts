import type { ContentBlock, ToolCallContent } from "@acp/schema/v1/types";
import { encodeBase64 } from "../../base/values.ts";

type Block<Type extends ContentBlock["type"]> = Extract<ContentBlock, { type: Type }>;

/** Binary data: bytes, or text in base64 already. */
export type Base64Data = string | Uint8Array;

/** A block of text. */
export function text(content: string): Block<"text"> {
  return { type: "text", text: content };
}

/** An image, of a type such as `image/png`. */
export function image(data: Base64Data, mimeType: string): Block<"image"> {
  return { type: "image", data: toBase64(data), mimeType };
}

/** A sound, of a type such as `audio/wav`. */
export function audio(data: Base64Data, mimeType: string): Block<"audio"> {
  return { type: "audio", data: toBase64(data), mimeType };
}

/** A link to a file or page that the reader can open. */
export function resourceLink(uri: string, name: string): Block<"resource_link"> {
  return { type: "resource_link", uri, name };
}

/** A file to put into a message whole. */
export type EmbeddedFile = {
  /** Where it is: `file:///project/notes.md`. */
  readonly uri: string;
  /** Such as `text/markdown`. Default: not told. */
  readonly mimeType?: string | undefined;
} & (
  | {
      /** What is in a text file. */
      readonly text: string;
    }
  | {
      /** What is in any other file. */
      readonly data: Base64Data;
    }
);

/** A file with what is in it. */
export function embeddedFile(file: EmbeddedFile): Block<"resource"> {
  const { uri, mimeType } = file;
  const head = mimeType == null ? { uri } : { uri, mimeType };
  return {
    type: "resource",
    resource: "text" in file ? { ...head, text: file.text } : { ...head, blob: toBase64(file.data) },
  };
}

/** A change of a file. */
export interface FileDiff {
  /** Absolute (TOOL-10). */
  readonly path: string;
  /** The text before; leave it out for a new file. */
  readonly oldText?: string | null | undefined;
  /** The text after. */
  readonly newText: string;
}

/**
 * A change of a file, to be shown in a tool call: `await call.complete([diff({ path, oldText, newText })])`.
 */
export function diff({ path, oldText, newText }: FileDiff): Extract<ToolCallContent, { type: "diff" }> {
  return { type: "diff", path, oldText: oldText ?? null, newText };
}

function toBase64(data: Base64Data): string {
  return typeof data === "string" ? data : encodeBase64(data);
}
