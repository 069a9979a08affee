/** The members of a message's `params`, or of an object in them. */
export interface Params {
  readonly sessionId?: unknown;
  readonly update?: unknown;
  readonly [member: string]: unknown;
}

/** Whether `value` is an object, so that its members can be looked at. */
export function isParams(value: unknown): value is Params {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An id or a name as a text. What else a peer may put there is none, and cannot always be written. */
export function textOf(value: unknown): string {
  return typeof value === "object" && value !== null ? "" : String(value);
}
