/**
 * The state of a client's connection over HTTP.
 *
 * - `new`: the server has opened no connection, and nothing asks for one. Only `initialize` can be sent.
 * - `initializing`: `initialize` is on its way. What is sent meanwhile waits for its answer.
 * - `open`: the server has opened the connection.
 * - `draining`: the server has ended it. Its last messages may still come, but it takes no more.
 * - `ended`: nothing is sent or delivered any more.
 */
export type ChannelState = "new" | "initializing" | "open" | "draining" | "ended";

export type ChannelEvent = "initialize" | "refuse" | "open" | "drain" | "finish" | "fail" | "close";

interface Transition {
  readonly from: readonly ChannelState[];
  readonly to: ChannelState;
}

const used: readonly ChannelState[] = ["initializing", "open", "draining"];

/** All events in the life of a connection, each with the states in which it counts. Elsewhere it comes too late, and changes nothing. */
export const transitions: Readonly<Record<ChannelEvent, Transition>> = {
  /** The client sends `initialize`. */
  initialize: { from: ["new"], to: "initializing" },
  /** The agent answers it with an error, which needs no connection. The client may send it again. */
  refuse: { from: ["initializing"], to: "new" },
  /** The server answers it with a connection. */
  open: { from: ["initializing"], to: "open" },
  /** A stream has ended without an error, and the server does not know the connection any more. */
  drain: { from: ["open"], to: "draining" },
  /** All streams have ended, or were silent for long. */
  finish: { from: ["draining"], to: "ended" },
  /** The network fails, or the server refuses something that the connection needs. */
  fail: { from: used, to: "ended" },
  /** This side closes it. */
  close: { from: ["new", ...used], to: "ended" },
};
