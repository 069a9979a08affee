import type { FramingIssue } from "@acp/framing";
import type { Issue, Path } from "@acp/schema";
import { callListener } from "./promises.ts";

interface Common<Type extends string, Level extends "error" | "warning" | "info"> {
  readonly type: Type;
  /** `error`: something failed. `warning`: the peer misbehaved or is slow. `info`: useful for debugging. */
  readonly level: Level;
  /**
   * A sentence for people. From a received message, it quotes only names of methods and members, and numbers that are
   * out of range. Only `handler-failed`, `unsendable` and `closed` end with the text of `error`, which may be private:
   * it can contain what a handler put into it, the peer's error response, the last lines of an agent's stderr, or the
   * reason why a WebSocket was closed.
   */
  readonly message: string;
}

/**
 * Something unusual that does not make a call fail. `type` says what it is, and which members it has. The toolkit
 * reports everything that it discards, replaces or ignores, except a cancellation that arrives too late.
 *
 * `received` is what the peer sent. It may be private: be careful where you log it.
 */
export type Diagnostic =
  /** Bytes that are not a framed message. */
  | (Common<"framing", "warning"> & {
      /** What is wrong with the bytes, and the first and last of them. */
      readonly issue: FramingIssue;
    })
  /**
   * A text on the wire that is not a JSON-RPC message: a stray log line, broken JSON, a batch. Or a line with extra
   * text around its message, or with several messages; the messages are delivered.
   */
  | (Common<"noise", "warning"> & {
      /** The received text, without the delivered messages. */
      readonly received: string;
    })
  /** A message whose envelope, params or result break the protocol. It was rejected. */
  | (Common<"invalid-message", "warning"> & {
      /** The method, if it is known. */
      readonly method: string | undefined;
      readonly path: Path;
      readonly reason: string;
      readonly received: unknown;
    })
  /** A message that was accepted, but parts of it were replaced, skipped or read as unknown. */
  | (Common<"tolerated", "info"> & {
      readonly method: string;
      /** What was replaced, skipped or read as unknown, and where. */
      readonly issues: readonly Issue[];
      readonly received: unknown;
    })
  /** A request for a method without a handler. It failed with `-32601`. */
  | (Common<"unknown-request", "info"> & { readonly method: string })
  /** A notification without a handler. It was ignored (EXT-09). */
  | (Common<"unknown-notification", "info"> & { readonly method: string; readonly received: unknown })
  /** A response that matches no pending request: a duplicate, or an id that was never used. */
  | (Common<"unexpected-response", "warning"> & { readonly received: unknown })
  /** A response to a request that the caller had cancelled. */
  | (Common<"late-response", "info"> & { readonly method: string; readonly received: unknown })
  /**
   * A handler, `connected` or `onUpdate` threw, or a turn was used after it had ended. If it was a request, it failed
   * with `-32603` and the same correlation id.
   */
  | (Common<"handler-failed", "error"> & {
      readonly method: string;
      /** What was thrown. */
      readonly error: unknown;
      /** The peer got this id instead of details. Use it to find this diagnostic. */
      readonly correlationId: string;
    })
  /**
   * A handler's result, a queued notification, or a message that a proxy passes on could not be sent: it cannot be
   * written as JSON, it is too large, the peer has left too much unread, or something that it waited for failed.
   */
  | (Common<"unsendable", "error"> & {
      readonly method: string;
      readonly error: unknown;
      readonly correlationId: string;
    })
  /**
   * The agent works in a session that this client has not opened. Reported once per session, with nothing in
   * `received`. Or notifications for such a session reached nobody and were discarded.
   */
  | (Common<"unclaimed-session", "warning"> & {
      readonly sessionId: string;
      /** The params of the notifications that were discarded. */
      readonly received: readonly unknown[];
    })
  /** A queue is growing because its reader is slow. */
  | (Common<"backlog", "warning"> & {
      /**
       * `updates`: updates that a loop has not read yet. Reported at 10,000 updates, and at each doubling.
       *
       * `outgoing`: messages that are not sent yet. Reported above 16 Mi UTF-16 code units, and at each doubling until the
       * peer has caught up.
       */
      readonly queue: "updates" | "outgoing";
      /** The number of updates; for `outgoing` UTF-16 code units, over a WebSocket bytes. */
      readonly size: number;
      /** The session of the updates. */
      readonly sessionId?: string;
    })
  /**
   * The peer has sent more than a limit of this side allows: a request was refused, or updates were discarded. Reported
   * for the first one, and each time that their number doubles. For requests, the count starts over when none is
   * pending.
   */
  | (Common<"over-limit", "warning"> & {
      /** The option that sets the limit. */
      readonly option: "maxIncomingRequests" | "maxIncomingSize" | "unreadUpdates.maxCount" | "unreadUpdates.maxSize";
      readonly limit: number;
      /** How many requests were refused, or updates were discarded, so far. */
      readonly count: number;
      /** The session of the updates. */
      readonly sessionId?: string;
    })
  /** A turn makes no progress, or does not end after a cancel: see the option `stall`. */
  | (Common<"stalled", "warning"> & {
      readonly sessionId: string;
      /**
       * `reported`: nothing has arrived for a long time, and the turn continues. `cancelled`: the client cancels the
       * turn for that reason. `given-up`: the agent did not end a cancelled turn in time, and the turn rejects with a
       * {@link TimeoutError}.
       */
      readonly step: "reported" | "cancelled" | "given-up";
      /** How long nothing has arrived, in milliseconds. For `given-up`, how long ago the turn was cancelled. */
      readonly silence: number;
      /** The method and the kind of the last message since the prompt; `undefined` if there was none. */
      readonly lastSeen: string | undefined;
    })
  /**
   * An observer of a session, or a listener of its state, threw. The error is an `AggregateError` if several threw at
   * once.
   */
  | (Common<"observer-failed", "error"> & { readonly sessionId: string; readonly error: unknown })
  /**
   * Nobody reads the updates of a session, or its loaded history: there is no handler, no iterator and no state.
   * Reported once per session.
   */
  | (Common<"unobserved-updates", "info"> & { readonly sessionId: string })
  /** The peer broke a rule of the protocol, and this side repaired or tolerated it. */
  | (Common<"rule", "warning"> & {
      readonly method: string;
      /**
       * The number of the rule, such as `SESS-02`; for a rule of version 2 only, the section of the draft. With
       * `gate: "diagnose"`: the capability that was not advertised, such as `fs.readTextFile`.
       */
      readonly rule: string;
      /** The place in the params or the result, and what is wrong there, if there is a single place. */
      readonly path?: Path;
      readonly reason?: string;
      /** The session of the message, if it names one. */
      readonly sessionId?: string;
    })
  /** An update, an option or a login method was not sent, because the client did not advertise support. Nothing depends on it. */
  | (Common<"left-out", "info"> & {
      readonly method: string;
      /** The capability that the client lacks, with dots: `session.notices`. */
      readonly capability: string;
    })
  /** A translation between dialects of the protocol lost something, or acted on the peer's behalf. */
  | (Common<"translation", "info"> & {
      readonly method: string;
      /** The members that were left out or put into words, with dots: `update.content`. */
      readonly lost: readonly string[];
    })
  /** A received message breaks the protocol, strictly read. Only with the option `validate`. */
  | (Common<"violation", "warning"> & {
      readonly method: string;
      /** Everything that is wrong: the place, as a JSON Pointer into the params or the result, and the reason. */
      readonly violations: readonly { readonly path: string; readonly reason: string }[];
      readonly received: unknown;
    })
  /** A step of `superviseAgent`, which restarts an agent when it dies. */
  | (Common<"supervision", "error" | "warning" | "info"> & {
      /**
       * `ended`: the agent died, or was ended because a turn was abandoned. `restarting`: it will be restarted after a
       * delay. `start-failed`: the restart failed. `restarted`: the new agent is running. `session-resumed`,
       * `session-loaded`, `session-lost`: what happened to a session. `listener-failed`: `onReopened` threw.
       * `given-up`: there were too many restarts.
       */
      readonly step:
        | "ended"
        | "restarting"
        | "start-failed"
        | "restarted"
        | "session-resumed"
        | "session-loaded"
        | "session-lost"
        | "listener-failed"
        | "given-up";
      /** The session that the step is about. */
      readonly sessionId?: string;
      /** Why the agent ended, or why the step failed. */
      readonly error?: unknown;
    })
  /**
   * A server of `@acp/http` refused a request, because of one of its limits or of the sender. The message names the
   * option that decides, and may say more than the response to the client.
   */
  | (Common<"refused", "warning"> & {
      /** The HTTP status of the response. */
      readonly status: number;
    })
  /** The connection ended because of an error. */
  | (Common<"closed", "error"> & { readonly error: Error });

/** Receives diagnostics. If it throws or rejects, the error is ignored: a logger must not break the connection. */
export type DiagnosticListener = (diagnostic: Diagnostic) => void;

/** Wraps a listener, or none, so that it never throws. */
export function guardListener(listener: DiagnosticListener | undefined): DiagnosticListener {
  if (listener === undefined) return () => {};
  // There is no further place to report a failure to.
  return (diagnostic) => callListener(listener, diagnostic, () => {});
}
