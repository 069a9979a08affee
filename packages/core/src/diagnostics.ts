import type { FramingIssue } from "@acp/framing";
import type { Issue, Path } from "@acp/schema";

interface Common<Type extends string, Level extends "error" | "warning" | "info"> {
  readonly type: Type;
  /** `error`: something failed; `warning`: the peer misbehaved; `info`: worth knowing when debugging. */
  readonly level: Level;
  /**
   * A sentence for people. Of the messages that were received it holds no more than names of methods and members, and
   * numbers that are out of range. That of `handler-failed`, `unsendable` and `closed` has the text of `error`, and that
   * may be private: what a handler puts into it, what the peer says in an error answer that a handler lets through, the
   * last lines of an agent's stderr, the reason with which a WebSocket was closed.
   */
  readonly message: string;
}

/**
 * What happened beside the main road. Nothing is dropped, replaced or ignored without one of these.
 *
 * `received` members hold what came from the peer, which may be private: mind where you log them.
 */
export type Diagnostic =
  /** Bytes that are no framed message. */
  | (Common<"framing", "warning"> & { readonly issue: FramingIssue })
  /** A text on the wire that is no JSON-RPC message: a stray log line, broken JSON, a batch. */
  | (Common<"noise", "warning"> & { readonly received: string })
  /** A message whose envelope, params or result break the protocol. It was refused. */
  | (Common<"invalid-message", "warning"> & {
      readonly method: string | undefined;
      readonly path: Path;
      readonly reason: string;
      readonly received: unknown;
    })
  /** A message that was read after parts of it were replaced, skipped or taken as unknown. */
  | (Common<"tolerated", "info"> & {
      readonly method: string;
      readonly issues: readonly Issue[];
      readonly received: unknown;
    })
  /** A request for a method without a handler; it was answered `-32601`. */
  | (Common<"unknown-request", "info"> & { readonly method: string })
  /** A notification without a handler; it was ignored (EXT-09). */
  | (Common<"unknown-notification", "info"> & { readonly method: string; readonly received: unknown })
  /** An answer to nothing that is pending: a duplicate, or an id never used. */
  | (Common<"unexpected-response", "warning"> & { readonly received: unknown })
  /** The answer to a request whose caller had given up. */
  | (Common<"late-response", "info"> & { readonly method: string; readonly received: unknown })
  /** A handler threw. The peer was told `-32603` with the same correlation id, if it was a request. */
  | (Common<"handler-failed", "error"> & {
      readonly method: string;
      readonly error: unknown;
      readonly correlationId: string;
    })
  /** A handler's answer, an update that had to wait, or what a proxy passes on could not be sent: it is no JSON, or too large. */
  | (Common<"unsendable", "error"> & {
      readonly method: string;
      readonly error: unknown;
      readonly correlationId: string;
    })
  /** Notifications of a session that nobody opened were dropped after a while. */
  | (Common<"unclaimed-session", "warning"> & { readonly sessionId: string; readonly received: readonly unknown[] })
  /** Something queues up because its reader is slow. Reported once per doubling. */
  | (Common<"backlog", "warning"> & {
      readonly queue: "updates" | "outgoing";
      /** Items for `updates`, bytes for `outgoing`. */
      readonly size: number;
      /** Whose updates they are. */
      readonly sessionId?: string;
    })
  /** An observer of a session threw, or a listener of its state: an `AggregateError` where several did at once. */
  | (Common<"observer-failed", "error"> & { readonly sessionId: string; readonly error: unknown })
  /** Updates of a session, or the history it was loaded with, reach nobody: no handler, no iterator, no state. Once a session. */
  | (Common<"unobserved-updates", "info"> & { readonly sessionId: string })
  /** A rule of the protocol was broken in a way that was mended or tolerated here. */
  | (Common<"rule", "warning"> & {
      readonly method: string;
      readonly rule: string;
      /** Where in the params or the result, and what is wrong there, if it is one place. */
      readonly path?: Path;
      readonly reason?: string;
      /** The session the message belongs to, if it names one. */
      readonly sessionId?: string;
    })
  /** What nothing depends on was not sent, an update or an option: the client did not advertise to take it. */
  | (Common<"left-out", "info"> & { readonly method: string; readonly capability: string })
  /** A translation between dialects of the protocol left something behind, or did something in the peer's place. */
  | (Common<"translation", "info"> & {
      readonly method: string;
      /** The members that were left out or put into words, dotted: `update.content`. */
      readonly lost: readonly string[];
    })
  /** A received message breaks the protocol to the letter, as told by the `validate` option. */
  | (Common<"violation", "warning"> & {
      readonly method: string;
      /** All that is wrong: where, as a JSON Pointer into params or result, and why. */
      readonly violations: readonly { readonly path: string; readonly reason: string }[];
      readonly received: unknown;
    })
  /** The connection ended for a reason. */
  | (Common<"closed", "error"> & { readonly error: Error });

/** Receives diagnostics. What it throws is ignored: a logger must not break the connection. */
export type DiagnosticListener = (diagnostic: Diagnostic) => void;

/** A listener that never throws, from one that may, or from none. */
export function guardListener(listener: DiagnosticListener | undefined): DiagnosticListener {
  if (listener === undefined) return () => {};
  return (diagnostic) => {
    try {
      listener(diagnostic);
    } catch {
      // The listener is the last place a failure could be told to.
    }
  };
}
