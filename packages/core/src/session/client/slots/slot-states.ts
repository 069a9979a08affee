/**
 * The state of a session's id on a client.
 *
 * - `unknown`: nobody has used it, or it was forgotten.
 * - `placeholder`: the agent has sent requests for it, and it may be the session that is being opened.
 * - `unclaimed`: the agent works in it by itself.
 * - `opening`: a call that names it is in flight.
 * - `waiting`: such a call is not sent yet, because of an interceptor or a login, and the id has no other session.
 * - `open`: the agent has opened it for this client, or this client has claimed it.
 * - `ended`: it was closed, or could not be opened. Late messages do not reopen it.
 */
export type SlotState = "unknown" | "placeholder" | "unclaimed" | "opening" | "waiting" | "open" | "ended";

/** The states in which a session belongs to the id. */
export type HeldState = "placeholder" | "unclaimed" | "opening" | "open";

interface Transition {
  readonly from: readonly SlotState[];
  /** `same` for no change of state, `back` for the earlier slot, `none` for no session. */
  readonly to: HeldState | "same" | "back" | "none";
}

/** An event of an id. */
export type SlotEvent = "hold" | "drop" | "adopt" | "begin" | "refuse" | "open" | "end" | "close";

/** The id has no receiver, and no call is about to open it. */
// Each list is written out: bundlers cannot remove one that spreads another, so agents would contain it.
const unused: readonly SlotState[] = ["unknown", "placeholder"];
const unreceived: readonly SlotState[] = ["unknown", "placeholder", "waiting", "ended"];
const replaceable: readonly SlotState[] = ["unknown", "placeholder", "waiting", "ended", "unclaimed", "open"];
const openable: readonly SlotState[] = ["unknown", "placeholder", "waiting", "ended", "unclaimed", "open", "opening"];
const received: readonly SlotState[] = ["unclaimed", "opening", "open"];

/** All events in the life of an id, each with the states in which it may happen. Elsewhere it is a bug of this library. */
export const transitions: Readonly<Record<SlotEvent, Transition>> = {
  /** The agent requests something in a session that may be open soon. */
  hold: { from: unreceived, to: "placeholder" },
  /** It was not the session that was being opened. */
  drop: { from: ["placeholder"], to: "none" },
  /** The agent works in a session that nobody opens. */
  adopt: { from: unused, to: "unclaimed" },
  /** A call that opens it is sent. */
  begin: { from: replaceable, to: "opening" },
  /** The agent refuses that call. */
  refuse: { from: ["opening"], to: "back" },
  /** The agent has opened it, or has announced it, or this client claims it. */
  open: { from: openable, to: "open" },
  /** A call that ends it is sent. */
  end: { from: received, to: "same" },
  /** It has ended. */
  close: { from: received, to: "none" },
};
