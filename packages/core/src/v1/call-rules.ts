import type { Gate, RoleTable } from "@acp/schema";
import type { DiagnosticListener } from "../diagnostics.ts";
import { CapabilityError, UsageError } from "../errors.ts";
import { formatIssue } from "@acp/schema";
import { checkArguments } from "./arguments.ts";
import { concerns, describeGate } from "./gates.ts";

/** What to do about a call the peer did not advertise: refuse it, or send it and say so. */
export type GateMode = "enforce" | "diagnose";

export interface CallRulesOptions {
  readonly table: RoleTable;
  readonly mode: GateMode;
  readonly report: DiagnosticListener;
  /** `the client` or `the agent`, for messages. */
  readonly peer: string;
  /** Whether the peer, or the session the params name, opens this gate. */
  isOpen(gate: Gate, params: unknown): boolean;
}

/** Checks what is about to be sent against what the peer advertised and what the protocol demands. */
export class CallRules {
  readonly #options: CallRulesOptions;

  constructor(options: CallRulesOptions) {
    this.#options = options;
  }

  /**
   * @throws {CapabilityError} if the peer did not advertise the method (INIT-12).
   * @throws {UsageError} if an argument breaks a rule, such as a relative path (CONV-02).
   */
  checkRequest(method: string, params: unknown): void {
    const gates = this.#options.table.calls.requests[method]?.gates;
    if (gates !== undefined) this.#checkGates(method, params, gates);
    const problem = checkArguments(method, params);
    if (problem !== undefined) throw new UsageError(`${method}: ${formatIssue(problem)}`);
  }

  /** The same for a notification. */
  checkNotification(method: string, params: unknown): void {
    const gates = this.#options.table.calls.notifications[method]?.gates;
    if (gates !== undefined) this.#checkGates(method, params, gates);
  }

  /** The same for one variant of a union inside params: a prompt's image, an update's notice. */
  checkVariant(method: string, union: string, tag: string, value: unknown): void {
    const gate = this.#options.table.variants[union]?.[tag];
    if (gate !== undefined) this.#checkGates(`${method} with ${tag}`, value, [gate]);
  }

  /** The same for what a session is opened with: further roots (SESS-22), a system prompt. */
  checkSetup(method: string, params: object): void {
    for (const [member, gates] of Object.entries(this.#options.table.setup ?? {})) {
      const value = (params as Record<string, unknown>)[member];
      if (value == null || (Array.isArray(value) && value.length === 0)) continue;
      this.#checkGates(`${method} with ${member}`, value, gates);
    }
  }

  /**
   * A result or an update without the config options that the peer cannot show (CONF-05). It gets the
   * others: an agent need not make up two lists, as with its login methods.
   */
  offer(method: string, holder: unknown): unknown {
    const { table, mode, peer, report, isOpen } = this.#options;
    const gates = table.variants["SessionConfigOption"] ?? {};
    const { configOptions } = (holder ?? {}) as { readonly configOptions?: unknown };
    if (!Array.isArray(configOptions)) return holder;
    const closed = configOptions.filter(({ type }: { readonly type: string }) => {
      const gate = Object.hasOwn(gates, type) ? gates[type] : undefined;
      return gate !== undefined && !isOpen(gate, holder);
    });
    if (closed.length === 0) return holder;
    const message = `${method} has config options of a type that ${peer} did not advertise to take`;
    const isKept = mode === "diagnose";
    report({
      type: "rule",
      level: "warning",
      message: `${message}; they are ${isKept ? "sent all the same" : "left out"}`,
      method,
      rule: "CONF-05",
    });
    if (isKept) return holder;
    return { ...(holder as object), configOptions: configOptions.filter((option) => !closed.includes(option)) };
  }

  #checkGates(method: string, params: unknown, gates: readonly Gate[]): void {
    const relevant = gates.filter((gate) => concerns(gate, params));
    const closed = relevant.find((gate) => !this.#options.isOpen(gate, params));
    if (closed === undefined) return;
    const { mode, peer, report } = this.#options;
    const rule = describeGate(closed);
    const message = `${method} needs ${rule}, which ${peer} did not advertise`;
    if (mode === "enforce") throw new CapabilityError(method, rule, message);
    report({ type: "rule", level: "warning", message: `${message}; it is sent all the same`, method, rule });
  }
}
