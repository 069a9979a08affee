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
  readonly say: string;
  /** The id of the message, which version 2 needs. Default: one for all that is said in a turn. */
  readonly messageId?: string | undefined;
}

/** Thinks aloud. */
export interface ThinkStep extends StepOptions {
  readonly think: string;
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
  readonly diff?: { readonly path: string; readonly oldText?: string | null; readonly newText: string } | undefined;
  /** How it ends; `running` leaves it as it is. Default: `completed`, or `failed` if the user has not allowed it. */
  readonly ends?: "completed" | "failed" | "running" | undefined;
  /** More members of the call's first update. */
  readonly more?: Readonly<Record<string, unknown>> | undefined;
}

/** Calls a tool. A generator that yields it gets the id of the option that was chosen, if it asks. */
export interface CallStep extends CallOptions {
  readonly call: string;
}

/** A way to answer a question for permission. */
export interface PermissionChoice {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
}

/** Asks the user for permission. A generator that yields it gets the id of the chosen option; `undefined` if cancelled. */
export interface AskStep extends StepOptions {
  readonly ask: string;
  readonly options?: readonly PermissionChoice[] | undefined;
  /** More members of the tool call that it is about. */
  readonly toolCall?: Readonly<Record<string, unknown>> | undefined;
}

/** Shows a plan. */
export interface PlanStep extends StepOptions {
  readonly plan: readonly (string | PlanEntry)[];
}

/** A line of a plan. */
export interface PlanEntry {
  readonly content: string;
  readonly priority?: "high" | "medium" | "low" | undefined;
  readonly status?: "pending" | "in_progress" | "completed" | undefined;
}

/** Sends any other update of the session. */
export interface UpdateStep extends StepOptions {
  readonly update: Readonly<Record<string, unknown>>;
  /** Of another session than the one that is prompted. */
  readonly sessionId?: string | undefined;
}

/** Sends a request to the client and waits for its answer, which a generator that yields it gets. */
export interface RequestStep extends StepOptions {
  readonly request: string;
  /** The session's id is added, unless it is there. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** Goes on without the answer. */
  readonly unanswered?: boolean | undefined;
}

/** Sends a notification to the client. */
export interface NotifyStep extends StepOptions {
  readonly notify: string;
  readonly params?: unknown;
}

/** Sends a message as it is. `"<session>"` and `"<id>"` stand for the session and the id of the request that is played. */
export interface SendStep extends StepOptions {
  readonly send: Readonly<Record<string, unknown>>;
}

/** Writes text to the wire as it is: noise, part of a line, several messages at once. The same words stand for ids. */
export interface RawStep extends StepOptions {
  readonly raw: string;
}

/** Waits, in milliseconds. */
export interface WaitStep {
  readonly wait: number;
}

/** Waits until the client sends a request or notification of this method, from now on or earlier in this turn. */
export interface WaitForStep extends StepOptions {
  readonly waitFor: string;
}

/** Ends the turn. Steps behind it come after the answer, as some agents send them. */
export interface EndStep extends StepOptions {
  readonly end: string;
  /** More members of the answer. */
  readonly more?: Readonly<Record<string, unknown>> | undefined;
}

/** Answers the request that is played, with this result. */
export interface ReplyStep extends StepOptions {
  readonly reply: Readonly<Record<string, unknown>>;
}

/** Answers the request that is played with an error. */
export interface FailStep extends StepOptions {
  readonly fail: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Does nothing more, and never answers. A cancel is not answered either. */
export interface HangStep extends StepOptions {
  readonly hang: true;
}

/** Dies: a real process ends, a connection in memory breaks. */
export interface CrashStep extends StepOptions {
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

/** The end of the connection. */
export const hangUp = (options?: StepOptions): HangUpStep => ({ hangUp: true, ...options });
