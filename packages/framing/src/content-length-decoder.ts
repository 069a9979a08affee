import {
  findTrailingLength,
  type HeaderField,
  headerText,
  isHeaderName,
  parseHeaderField,
  readHeaderSection,
  readPlainHeader,
} from "./content-length-header.ts";
import { excerptOf } from "./excerpt.ts";
import type { FrameDecoder, FrameSink, FramingIssue, FramingOptions } from "./framing.ts";
import { createHeldBytes, type HeldBytes } from "./held-bytes.ts";
import { defaultMaxMessageBytes } from "./limits.ts";
import { decodeUtf8, isBlank, withoutByteOrderMark } from "./utf8.ts";

const LINE_FEED = 0x0a;
/** The largest header section, and the longest line that can be a header, in bytes. */
const largestSection = 8 * 1024;

/** A message over the limit: its bytes are discarded up to the size that its header claims, or up to the next header. */
interface Oversized {
  readonly claimed: number;
  readonly dropped: HeldBytes;
  remaining: number;
}

/** Reads a body, an oversized body, or header lines and the noise between them. */
export class ContentLengthDecoder implements FrameDecoder {
  readonly #sink: FrameSink;
  readonly #limit: number;
  /** The header line that is being received. */
  readonly #line: HeldBytes = createHeldBytes(largestSection);
  readonly #held: HeldBytes = createHeldBytes();
  #fields: HeaderField[] = [];
  #sectionBytes = 0;
  #sectionHasNoise = false;
  /** Bytes before a header that are not reported yet. */
  #noise: HeldBytes | undefined;
  #isBehindBadHeader = false;
  #body: { readonly length: number; readonly defect?: string } | undefined;
  #oversized: Oversized | undefined;

  constructor(sink: FrameSink, options: FramingOptions | undefined) {
    this.#sink = sink;
    this.#limit = options?.maxMessageBytes ?? defaultMaxMessageBytes;
  }

  push(chunk: Uint8Array): void {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.#body !== undefined) offset += this.#readBody(chunk, offset, this.#body);
      else if (this.#oversized !== undefined) offset += this.#readOversized(chunk, offset, this.#oversized);
      else offset += this.#readHeader(chunk, offset);
    }
    // Not only when the next header comes, which may be much later.
    if (this.#line.size <= largestSection) this.#reportNoise();
  }

  end(): void {
    if (this.#body !== undefined) this.#reportTruncatedBody(this.#body.length);
    else if (this.#oversized !== undefined) this.#finishOversized(this.#oversized);
    else this.#endHeader();
  }

  #readBody(chunk: Uint8Array, offset: number, body: { readonly length: number; readonly defect?: string }): number {
    const missing = body.length - this.#held.size;
    const part = chunk.subarray(offset, offset + missing);
    if (part.length === body.length) {
      this.#finishBody(part, body.defect);
    } else {
      this.#held.add(part);
      if (part.length === missing) this.#finishBody(this.#held.take(), body.defect);
    }
    return part.length;
  }

  #finishBody(bytes: Uint8Array, defect: string | undefined): void {
    this.#body = undefined;
    if (defect !== undefined) return this.#report("invalid-header", defect, bytes);
    const decoded = decodeUtf8(bytes);
    if (decoded === undefined) {
      const message = `Left out a message of ${bytes.length} bytes that is not valid UTF-8`;
      return this.#report("invalid-utf8", message, bytes);
    }
    const text = withoutByteOrderMark(decoded);
    if (!isBlank(text)) this.#sink.message(text);
  }

  #readOversized(chunk: Uint8Array, offset: number, oversized: Oversized): number {
    const rest = chunk.subarray(offset, offset + oversized.remaining);
    const { taken, isComplete } = this.#addToLine(rest);
    oversized.remaining -= taken;
    if (isComplete) {
      const field = this.#discardLine(oversized.dropped);
      if (field !== undefined) {
        this.#finishOversized(oversized);
        this.#beginSection(field);
        return taken;
      }
    }
    if (oversized.remaining === 0) this.#finishOversized(oversized);
    return taken;
  }

  #finishOversized({ claimed, dropped, remaining }: Oversized): void {
    if (this.#line.size > 0) this.#discardLine(dropped);
    this.#oversized = undefined;
    const { size } = dropped;
    const excerpt = excerptOf(dropped.take(), size);
    this.#sink.issue({
      code: "message-too-large",
      message:
        remaining === 0
          ? `Left out a message of ${claimed} bytes, the limit is ${this.#limit}`
          : `Left out ${size} bytes behind a header that claims ${claimed}, the limit is ${this.#limit}`,
      limit: this.#limit,
      ...excerpt,
    });
  }

  #readHeader(chunk: Uint8Array, offset: number): number {
    if (this.#line.size === 0 && this.#fields.length === 0) {
      const plain = readPlainHeader(chunk, offset);
      if (plain !== undefined) {
        this.#reportNoise();
        this.#isBehindBadHeader = false;
        this.#beginBody(plain.length, undefined);
        return plain.size;
      }
    }
    const { taken, isComplete } = this.#addToLine(chunk.subarray(offset));
    if (isComplete) this.#headerLine();
    return taken;
  }

  /** Adds bytes to the header line, up to the first line feed. */
  #addToLine(bytes: Uint8Array): { readonly taken: number; readonly isComplete: boolean } {
    const end = bytes.indexOf(LINE_FEED);
    const taken = end === -1 ? bytes.length : end + 1;
    this.#line.add(bytes.subarray(0, taken));
    return { taken, isComplete: end !== -1 };
  }

  /** Adds the line to the noise, except a `Content-Length` field at its end: a header may follow noise without a line break. */
  #discardLine(noise: HeldBytes, size = this.#line.size, line = this.#line.take()): HeaderField | undefined {
    const found = findTrailingLength(line);
    const fieldSize = found === undefined ? 0 : line.length - found.start;
    noise.add(line.subarray(0, line.length - fieldSize), size - fieldSize);
    return found?.field;
  }

  #headerLine(): void {
    const { size } = this.#line;
    const line = this.#line.take();
    const isTooLong = size > largestSection;
    const text = headerText(line);
    if (text === "" && !isTooLong) return this.#endSection();
    const field = isTooLong ? undefined : parseHeaderField(text);
    if (field !== undefined && this.#isExpected(field)) {
      // Behind noise it starts another message: the noise was the body of a header without its empty line.
      if (field.name === "content-length" && this.#sectionHasNoise) return this.#beginSection(field);
      return this.#addField(field, size);
    }
    this.#sectionHasNoise = this.#fields.length > 0;
    const trailing = this.#discardLine(this.#noiseSoFar(), size, line);
    if (trailing !== undefined) this.#beginSection(trailing);
  }

  #isExpected({ name }: HeaderField): boolean {
    // The rest of a rejected section is noise, up to a field that can start another one.
    if (this.#isBehindBadHeader && this.#fields.length === 0) return name === "content-length";
    return isHeaderName(name);
  }

  /** Starts a section in an unexpected place: behind noise, or inside another section. */
  #beginSection(field: HeaderField): void {
    this.#reportNoise();
    if (this.#fields.length > 0) {
      this.#sink.issue({ code: "invalid-header", message: "Found a header without an empty line behind it" });
    }
    this.#clearSection();
    this.#addField(field, 0);
  }

  #addField(field: HeaderField, size: number): void {
    this.#reportNoise();
    this.#sectionBytes += size;
    if (this.#sectionBytes > largestSection) {
      return this.#rejectSection(`Found a header of more than ${largestSection} bytes`);
    }
    this.#fields.push(field);
  }

  /** An empty line ends a section, unless it has no field yet. */
  #endSection(): void {
    if (this.#fields.length === 0) return;
    this.#reportNoise();
    const section = readHeaderSection(this.#fields);
    if (!section.ok) return this.#rejectSection(section.reason);
    this.#clearSection();
    this.#isBehindBadHeader = false;
    this.#beginBody(section.length, section.defect);
  }

  #rejectSection(reason: string): void {
    this.#clearSection();
    this.#isBehindBadHeader = true;
    this.#sink.issue({ code: "invalid-header", message: reason });
  }

  #clearSection(): void {
    this.#fields = [];
    this.#sectionBytes = 0;
    this.#sectionHasNoise = false;
  }

  #beginBody(length: number, defect: string | undefined): void {
    if (length > this.#limit) {
      this.#oversized = { claimed: length, dropped: createHeldBytes(0), remaining: length };
    } else if (length > 0) {
      this.#body = { length, defect };
    }
  }

  #noiseSoFar(): HeldBytes {
    this.#noise ??= createHeldBytes(0);
    return this.#noise;
  }

  #reportNoise(): void {
    if (this.#noise === undefined) return;
    const { size } = this.#noise;
    const excerpt = excerptOf(this.#noise.take(), size);
    this.#noise = undefined;
    if (size === 0) return;
    this.#sink.issue({
      code: "unexpected-bytes",
      message: this.#describeNoise(excerpt.bytes, excerpt.head),
      ...excerpt,
    });
  }

  #describeNoise(bytes: number, head: string): string {
    if (this.#isBehindBadHeader) return `Left out ${bytes} bytes behind a header that could not be used`;
    if (withoutByteOrderMark(head).trimStart().startsWith("{")) {
      return "Found JSON where a header should stand: the peer seems to use ndjson framing, this side content-length";
    }
    return `Left out ${bytes} bytes where a header should stand`;
  }

  #reportTruncatedBody(length: number): void {
    const bytes = this.#held.take();
    this.#body = undefined;
    this.#report("truncated-message", `The stream ended ${bytes.length} bytes into a message of ${length}`, bytes);
  }

  #endHeader(): void {
    const { size } = this.#line;
    const rest = this.#line.take();
    const text = headerText(rest);
    const startsHeader = size <= largestSection && text.toLowerCase().startsWith("content-");
    const isHeader = this.#fields.length > 0 || startsHeader;
    if (!isHeader && text !== "") this.#noiseSoFar().add(rest, size);
    this.#reportNoise();
    if (isHeader) this.#report("truncated-message", "The stream ended inside a header", rest);
  }

  #report(code: FramingIssue["code"], message: string, bytes: Uint8Array): void {
    this.#sink.issue({ code, message, ...excerptOf(bytes) });
  }
}
