import type { FramingIssue } from "@acp/framing";
import type { Issue, Path } from "@acp/schema";
import { callListener } from "./promises.ts";

interface Common<Type extends string, Level extends "error" | "warning" | "info"> {
  readonly type: Type;
  /** `error`: something failed; `warning`: the peer misbehaved, or is slow; `info`: useful for debugging. */
  readonly level: Level;
  /**
   * A sentence for people. It quotes no more of a received message than names of methods and members, and numbers out of
   * range. Only `handler-failed`, `unsendable` and `closed` end with the text of `error`, which may be private: it can
   * hold what a handler put into it, the peer's error answer, the last lines of an agent's stderr, or the reason why a
   * WebSocket was closed.
   */
  readonly message: string;
}

/**
 * Something unusual that fails no call. `type` says what it is, and which members it has. The toolkit reports everything that
 * it discards, replaces or ignores, except a cancellation that comes too late.
 *
 * `received` holds what came from the peer. It may be private: mind where you log it.
 */
export type Diagnostic =
  /** Bytes that are no framed message. */
  | (Common<"framing", "warning"> & {
      /** What is wrong with the bytes, and the first and last of them. */
      readonly issue: FramingIssue;
    })
  /**
   * A text on the wire that is no JSON-RPC message: a stray log line, broken JSON, a batch. Or a line that has something around
   * its message, or several messages: those are delivered.
   */
  | (Common<"noise", "warning"> & {
      /** The text as it was received, without the messages that were delivered. */
      readonly received: string;
    })
  /** A message whose envelope, params or result break the protocol. It was refused. */
  | (Common<"invalid-message", "warning"> & {
      /** The method, if it is known. */
      readonly method: string | undefined;
      readonly path: Path;
      readonly reason: string;
      readonly received: unknown;
    })
  /** A message that was accepted after parts of it were replaced, skipped or read as unknown. */
  | (Common<"tolerated", "info"> & {
      readonly method: string;
      /** What was replaced, skipped or read as unknown, and where. */
      readonly issues: readonly Issue[];
      readonly received: unknown;
    })
  /** A request for a method without a handler; it was answered `-32601`. */
  | (Common<"unknown-request", "info"> & { readonly method: string })
  /** A notification without a handler; it was ignored (EXT-09). */
  | (Common<"unknown-notification", "info"> & { readonly method: string; readonly received: unknown })
  /** An answer to no pending request: a duplicate, or an id that was never used. */
  | (Common<"unexpected-response", "warning"> & { readonly received: unknown })
  /** The answer to a request whose caller had given up. */
  | (Common<"late-response", "info"> & { readonly method: string; readonly received: unknown })
  /**
   * A handler, `connected` or `onUpdate` threw, or a turn was used after its answer. A request was answered `-32603` with the
   * same correlation id.
   */
  | (Common<"handler-failed", "error"> & {
      readonly method: string;
      /** What was thrown. */
      readonly error: unknown;
      /** The peer got this id instead of details: find the diagnostic by it. */
      readonly correlationId: string;
    })
  /**
   * A handler's answer, a queued notification, or a message that a proxy passes on could not be sent: it cannot be written as
   * JSON, or is too large, or the peer has left too much unread, or what it waited for has failed.
   */
  | (Common<"unsendable", "error"> & {
      readonly method: string;
      readonly error: unknown;
      readonly correlationId: string;
    })
  /**
   * The agent works in a session that this client has not opened: once a session, with nothing in `received`. Or what came for
   * such a session reached nobody, and was discarded.
   */
  | (Common<"unclaimed-session", "warning"> & {
      readonly sessionId: string;
      /** The params of the notifications that were discarded. */
      readonly received: readonly unknown[];
    })
  /** A queue grows because its reader is slow. */
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
   * The peer has sent more than a limit of this side allows: a request was refused, or updates were discarded. Reported for
   * the first, and each time that their number doubles; of requests, anew once all are answered.
   */
  | (Common<"over-limit", "warning"> & {
      /** The option that sets the limit. */
      readonly option: "maxIncomingRequests" | "maxIncomingSize" | "unreadUpdates.maxCount" | "unreadUpdates.maxSize";
      readonly limit: number;
      /** How many requests were refused, or updates discarded, so far. */
      readonly count: number;
      /** The session of the updates. */
      readonly sessionId?: string;
    })
  /** A turn shows no sign of progress, or does not answer a cancel: see the option `stall`. */
  | (Common<"stalled", "warning"> & {
      readonly sessionId: string;
      /**
       * `reported`: nothing has arrived for a long time, and the turn goes on; `cancelled`: the client cancels it for that;
       * `given-up`: the agent did not end a cancelled turn in time, and the turn rejects with a {@link TimeoutError}.
       */
      readonly step: "reported" | "cancelled" | "given-up";
      /** How long nothing has arrived; for `given-up`, how long the cancel has waited. In milliseconds. */
      readonly silence: number;
      /** The method and the kind of what was received last since the prompt; `undefined` for nothing. */
      readonly lastSeen: string | undefined;
    })
  /** An observer of a session threw, or a listener of its state: an `AggregateError` if several did at once. */
  | (Common<"observer-failed", "error"> & { readonly sessionId: string; readonly error: unknown })
  /** Nobody reads the updates of a session, or its loaded history: no handler, no iterator, no state. Once a session. */
  | (Common<"unobserved-updates", "info"> & { readonly sessionId: string })
  /** The peer broke a rule of the protocol, and this side repaired or tolerated it. */
  | (Common<"rule", "warning"> & {
      readonly method: string;
      /**
       * The number of the rule, such as `SESS-02`; for a rule of version 2 only, the section of the draft. With
       * `gate: "diagnose"`: the capability that was not advertised, such as `fs.readTextFile`.
       */
      readonly rule: string;
      /** The place in the params or the result, and what is wrong there, if it is one place. */
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
  /** A translation between dialects of the protocol lost something, or acted in the peer's place. */
  | (Common<"translation", "info"> & {
      readonly method: string;
      /** The members that were left out or put into words, dotted: `update.content`. */
      readonly lost: readonly string[];
    })
  /** A received message breaks the protocol to the letter. Only with the `validate` option. */
  | (Common<"violation", "warning"> & {
      readonly method: string;
      /** Everything that is wrong: where, as a JSON Pointer into params or result, and why. */
      readonly violations: readonly { readonly path: string; readonly reason: string }[];
      readonly received: unknown;
    })
  /** A step of `superviseAgent`, which starts an agent again when it dies. */
  | (Common<"supervision", "error" | "warning" | "info"> & {
      /**
       * `ended`: the agent has died, or was ended because a turn was given up; `restarting`: it is started again after a wait;
       * `start-failed`: that has failed; `restarted`: the new agent runs; `session-resumed`, `session-loaded`, `session-lost`:
       * what has become of a session; `listener-failed`: `onReopened` has thrown; `given-up`: there were too many restarts.
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
      /** Why the agent has ended, or why the step has failed. */
      readonly error?: unknown;
    })
  /**
   * A server of `@acp/http` refused a request, by one of its limits or by who made it. The message names the option that
   * decides, and may say more than the client was told.
   */
  | (Common<"refused", "warning"> & {
      /** The status of the answer. */
      readonly status: number;
    })
  /** The connection ended because of an error. */
  | (Common<"closed", "error"> & { readonly error: Error });

/** Receives diagnostics. What it throws or rejects with is ignored: a logger must not break the connection. */
export type DiagnosticListener = (diagnostic: Diagnostic) => void;

/** Wraps a listener, or none, so that it never throws. */
export function guardListener(listener: DiagnosticListener | undefined): DiagnosticListener {
  if (listener === undefined) return () => {};
  // There is no further place to report a failure to.
  return (diagnostic) => callListener(listener, diagnostic, () => {});
}
