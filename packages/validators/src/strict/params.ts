/** The members of a message's `params`, or of an object in them. */
export interface Params {
  readonly sessionId?: unknown;
  readonly update?: unknown;
  readonly [member: string]: unknown;
}

/** Whether `value` is an object, so that its members can be read. */
export function isParams(value: unknown): value is Params {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads an id or a name as text. Any other value is none, and cannot always be written. */
export function textOf(value: unknown): string {
  return typeof value === "object" && value !== null ? "" : String(value);
}
