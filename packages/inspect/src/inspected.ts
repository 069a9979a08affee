/** The two sides of a connection. */
export type Side = "agent" | "client";

/** Something that is wrong with a message. */
export interface Finding {
  /** Where: a JSON pointer into the `params`, the `result`, or the message itself. Empty for the whole of it. */
  readonly path: string;
  /** Why, for people. Repeats no value of the message. */
  readonly reason: string;
}

/** A message of a connection, and what is wrong with it. */
export interface InspectedMessage {
  /** When it passed. */
  readonly time: Date;
  /** Who has sent it. */
  readonly from: Side;
  /** What it is; `noise` is what is no JSON, or no message of JSON-RPC. */
  readonly kind: "request" | "notification" | "result" | "error" | "noise";
  /** Its method; that of the request, for an answer; absent where that is not known. */
  readonly method?: string;
  /** The id of the request, or of the request that it answers. */
  readonly id?: unknown;
  /** For an answer: how long it took, in milliseconds. */
  readonly took?: number;
  /** Its `params`, `result` or `error`, or the whole of `noise`; secrets included. */
  readonly body: unknown;
  /** What is wrong with it; empty if nothing is. */
  readonly findings: readonly Finding[];
}

/** A request that was never answered. */
export interface Unanswered {
  /** Who has asked. */
  readonly from: Side;
  readonly method: string;
  readonly id: unknown;
  /** When it passed. */
  readonly time: Date;
}

/** A request or a notification. */
export interface Call {
  readonly from: Side;
  readonly method: string;
  readonly params: Members;
  /** Absent for a notification. */
  readonly id?: unknown;
}

/** An answer, and the request that it belongs to; of an answer to nothing, nothing is known. */
export interface Answer {
  readonly request: Call;
  /** `undefined` for an error. */
  readonly result: unknown;
}

/** An object of a message. */
export type Members = Readonly<Record<string, unknown>>;

/** The members of an object; of anything else, none. */
export function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

export function otherSide(side: Side): Side {
  return side === "agent" ? "client" : "agent";
}

/** Whether it is how a client begins; a conductor begins with its proxies in the other way. */
export function isOpening(method: unknown): boolean {
  return method === "initialize" || method === "proxy/initialize";
}
