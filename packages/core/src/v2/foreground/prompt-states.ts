/**
 * The state of a prompt, or of a user's message that may belong to one.
 *
 * - `sent`: the agent has not answered the prompt.
 * - `stopped`: it has not done so either, but has confirmed the cancel of the prompt.
 * - `placed`: the message has its place in the conversation, and its work has not begun.
 * - `working`: the session was busy since then, or the agent has sent output.
 * - `ended`: its work is over. Nothing changes that.
 */
export type PromptState = "sent" | "stopped" | "placed" | "working" | "ended";

/** What the session does. It is `stopping` if the client cancelled all work while it was busy, until it is idle. */
export type SessionWork = "idle" | "busy" | "stopping";

/**
 * An event of a prompt or of its session.
 *
 * - `accept`: the agent answers the prompt. If the message came before, the prompt takes the state of that.
 * - `begin`: a state other than idle arrives. For a prompt also: the agent sends output, or the client cancels all work.
 * - `cancel`: the client cancels all work.
 * - `end`: an idle state arrives.
 * - `stop`: an idle state confirms that this prompt was cancelled.
 * - `skip`: an idle state confirms that others were cancelled.
 */
export type PromptEvent = "accept" | "begin" | "cancel" | "end" | "stop" | "skip";

/** The state that follows each event in each state. All others change nothing. */
export const transitions: Readonly<
  Record<PromptState | SessionWork, { readonly [E in PromptEvent]?: PromptState | SessionWork }>
> = {
  sent: { accept: "placed", stop: "stopped" },
  stopped: { accept: "ended" },
  placed: { begin: "working" },
  working: { end: "ended", stop: "ended", skip: "placed" },
  ended: {},
  idle: { begin: "busy" },
  busy: { cancel: "stopping", end: "idle" },
  stopping: { end: "idle" },
};
