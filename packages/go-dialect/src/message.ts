import { rawValue } from "@acp/core/internal";
import { isFields } from "@acp/schema";

/** Any JSON object. */
export type Json = { readonly [member: string]: unknown };

/** A parsed message. */
export interface Message {
  readonly body: Json;
  /** The id as exact JSON text; `undefined` if there is none. */
  readonly id: string | undefined;
}

/** The value if it is an object, else an empty object. */
export function objectOf(value: unknown): Json {
  return isFields(value) ? value : {};
}

export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Reads a message; `undefined` if the text is not a message. */
export function readMessage(text: string): Message | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isFields(body)) return undefined;
  const { id } = body;
  if (id === undefined) return { body, id };
  // The connection refuses such an id.
  if (typeof id === "object" && id !== null) return undefined;
  // JSON.parse rounds a large number, and the answer has to repeat it exactly (RPC-04).
  const isRounded = typeof id === "number" && !Number.isSafeInteger(id);
  return { body, id: (isRounded ? rawValue(text, ["id"]) : undefined) ?? JSON.stringify(id) };
}

/** Writes a message with this id, as JSON text. */
export function writeMessage(body: Json, id: string | undefined): string {
  const { jsonrpc: _, id: __, ...rest } = body;
  const members = JSON.stringify(rest).slice(1);
  return `{"jsonrpc":"2.0",${id === undefined ? "" : `"id":${id},`}${members}`;
}
