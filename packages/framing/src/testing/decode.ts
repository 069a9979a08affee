import type { FrameDecoder, Framing, FramingIssue, FramingOptions } from "../framing.ts";

/** What a decoder delivered, in order. */
export interface Decoded {
  readonly messages: string[];
  readonly issues: FramingIssue[];
  /** Texts of messages, and `!` with the code of an issue, in order. */
  readonly events: string[];
}

const encoder = new TextEncoder();

export function bytesOf(...parts: readonly (string | readonly number[])[]): Uint8Array {
  const pieces = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : Uint8Array.from(part)));
  const joined = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}

export function recordingDecoder(framing: Framing, options?: FramingOptions): Decoded & { decoder: FrameDecoder } {
  const messages: string[] = [];
  const issues: FramingIssue[] = [];
  const events: string[] = [];
  const decoder = framing.createDecoder(
    {
      message(text) {
        messages.push(text);
        events.push(text);
      },
      issue(issue) {
        issues.push(issue);
        events.push(`!${issue.code}`);
      },
    },
    options,
  );
  return { messages, issues, events, decoder };
}

/** Decodes `bytes` in chunks of these sizes, in turn; all in one if there are none. Overwrites every chunk afterwards. */
export function decode(
  framing: Framing,
  bytes: Uint8Array,
  sizes: readonly number[] = [],
  options?: FramingOptions,
): Decoded {
  const { decoder, ...decoded } = recordingDecoder(framing, options);
  let offset = 0;
  for (let index = 0; offset < bytes.length; index++) {
    const size = sizes[index % sizes.length] ?? bytes.length;
    const chunk = bytes.slice(offset, offset + size);
    decoder.push(chunk);
    chunk.fill(0x3f);
    offset += size;
  }
  decoder.end();
  return decoded;
}
