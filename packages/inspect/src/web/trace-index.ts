/** The index of a trace: columns with a value for each message, or for those messages that have one. */
export interface TraceIndex {
  readonly title: string;
  /** The time of the first message, in milliseconds since 1970. */
  readonly start: number;
  /** The first message of each chunk. */
  readonly chunks: readonly number[];
  /** Whether it contains passwords and tokens. */
  readonly withSecrets: boolean;
  /** Whether texts were replaced by their lengths. */
  readonly withoutText: boolean;
  readonly names: readonly string[];
  readonly sessions: readonly string[];
  /** The id and the title of each tool call. */
  readonly tools: readonly (readonly [id: string, title: string])[];
  /** What is wrong, in words: findings refer to them. */
  readonly reasons: readonly string[];
  /** Milliseconds since the message before. */
  readonly times: readonly number[];
  /** The kind of each message times 4, plus 1 if the agent sent it, plus 2 if it continues the text of the row before. */
  readonly marks: readonly number[];
  /** The name of each message: its method, and the kind of its update. */
  readonly name: readonly number[];
  /** The session of each message plus 1; 0 for none. */
  readonly session: readonly number[];
  /** The turn of each message, from 1; 0 for none. */
  readonly turn: readonly number[];
  /** The tool call of each message plus 1; 0 for none. */
  readonly tool: readonly number[];
  /** How long each message is, in bytes of UTF-8. */
  readonly size: readonly number[];
  /** The ids of requests and answers, in order. */
  readonly ids: readonly string[];
  /** For answers in order: how many messages before is the request; 0 for none. */
  readonly answers: readonly number[];
  /** Only for two recordings. */
  readonly comparison?: TraceComparison | undefined;
  /** The message, where in it, the reason, and 1 for a hint. */
  readonly findings: readonly (readonly [message: number, path: string, reason: number, isHint: 0 | 1])[];
}

/** Two recordings in one trace, compared. */
export interface TraceComparison {
  /** The first message of the second recording. */
  readonly from: number;
  /** The rows in order; -1 for a message that is not there, and the members that differ: where, and both values as JSON. */
  readonly rows: readonly {
    readonly left: number;
    readonly right: number;
    readonly changes: readonly (readonly [path: string, left: string | undefined, right: string | undefined])[];
    /** How many times as long the answer took. */
    readonly ratio?: number | undefined;
  }[];
}

/** The kinds of messages, as `marks` counts them. */
export const kinds = ["request", "notification", "result", "error", "noise"] as const;

/** What the page shows of one message; its text comes separately. */
export interface TraceEntry {
  /** In milliseconds since 1970; not a number if it is unknown. */
  readonly time: number;
  readonly from: "agent" | "client";
  readonly kind: (typeof kinds)[number];
  readonly name: string;
  readonly session?: string | undefined;
  /** From 1. */
  readonly turn?: number | undefined;
  readonly tool?: string | undefined;
  /** The title of a tool call that begins. */
  readonly title?: string | undefined;
  /** The id of a request or an answer, as JSON. */
  readonly id?: string | undefined;
  /** How many messages before an answer is its request. */
  readonly answers?: number | undefined;
  /** Whether it continues the text of the message before. */
  readonly joins: boolean;
  readonly size: number;
  readonly findings: readonly TraceFinding[];
}

/** A violation or a hint. */
export interface TraceFinding {
  readonly path: string;
  readonly reason: string;
  readonly isHint: boolean;
}
