/**
 * One thing that a scripted agent does. Steps are plain JSON, so that a script can be a file; the functions of this module
 * make them.
 */
export type Step =
  | SayStep
  | ThinkStep
  | CallStep
  | AskStep
  | PlanStep
  | UpdateStep
  | RequestStep
  | NotifyStep
  | SendStep
  | RawStep
  | WaitStep
  | WaitForStep
  | EndStep
  | ReplyStep
  | FailStep
  | HangStep
  | CrashStep
  | HangUpStep;

/** When a step happens. */
export interface StepOptions {
  /** Milliseconds to wait before the step. Default: 0. */
  readonly after?: number | undefined;
}

/** Says a piece of the agent's message. */
export interface SayStep extends StepOptions {
  /** The text. */
  readonly say: string;
  /** The id of the message, which version 2 needs. Default: one for all that is said in a turn. */
  readonly messageId?: string | undefined;
}

/** Thinks aloud. */
export interface ThinkStep extends StepOptions {
  /** The text. */
  readonly think: string;
  /** The id of the thought, which version 2 needs. Default: one for all that is thought in a turn. */
  readonly messageId?: string | undefined;
}

/** How a tool call looks, and what becomes of it. */
export interface CallOptions extends StepOptions {
  /** Default: `call-1`, `call-2`, … */
  readonly id?: string | undefined;
  /** `read`, `edit`, `delete`, `execute`, … Default: the title, if it is such a word, else `other`. */
  readonly kind?: string | undefined;
  /** What the tool gets. */
  readonly input?: unknown;
  /** Asks for permission first: `true` offers to allow once and to reject. */
  readonly ask?: boolean | readonly PermissionChoice[] | undefined;
  /** What the tool says, as text. */
  readonly output?: string | undefined;
  /** The change of a file that it makes. */
  readonly diff?: FileDiff | undefined;
  /** How it ends; `running` leaves it as it is. Default: `completed`, or `failed` if the user has not allowed it. */
  readonly ends?: "completed" | "failed" | "running" | undefined;
  /** More members of the call's first update. */
  readonly more?: Readonly<Record<string, unknown>> | undefined;
}

/** A change of a file. */
export interface FileDiff {
  /** The absolute path of the file. */
  readonly path: string;
  /** What the file had; `null` or absent for a new one. */
  readonly oldText?: string | null | undefined;
  /** What the file has. */
  readonly newText: string;
}

/** Calls a tool. A generator that yields it gets the id of the option that was chosen, if it asks. */
export interface CallStep extends CallOptions {
  /** The title of the call. */
  readonly call: string;
}

/** A way to answer a question for permission. */
export interface PermissionChoice {
  /** What the agent gets as the answer. */
  readonly optionId: string;
  /** What the user sees. */
  readonly name: string;
  /** `allow_once`, `allow_always`, `reject_once` or `reject_always`. */
  readonly kind: string;
}

/** Asks the user for permission. A generator that yields it gets the id of the chosen option; `undefined` if cancelled. */
export interface AskStep extends StepOptions {
  /** What the user is asked. */
  readonly ask: string;
  /** The answers that are offered. Default: to allow once, and to reject. */
  readonly options?: readonly PermissionChoice[] | undefined;
  /** More members of the tool call that it is about. */
  readonly toolCall?: Readonly<Record<string, unknown>> | undefined;
}

/** Shows a plan. */
export interface PlanStep extends StepOptions {
  /** Its entries: texts, or with priority and status. */
  readonly plan: readonly (string | PlanEntry)[];
}

/** A line of a plan. */
export interface PlanEntry {
  /** What is to be done. */
  readonly content: string;
  /** Default: `medium`. */
  readonly priority?: "high" | "medium" | "low" | undefined;
  /** Default: `pending`. */
  readonly status?: "pending" | "in_progress" | "completed" | undefined;
}

/** Sends any other update of the session. */
export interface UpdateStep extends StepOptions {
  /** The update, with `sessionUpdate` and what belongs to it. */
  readonly update: Readonly<Record<string, unknown>>;
  /** Of another session than the one that is prompted. */
  readonly sessionId?: string | undefined;
}

/** Sends a request to the client and waits for its answer, which a generator that yields it gets. */
export interface RequestStep extends StepOptions {
  /** Its method. */
  readonly request: string;
  /** The session's id is added, unless it is there. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** Goes on without the answer. */
  readonly unanswered?: boolean | undefined;
}

/** Sends a notification to the client. */
export interface NotifyStep extends StepOptions {
  /** Its method. */
  readonly notify: string;
  /** Its params, as they are. */
  readonly params?: unknown;
}

/** Sends a message as it is. `"<session>"` and `"<id>"` stand for the session and the id of the request that is played. */
export interface SendStep extends StepOptions {
  /** The message. */
  readonly send: Readonly<Record<string, unknown>>;
}

/** Writes text to the wire as it is: noise, part of a line, several messages at once. The same words stand for ids. */
export interface RawStep extends StepOptions {
  /** The text. A line break ends a message. */
  readonly raw: string;
}

/** Waits, in milliseconds. */
export interface WaitStep {
  /** How long, in milliseconds. */
  readonly wait: number;
}

/**
 * Waits until the client sends a request or notification of this method, from now on or earlier in this turn; or until it has
 * answered the requests of this method that the script went on without.
 */
export interface WaitForStep extends StepOptions {
  /** The method, such as `session/cancel`. */
  readonly waitFor: string;
}

/** Ends the turn. Steps behind it come after the answer, as some agents send them. */
export interface EndStep extends StepOptions {
  /** The stop reason, such as `end_turn`. */
  readonly end: string;
  /** More members of the answer. */
  readonly more?: Readonly<Record<string, unknown>> | undefined;
}

/** Answers the request that is played, with this result. */
export interface ReplyStep extends StepOptions {
  /** The result. */
  readonly reply: Readonly<Record<string, unknown>>;
}

/** Answers the request that is played with an error. */
export interface FailStep extends StepOptions {
  /** The error. */
  readonly fail: StepError;
}

/** An error of JSON-RPC. */
export interface StepError {
  /** Its code, such as -32603. */
  readonly code: number;
  /** What went wrong. */
  readonly message: string;
  /** More about it. */
  readonly data?: unknown;
}

/** Does nothing more, and never answers. A cancel is not answered either. */
export interface HangStep extends StepOptions {
  /** Always `true`. */
  readonly hang: true;
}

/** Dies: a real process ends, a connection in memory breaks. */
export interface CrashStep extends StepOptions {
  /** How. */
  readonly crash: CrashOptions;
}

/** How a process dies. */
export interface CrashOptions extends StepOptions {
  /** The exit code. Default: 1. */
  readonly code?: number | undefined;
  /** The signal that ends it, in place of an exit code. */
  readonly signal?: string | undefined;
  /** The last words, on stderr. */
  readonly stderr?: string | undefined;
}

/** Closes the connection; a real process closes its stdout and stays. */
export interface HangUpStep extends StepOptions {
  /** Always `true`. */
  readonly hangUp: true;
}

/** A piece of the agent's message. */
export const say = (text: string, options?: Omit<SayStep, "say">): SayStep => ({ say: text, ...options });

/** A thought. */
export const think = (text: string, options?: Omit<ThinkStep, "think">): ThinkStep => ({ think: text, ...options });

/** A tool call, from its announcement to its end. */
export const call = (title: string, options?: CallOptions): CallStep => ({ call: title, ...options });

/** A question for permission. */
export const ask = (title: string, options?: Omit<AskStep, "ask">): AskStep => ({ ask: title, ...options });

/** A plan: texts, or entries with priority and status. */
export const plan = (entries: readonly (string | PlanEntry)[], options?: StepOptions): PlanStep => ({
  plan: entries,
  ...options,
});

/** Any other update of the session. */
export const update = (value: Readonly<Record<string, unknown>>, options?: Omit<UpdateStep, "update">): UpdateStep => ({
  update: value,
  ...options,
});

/** A request to the client. */
export const request = (
  method: string,
  params?: Readonly<Record<string, unknown>>,
  options?: Omit<RequestStep, "request" | "params">,
): RequestStep => ({ request: method, params, ...options });

/** A notification to the client. */
export const notify = (method: string, params?: unknown, options?: StepOptions): NotifyStep => ({
  notify: method,
  params,
  ...options,
});

/** A message as it is. */
export const send = (message: Readonly<Record<string, unknown>>, options?: StepOptions): SendStep => ({
  send: message,
  ...options,
});

/** Text on the wire as it is. */
export const raw = (text: string, options?: StepOptions): RawStep => ({ raw: text, ...options });

/** A pause, in milliseconds. */
export const pause = (milliseconds: number): WaitStep => ({ wait: milliseconds });

/** Waits for a request or notification of the client. */
export const waitFor = (method: string): WaitForStep => ({ waitFor: method });

/** The end of the turn. Default: `end_turn`. */
export const end = (stopReason = "end_turn", options?: Omit<EndStep, "end">): EndStep => ({
  end: stopReason,
  ...options,
});

/** The answer to the request that is played. */
export const reply = (result: Readonly<Record<string, unknown>>, options?: StepOptions): ReplyStep => ({
  reply: result,
  ...options,
});

/** An error as the answer. */
export const fail = (message: string, code = -32603, data?: unknown): FailStep => ({
  fail: { code, message, ...(data === undefined ? {} : { data }) },
});

/** Nothing more, ever. */
export const hang = (): HangStep => ({ hang: true });

/** The end of the process. */
export const crash = (options?: CrashOptions): CrashStep => {
  const { after, ...how } = options ?? {};
  return { crash: how, after };
};

/** The end of the connection. A process of Deno or Bun keeps its stdout open until it ends: this does nothing there. */
export const hangUp = (options?: StepOptions): HangUpStep => ({ hangUp: true, ...options });
