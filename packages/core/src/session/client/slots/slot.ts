import type { HeldState } from "./slot-states.ts";

/** A session in the place that it has, or had last, under its id. Only `SessionSlots` writes it. */
export interface Slot<S> {
  readonly state: HeldState | "unknown" | "waiting";
  readonly session: S | undefined;
  /** While opening: the earlier slot, which returns if the agent refuses. */
  readonly before?: Slot<S> | undefined;
  /** The error with which the agent refused to open it, while the user logs in. */
  readonly refusal?: unknown;
  /** How many calls in flight end it. */
  endings: number;
  /** Of a placeholder: whether the agent has asked the user something, or has requested something else, such as a file. */
  hasQuestions?: boolean;
  hasOthers?: boolean;
}

/** The slot of a new session, until its id gets it. */
export const noSlot: Slot<never> = { state: "unknown", session: undefined, endings: 0 };

/** The session that continues if this one is not opened. */
export function replacedBy<S>({ before }: Slot<S>): S | undefined {
  return before === undefined || before.state === "placeholder" ? undefined : before.session;
}

/** Whether its session is open, or being opened. */
export function isLive({ state }: Slot<unknown>): boolean {
  return state === "open" || state === "opening";
}

export function isPlaceholder({ state }: Slot<unknown>): boolean {
  return state === "placeholder";
}

/** Whether it is a placeholder in which the agent has asked the user something. */
export function isAsking(slot: Slot<unknown>): boolean {
  return isPlaceholder(slot) && slot.hasQuestions === true;
}
