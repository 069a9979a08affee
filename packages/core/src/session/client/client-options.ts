import type { DiagnosticListener } from "../../base/diagnostics.ts";
import type { IncomingLimits } from "../../rpc/incoming-limits.ts";
import type { MessageValidator } from "../../transport/message-validator.ts";
import type { GateMode } from "../rules/call-rules.ts";
import type { StallOptions } from "./stall-watch.ts";
import type { UnreadUpdatesOptions } from "./updates/unread-updates.ts";

/** The options of a client, in any version. */
export interface ClientOptionMembers<out Info, out Interceptor> extends IncomingLimits {
  /** The client's name and version, shown to users (INIT-04). */
  readonly info: Info;
  /**
   * What to do about a call for which the agent lacks the capability: `enforce` (the default) rejects it, `diagnose`
   * sends it anyway.
   */
  readonly gate?: GateMode | undefined;
  /**
   * Checks every message strictly by the protocol, for development: pass `strictValidator` of
   * `@acp/validators/v1/strict`, or of `v2/strict` in version 2. Default: the client makes the checks that are cheap or prevent
   * danger, and tolerates other mistakes of the agent as the protocol asks.
   */
  readonly validate?: MessageValidator | undefined;
  /**
   * What to do about a turn that makes no progress. `prompt` can override it for one turn. Default: after five minutes,
   * a `stalled` diagnostic reports the turn, and it continues.
   */
  readonly stall?: StallOptions | undefined;
  /**
   * How many updates a loop over `updates` may leave unread, and what happens beyond that. Default: 100,000 updates and
   * 256 Mi characters; a loop that leaves more unread throws an `UnreadUpdatesError`.
   */
  readonly unreadUpdates?: UnreadUpdatesOptions | undefined;
  /**
   * Code around the calls of the client and around its handlers, to log, measure, retry or forbid them. The first is the
   * outermost. Default: none.
   */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /** Called with everything unusual; see {@link Diagnostic}. Default: none. */
  readonly onDiagnostic?: DiagnosticListener | undefined;
}
