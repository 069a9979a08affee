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

  /** The same for a member that needs a capability of its own. */
  checkCapability(method: string, path: readonly string[]): void {
    this.#checkGates(method, undefined, [{ kind: "capability", path, value: "object" }]);
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
