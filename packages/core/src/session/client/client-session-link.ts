import type { QueuedNotification } from "../../rpc/dispatcher.ts";
import type { Lanes } from "../../rpc/lanes.ts";
import type { MethodIndex } from "../../rpc/method-index.ts";
import type { PeerCalls } from "../../rpc/peer.ts";
import type { RuleList } from "./rules/rule.ts";
import type { StallLimits, StallStep } from "./stall-watch.ts";
import type { UnreadUpdates } from "./updates/unread-updates.ts";

/** The wire names of the methods that the engine of a client treats specially. */
export interface ClientMethodNames {
  readonly initialize: string;
  readonly login: string;
  readonly logout: string;
  readonly prompt: string;
  readonly cancel: string;
  readonly close: string;
  readonly update: string;
  readonly requestPermission: string;
  readonly elicit: string;
  readonly elicitationComplete: string;
}

/** The parts that a session needs from its connection. */
export interface ClientSessionLink {
  /** Has the rules of the connection, which are made after the sessions. */
  readonly scope: { readonly rules: Pick<RuleList<{ readonly id: string }>, "cancelled" | "toolCall" | "turnEnded"> };
  readonly names: ClientMethodNames;
  readonly methods: MethodIndex;
  readonly calls: PeerCalls;
  readonly lanes: Lanes;
  readonly hasUpdateHandler: boolean;
  /** Interceptors may repeat a call, or change its answer. */
  readonly isIntercepted: boolean;
  readonly unread: UnreadUpdates;
  /** The session that a notification is for which is handled now. */
  receiver(notification: QueuedNotification): object | undefined;
  onUnobserved(sessionId: string): void;
  /** These updates reached nobody, and never will. `why` completes the sentence `… reached nobody:`. */
  onUndelivered(sessionId: string, updates: readonly object[], why: string): void;
  onObserverFailed(sessionId: string, error: unknown): void;
  /** How turns are watched by default; a prompt may override it. */
  readonly stall: StallLimits;
  /** How many messages have arrived for sessions that are not open. Each is progress of every turn, since it may be for any. */
  countUnopened(): number;
  /** Whether the agent waits for this client: for an answer or a handler, in the session or in one of its subagents. */
  isAgentWaiting(session: { readonly id: string }): boolean;
  onStall(sessionId: string, step: StallStep): void;
}
