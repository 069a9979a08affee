import { decodeUtf8Leniently, withoutByteOrderMark } from "./utf8.ts";

/** A parsed header line. */
export interface HeaderField {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
}

/** What a header section says about its body. */
export type HeaderSection =
  | { readonly ok: true; readonly length: number; readonly defect?: string }
  | { readonly ok: false; readonly reason: string };

/** Parses a line (without its line end); `undefined` if it is no field. */
export function parseHeaderField(line: string): HeaderField | undefined {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) return undefined;
  return { name: name.toLowerCase(), value: value.trim() };
}

/** Decodes a header line, without its line end and a byte order mark. */
export function headerText(line: Uint8Array): string {
  return withoutByteOrderMark(decodeUtf8Leniently(line)).trimEnd();
}

/** More than a `Content-Length` field with its line end takes. */
const longestField = 64;

/**
 * Finds a `Content-Length` field at the end of `line` (which has its line end), behind other bytes. It is no part of a message's
 * text, since a JSON string has no raw line end. Behind a hyphen it is the end of another name.
 */
export function findTrailingLength(
  line: Uint8Array,
): { readonly start: number; readonly field: HeaderField } | undefined {
  const end = decodeUtf8Leniently(line.subarray(Math.max(0, line.length - longestField)));
  const [field, value] = /(?<!-)content-length[ \t]*:[ \t]*(\d+)[ \t]*\r?\n$/i.exec(end) ?? [];
  if (field === undefined || value === undefined) return undefined;
  // The field is ASCII: its length is its size in bytes.
  return { start: line.length - field.length, field: { name: "content-length", value } };
}

const plainStart = "Content-Length: ";
/** Enough for 9,999,999,999 bytes. */
const mostDigits = 10;

/** Reads the header that nearly everyone writes, if all of it is at `offset`: `Content-Length: 12` and an empty line. */
export function readPlainHeader(
  chunk: Uint8Array,
  offset: number,
): { readonly length: number; readonly size: number } | undefined {
  for (let index = 0; index < plainStart.length; index++) {
    if (chunk[offset + index] !== plainStart.charCodeAt(index)) return undefined;
  }
  const first = offset + plainStart.length;
  let length = 0;
  let end = first;
  for (; end < first + mostDigits; end++) {
    const digit = (chunk[end] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) break;
    length = length * 10 + digit;
  }
  const isWhole =
    end > first && chunk[end] === 0x0d && chunk[end + 1] === 0x0a && chunk[end + 2] === 0x0d && chunk[end + 3] === 0x0a;
  return isWhole ? { length, size: end + 4 - offset } : undefined;
}

/** Whether a field belongs to a section; any other is noise with a colon in it. */
export function isHeaderName(name: string): boolean {
  return /^(content-[a-z]+|x-.*)$/.test(name);
}

/** Reads a section. Equal lengths may be repeated; a charset other than UTF-8 is a defect of the body. */
export function readHeaderSection(fields: readonly HeaderField[]): HeaderSection {
  const lengths = new Set<string>();
  let defect: string | undefined;
  for (const { name, value } of fields) {
    if (name === "content-length") lengths.add(value);
    if (name === "content-type") defect ??= charsetDefect(value);
  }
  const [length, other] = lengths;
  if (length === undefined) return { ok: false, reason: "Found a header without Content-Length" };
  if (other !== undefined) {
    return { ok: false, reason: "Found a header with conflicting lengths" };
  }
  if (!/^\d+$/.test(length)) {
    return { ok: false, reason: "Found a Content-Length that is no count of bytes" };
  }
  return { ok: true, length: Number(length), defect };
}

function charsetDefect(contentType: string): string | undefined {
  const [, charset] = /;[ \t]*charset[ \t]*=[ \t]*"?([^";]*)"?/i.exec(contentType) ?? [];
  if (charset === undefined || /^utf-?8$/i.test(charset.trim())) return undefined;
  return "Left out a message in another character set, only UTF-8 is read";
}
