/**
 * Hostile input as data. A row says what an attacker sends to a running agent or a running client, and
 * what has to come of it. Rows sit in `rows/`, by theme; a new finding is a new row there.
 */

/** Which of our programs is attacked. */
export type Role = "agent" | "client";

export type FramingName = "ndjson" | "content-length";

/** Text, or text many times over, so that rows stay small where messages are large. */
export type Piece = string | { readonly repeat: string; readonly times: number };

/** One thing that the attacker does. */
export type Act =
  /** A message, put into the connection's framing. `<session>` stands for an open session, `<id>` for the id of `call`. */
  | string
  /** The same, in pieces. */
  | readonly Piece[]
  /** A message of which each character is one byte, put into the framing. */
  | { readonly message: string }
  /** Bytes as they are, without framing: each character is one byte. */
  | { readonly bytes: string }
  /** Bytes in pieces. */
  | { readonly bytesOf: readonly Piece[] }
  /** The same messages many times; `<n>` counts them from 1. */
  | { readonly flood: string; readonly times: number }
  /** Ends the direction towards the attacked side; the other one stays open. */
  | { readonly ends: "input" }
  /** Stops reading what the attacked side writes. */
  | { readonly ends: "output" }
  /** Does this and reads nothing meanwhile, until the attacked side has told so many diagnostics. */
  | { readonly unread: Act; readonly told: number }
  /** Goes on only when the answer to this id, as JSON text, has come. */
  | { readonly awaits: string }
  /** Does nothing for so many milliseconds. */
  | { readonly rests: number };

/** What has to come of a row. */
export interface Expectation {
  /**
   * The answers, in order, as JSON texts; numbers are compared digit by digit, and `"<any>"` fits any
   * value. Default: silence.
   */
  readonly answers?: readonly string[];
  /** What the attacked side's diagnostics name, in order: type, method and path. Default: nothing. */
  readonly diagnostics?: readonly string[];
  /** What becomes of `call`: `resolved`, or the code of the error and where it is. */
  readonly outcome?: string;
  /** How the attacked program ends, where it has to: its exit code or signal. */
  readonly exit?: number | string;
}

export interface Row {
  /** What is sent, in words. */
  readonly name: string;
  /** The rules of the specification that say what has to happen. */
  readonly rules?: readonly string[];
  /** A request that the attacked side makes first; its id stands for `<id>` in what is sent. */
  readonly call?: {
    readonly method: string;
    readonly params?: unknown;
    /** The caller gives up before the row is sent. */
    readonly abandon?: boolean;
  };
  readonly sends: readonly Act[];
  /** What an agent does with it; without one, no agent is attacked. */
  readonly agent?: Expectation;
  /** What a client does with it; without one, no client is attacked. */
  readonly client?: Expectation;
  /** The framings it is sent in. Default: both. */
  readonly framings?: readonly FramingName[];
  /** Runs in a process of its own: `opening` before `initialize` was called, `alone` after it. */
  readonly process?: "opening" | "alone";
  /** What of the input the protocol itself sends back, so that it may stand in an answer. */
  readonly echoes?: "the id" | "the method's name" | "the name of a member";
  /** Set on rows that were made from a valid message, by the place that went wrong. */
  readonly shape?: Shape;
  /** Most memory the attacked process may ever have taken by then, in MiB. */
  readonly memory?: number;
}

/** What is wrong with a message that was made from a valid one. */
export interface Shape {
  readonly method: string;
  readonly place: string;
  /** What stands there, as JSON text, or `missing`. */
  readonly value: string;
  /** What a reader has to make of it. */
  readonly reading: "refused" | "mended" | "as it is";
}

/** An agent and a client do the same with it. */
export function both(expected: Expectation): Pick<Row, "agent" | "client"> {
  return { agent: expected, client: expected };
}

/** Rows that belong together, with a sentence or two about them. */
export interface Theme {
  readonly title: string;
  readonly text: string;
  readonly rows: readonly Row[];
}

/** Stands in inputs, as what must never be in an answer or in the message of a diagnostic. */
export const marker = "hunter2";
