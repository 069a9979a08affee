import { printableLine } from "@acp/render/text";

/** Extensions of images and sounds that agents and their models can be expected to know. */
export const mimeTypes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".wav": "audio/wav",
  ".mp3": "audio/mpeg",
  ".ogg": "audio/ogg",
  ".flac": "audio/flac",
  ".m4a": "audio/mp4",
};

const reasons: Readonly<Record<string, readonly [why: string, advice: string]>> = {
  ENOENT: ["there is no such file", "Check its path"],
  ENOTDIR: ["there is no such file", "Check its path"],
  EACCES: ["you may not read it", "Make it readable: chmod u+r"],
  EISDIR: ["it is a folder", "Name a file in it"],
};

/** Why a file cannot be read, and what to do, in words. */
export function whyUnreadable(path: string, error: unknown): string {
  const { code = "", message = String(error) } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const [why, advice] = reasons[code] ?? [printableLine(message)];
  return `${printableLine(path)} cannot be read: ${why}${advice === undefined ? "" : `. ${advice}`}`;
}

/** The text in the bytes of a file; `undefined` if they are none. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
