import { extname } from "node:path";

import { mimeTypes } from "../text/file-content.ts";

export interface Attachment {
  /** Absolute. */
  readonly path: string;
  readonly kind: "file" | "image" | "audio";
  readonly mimeType: string | undefined;
  /** Given with `--attach`: it is sent whatever its size, as what its name says. */
  readonly isGiven?: boolean;
}

/** How files of these types begin; `undefined` stands for any byte. */
const beginnings: readonly (readonly [mimeType: string, bytes: readonly (number | undefined)[]])[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", ascii("GIF8")],
  ["image/webp", [...ascii("RIFF"), ...unknown(4), ...ascii("WEBP")]],
  ["audio/wav", [...ascii("RIFF"), ...unknown(4), ...ascii("WAVE")]],
  ["audio/mpeg", ascii("ID3")],
  ["audio/mpeg", [0xff, 0xfb]],
  ["audio/ogg", ascii("OggS")],
  ["audio/flac", ascii("fLaC")],
  ["audio/mp4", [...unknown(4), ...ascii("ftypM4A")]],
];

/** What a file seems to be by its name. */
export function attachmentOf(path: string): Attachment {
  const mimeType = mimeTypes[extname(path).toLowerCase()];
  return { path, kind: kindOf(mimeType), mimeType };
}

/** The type of an image or a sound by its first bytes; `undefined` if it is neither. */
export function sniffMimeType(bytes: Uint8Array): string | undefined {
  return beginnings.find(([, beginning]) =>
    beginning.every((byte, index) => byte === undefined || byte === bytes[index]),
  )?.[0];
}

function kindOf(mimeType: string | undefined): Attachment["kind"] {
  if (mimeType?.startsWith("image/") === true) return "image";
  return mimeType === undefined ? "file" : "audio";
}

function ascii(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

function unknown(count: number): undefined[] {
  return Array.from({ length: count });
}
