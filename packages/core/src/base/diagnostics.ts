import type { FramingIssue } from "@acp/framing";
import type { Issue, Path } from "@acp/schema";
import { callListener } from "./promises.ts";

interface Common<Type extends string, Level extends "error" | "warning" | "info"> {
  readonly type: Type;
  /** `error`: something failed; `warning`: the peer misbehaved, or is slow; `info`: worth knowing when debugging. */
  readonly level: Level;
  /**
   * A sentence for people. It quotes no more of a received message than names of methods and members, and numbers that
   * are out of range. Only `handler-failed`, `unsendable` and `closed` quote more: they end with the text of `error`,
   * which may be private. It can hold what a handler put into it, what the peer said in an error answer, the last lines
   * of an agent's stderr, or the reason why a WebSocket was closed.
   */
  readonly message: string;
}

/**
 * Something unusual that no call fails with: `type` says what, and which other members there are. Nothing is dropped,
 * replaced or ignored without one, except for a cancellation that comes too late.
 *
 * `received` holds what came from the peer. It may be private: mind where you log it.
 */
export type Diagnostic =
  /** Bytes that are no framed message. */
  | (Common<"framing", "warning"> & {
      /** What is wrong with the bytes, and the first and last of them. */
      readonly issue: FramingIssue;
    })
  /** A text on the wire that is no JSON-RPC message: a stray log line, broken JSON, a batch. */
  | (Common<"noise", "warning"> & {
      /** The text as it came. */
      readonly received: string;
    })
  /** A message whose envelope, params or result break the protocol. It was refused. */
  | (Common<"invalid-message", "warning"> & {
      /** The method that the diagnostic is about, where it is known. */
      readonly method: string | undefined;
      readonly path: Path;
      readonly reason: string;
      readonly received: unknown;
    })
  /** A message that was read after parts of it were replaced, skipped or taken as unknown. */
  | (Common<"tolerated", "info"> & {
      readonly method: string;
      /** What was replaced, skipped or taken as unknown, and where. */
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
  /**
   * A handler, `connected` or `onUpdate` threw, or a turn was used after its answer. A request was answered `-32603` with the same
   * correlation id.
   */
  | (Common<"handler-failed", "error"> & {
      readonly method: string;
      /** What was thrown. */
      readonly error: unknown;
      /** The id that the peer was told instead of details, to find this diagnostic by. */
      readonly correlationId: string;
    })
  /**
   * A handler's answer, a notification that had to wait, or something that a proxy passes on could not be sent: it cannot
   * be written as JSON, or is too large, or the peer has left too much unread, or what it waited for has failed.
   */
  | (Common<"unsendable", "error"> & {
      readonly method: string;
      readonly error: unknown;
      readonly correlationId: string;
    })
  /** Notifications of a session that nobody opened were dropped after a while. */
  | (Common<"unclaimed-session", "warning"> & { readonly sessionId: string; readonly received: readonly unknown[] })
  /** Something queues up because its reader is slow. */
  | (Common<"backlog", "warning"> & {
      /**
       * `updates`: what a loop over updates has not read yet. Told at 10,000 updates, and each time that doubles.
       *
       * `outgoing`: what waits to be sent. Told above 16 Mi UTF-16 code units, and each time that doubles until the peer has
       * caught up.
       */
      readonly queue: "updates" | "outgoing";
      /** The number of updates; for `outgoing` UTF-16 code units, over a WebSocket bytes. */
      readonly size: number;
      /** The session that the updates belong to. */
      readonly sessionId?: string;
    })
  /** An observer of a session threw, or a listener of its state: an `AggregateError` where several did at once. */
  | (Common<"observer-failed", "error"> & { readonly sessionId: string; readonly error: unknown })
  /** Updates of a session, or the history it was loaded with, reach nobody: no handler, no iterator, no state. Once a session. */
  | (Common<"unobserved-updates", "info"> & { readonly sessionId: string })
  /** A rule of the protocol was broken in a way that was mended or tolerated here. */
  | (Common<"rule", "warning"> & {
      readonly method: string;
      /**
       * The number of the rule, such as `SESS-02`; where version 2 has a rule of its own, the section of the draft. With
       * `gate: "diagnose"`: the capability that was not advertised, such as `fs.readTextFile`.
       */
      readonly rule: string;
      /** Where in the params or the result, and what is wrong there, if it is one place. */
      readonly path?: Path;
      readonly reason?: string;
      /** The session the message belongs to, if it names one. */
      readonly sessionId?: string;
    })
  /** An update, an option or a login method that nothing depends on was not sent: the client did not advertise to take it. */
  | (Common<"left-out", "info"> & {
      readonly method: string;
      /** The capability that the client lacks, with dots: `session.notices`. */
      readonly capability: string;
    })
  /** A translation between dialects of the protocol left something behind, or did something in the peer's place. */
  | (Common<"translation", "info"> & {
      readonly method: string;
      /** The members that were left out or put into words, dotted: `update.content`. */
      readonly lost: readonly string[];
    })
  /** A received message breaks the protocol to the letter. Only with the `validate` option. */
  | (Common<"violation", "warning"> & {
      readonly method: string;
      /** All that is wrong: where, as a JSON Pointer into params or result, and why. */
      readonly violations: readonly { readonly path: string; readonly reason: string }[];
      readonly received: unknown;
    })
  /** The connection ended for a reason. */
  | (Common<"closed", "error"> & { readonly error: Error });

/** Called with diagnostics. What it throws, or rejects with, is ignored: a logger must not break the connection. */
export type DiagnosticListener = (diagnostic: Diagnostic) => void;

/** A listener that never throws, from one that may, or from none. */
export function guardListener(listener: DiagnosticListener | undefined): DiagnosticListener {
  if (listener === undefined) return () => {};
  // The listener is the last place a failure could be told to.
  return (diagnostic) => callListener(listener, diagnostic, () => {});
}
