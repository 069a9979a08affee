import type { Decoder } from "./decoding/index.ts";
import type { ArgumentCheck } from "./argument-checks.ts";
import { sent, type SentShape } from "./sent-shapes.ts";

// For generated tables.
export { readAny, readBoolean, readFields, readNumber, readString } from "./decoding/index.ts";
export { checkPlaces, sent, sentCommand, sentLine, sentPath } from "./sent-shapes.ts";
export { type ArgumentCheck, isRelative, type InvalidArgument } from "./argument-checks.ts";

/** Types of a request: what its sender writes, and what its receiver reads (with unknown variants). */
export interface Request<Params, Result, ReceivedParams = Params, ReceivedResult = Result> {
  readonly kind: "request";
  /** What the caller writes. */
  readonly params: Params;
  /** What the handler answers. */
  readonly result: Result;
  /** What the handler reads, and what the caller reads. */
  readonly received: { readonly params: ReceivedParams; readonly result: ReceivedResult };
}

/** Types of a notification: what its sender writes, and what its receiver reads. */
export interface Notification<Params, ReceivedParams = Params> {
  readonly kind: "notification";
  /** What the sender writes. */
  readonly params: Params;
  /** What the handler reads. */
  readonly received: { readonly params: ReceivedParams };
}

/** What must hold before a method may be called, or a variant sent. */
export type Gate =
  /** The side that handles it advertised this capability: `true` or an object, at this path. */
  | {
      readonly kind: "capability";
      readonly path: readonly string[];
      /** How support is written: `true`, or `{}`. */
      readonly value: "boolean" | "object";
      /** The gate counts only for params whose member has this value: `{ member: "mode", value: "form" }`. */
      readonly when?: { readonly member: string; readonly value: string };
      /** Set when it is the calling side that has to have advertised it (MCP over ACP). */
      readonly by?: "caller";
    }
  /** The session's setup answer carried this member: `modes`, `configOptions`. */
  | { readonly kind: "session"; readonly member: string }
  /** The agent offered a login method of this type; without a type, any. */
  | { readonly kind: "authMethod"; readonly type?: string };

/** A gate on a capability. */
export type CapabilityGate = Extract<Gate, { readonly kind: "capability" }>;
type GateTerms = Pick<CapabilityGate, "when" | "by">;

/** For generated tables: a gate on a capability that is written as `true`, at a path like `fs.readTextFile`. */
export function flagGate(path: string, terms?: GateTerms): CapabilityGate {
  return { kind: "capability", path: path.split("."), value: "boolean", ...terms };
}

/** For generated tables: a gate on a capability that is written as `{}`. */
export function objectGate(path: string, terms?: GateTerms): CapabilityGate {
  return { ...flagGate(path, terms), value: "object" };
}

/** For generated tables: a message that its sender's session sends, with params of this shape. */
export function inSession<Entry>(shape: SentShape, entry: Entry): Entry & CalledNotification {
  return { ...entry, sent: sent(shape), sessionScoped: true };
}

/** Checks the paths and lines of the params that are received. Absent where they have none. */
export interface ParamsCheck {
  readonly checkParams?: ArgumentCheck;
}

/** A request that a role answers. */
export interface HandledRequest extends ParamsCheck {
  /** Reads the params. */
  readonly params: Decoder<unknown>;
  /** Checks the result before it is sent. */
  readonly sent?: Decoder<unknown>;
  /** Gates on the role's own capabilities. */
  readonly gates?: readonly Gate[];
  /** Opens a session, whose id is in the params or in the result. */
  readonly opensSession?: "params" | "result";
  /** The session that its params name is closed once it is answered. */
  readonly endsSession?: true;
  /** An agent refuses it unless the session that its params name is open. */
  readonly needsOpenSession?: true;
}

/** A notification that a role receives. */
export interface HandledNotification extends ParamsCheck {
  /** Reads the params. */
  readonly params: Decoder<unknown>;
  /** Gates on the role's own capabilities. */
  readonly gates?: readonly Gate[];
  /** Handled the moment it arrives, never queued behind others. */
  readonly unqueued?: true;
}

/** A request that a role sends. */
export interface CalledRequest {
  /** Reads the result. */
  readonly result: Decoder<unknown>;
  /** Checks the paths and lines of the result. Absent where it has none. */
  readonly checkResult?: ArgumentCheck;
  /** Checks the params before they are sent. */
  readonly sent?: Decoder<unknown>;
  /** Gates on the peer's capabilities. */
  readonly gates?: readonly Gate[];
  /** Opens a session, whose id is in the params or in the result. */
  readonly opensSession?: "params" | "result";
  /** The session that its params name is closed once it is answered. */
  readonly endsSession?: true;
  /** Its params always name a session, in `sessionId`. */
  readonly sessionScoped?: true;
  /** Its answer is delivered only after the session's earlier notifications were handled. */
  readonly endsTurn?: true;
}

/** A notification that a role sends. */
export interface CalledNotification {
  /** Checks the params before they are sent. */
  readonly sent?: Decoder<unknown>;
  /** Gates on the peer's capabilities. */
  readonly gates?: readonly Gate[];
  /** Its params always name a session, in `sessionId`. */
  readonly sessionScoped?: true;
}

/** All that one role of one protocol version handles and calls. Keys are wire method names. */
export interface RoleTable {
  /** The number that `initialize` negotiates. */
  readonly protocolVersion: number;
  /** `agent` or `client`. */
  readonly role: string;
  /** What it receives. */
  readonly handles: {
    readonly requests: Readonly<Record<string, HandledRequest>>;
    readonly notifications: Readonly<Record<string, HandledNotification>>;
  };
  /** What it sends. */
  readonly calls: {
    readonly requests: Readonly<Record<string, CalledRequest>>;
    readonly notifications: Readonly<Record<string, CalledNotification>>;
  };
  /** Gates on union variants, by definition and tag: `variants.SessionUpdate.notice`. The capability is the receiver's. */
  readonly variants: Readonly<Record<string, Readonly<Record<string, Gate>>>>;
  /** Gates on what a session may be opened with, by member of the params; `when` is about the member's value. */
  readonly setup?: Readonly<Record<string, readonly Gate[]>>;
}
