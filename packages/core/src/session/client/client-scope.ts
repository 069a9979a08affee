import type { DiagnosticListener } from "../../base/diagnostics.ts";
import type { Connection } from "../../rpc/connection.ts";
import type { CheckedIncomingLimits } from "../../rpc/incoming-limits.ts";
import type { MethodIndex } from "../../rpc/method-index.ts";
import type { MetaOptions } from "../../rpc/peer.ts";
import type { ClientRole } from "../../rpc/role.ts";
import type { Transport } from "../../transport/transport.ts";
import type { UntypedHandler } from "../handler-table.ts";
import type { GateMode } from "../rules/call-rules.ts";
import type { AgentFacts, ClientDialect } from "./client-dialect.ts";
import type { LoginOf } from "./client-login.ts";
import type { ClientSession } from "./client-session.ts";
import type { ClientMethodNames } from "./client-session-link.ts";
import type { UntypedInterceptor } from "./interceptor.ts";
import type { RuleList } from "./rules/rule.ts";
import type { SessionSlots } from "./slots/session-slots.ts";
import type { SlotBudgets } from "./slots/slot-budgets.ts";
import type { StallLimits } from "./stall-watch.ts";
import type { UnreadLimits } from "./updates/unread-updates.ts";

/** The parts of a client's connection. */
export interface ClientConnectionOptions<Facts extends AgentFacts> {
  readonly table: ClientRole;
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  readonly info: object;
  readonly capabilities: object;
  readonly gate: GateMode;
  /** Asks the user to log in when the agent wants that. */
  readonly authenticate: LoginOf<Facts> | undefined;
  readonly transport: Transport;
  readonly onDiagnostic: DiagnosticListener | undefined;
  readonly startTimeout: number;
  /** How turns are watched by default; a prompt may override it. */
  readonly stall: StallLimits;
  /** How many updates loops may leave unread. */
  readonly unread: UnreadLimits;
  readonly limits: CheckedIncomingLimits;
  readonly interceptors: readonly UntypedInterceptor[];
  readonly signal: AbortSignal | undefined;
  /** For `initialize`. */
  readonly _meta: MetaOptions["_meta"];
}

/** The state that the parts of a client's connection share. */
export interface ClientScope<S extends ClientSession, Facts extends AgentFacts> extends Pick<
  ClientConnectionOptions<never>,
  "table" | "capabilities" | "gate" | "stall" | "unread" | "interceptors"
> {
  readonly dialect: ClientDialect<S, Facts, unknown>;
  readonly names: ClientMethodNames;
  readonly methods: MethodIndex;
  readonly connection: Connection;
  readonly report: DiagnosticListener;
  readonly hasUpdateHandler: boolean;
  /** The state of each session id. */
  readonly slots: SessionSlots<S>;
  readonly budgets: SlotBudgets<S>;
  /** The agent's answer to `initialize`; `undefined` until it arrives. */
  agent: Facts | undefined;
  /** Made last, before the connection starts to read. */
  rules: RuleList<S>;
}
