/** The two sides of a connection. */
export type Side = "agent" | "client";

/** A violation of the protocol in a message, or a hint. */
export interface Finding {
  /** Where: a JSON pointer into the `params`, the `result`, or the message itself. Empty for all of it. */
  readonly path: string;
  /** Why, for people. Repeats no value of the message. */
  readonly reason: string;
  /** The protocol allows it, but it is hardly meant. Default: `false`, it is a violation. */
  readonly isHint?: boolean;
}

/** A message of a connection, and its violations. */
export interface InspectedMessage {
  /** When it was sent. */
  readonly time: Date;
  /** Who sent it. */
  readonly from: Side;
  /** Its kind; `noise` is no JSON, or no message of JSON-RPC. */
  readonly kind: "request" | "notification" | "result" | "error" | "noise";
  /** Its method; for an answer that of the request; absent if it is unknown. */
  readonly method?: string;
  /** The id of the request, or of the request that it answers. */
  readonly id?: unknown;
  /** For an answer: how long it took, in milliseconds. */
  readonly took?: number;
  /** Its `params`, `result` or `error`, or all of `noise`; secrets included. */
  readonly body: unknown;
  /** Its violations and hints; often none. */
  readonly findings: readonly Finding[];
}

/** A request that was never answered. */
export interface Unanswered {
  /** Who sent it. */
  readonly from: Side;
  readonly method: string;
  readonly id: unknown;
  /** When it was sent. */
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

/** An answer, and its request; nothing is known of an answer without one. */
export interface Answer {
  readonly request: Call;
  /** `undefined` for an error. */
  readonly result: unknown;
}

/** An object of a message. */
export type Members = Readonly<Record<string, unknown>>;

/** The members of an object; of any other value, none. */
export function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

export function otherSide(side: Side): Side {
  return side === "agent" ? "client" : "agent";
}

/** Whether a client starts with this method; a conductor starts its proxies with the other one. */
export function isOpening(method: unknown): boolean {
  return method === "initialize" || method === "proxy/initialize";
}
