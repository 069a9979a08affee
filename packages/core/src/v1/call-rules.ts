import type { CalledNotification, Gate, RoleTable } from "@acp/schema";
import type { DiagnosticListener } from "../diagnostics.ts";
import { CapabilityError, UsageError } from "../errors.ts";
import { formatIssue } from "@acp/schema";
import { type ArgumentProblem, checkValues, invalidArguments } from "./arguments.ts";
import { concerns, describeGate, isSupported } from "./gates.ts";
import { checkVariants } from "./prompt-content.ts";

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

/**
 * Checks messages against what was advertised and what the protocol demands beyond its schema. What is
 * about to be sent is refused; what was received is refused where it asks for something, and else told.
 */
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
    this.#checkCall(method, params, this.#options.table.calls.requests[method]);
  }

  /** The same for a notification. */
  checkNotification(method: string, params: unknown): void {
    this.#checkCall(method, params, this.#options.table.calls.notifications[method]);
  }

  /** The same for one variant of a union inside params: a prompt's image, an update's notice. */
  checkVariant(method: string, union: string, tag: string, value: unknown): void {
    const gate = this.#options.table.variants[union]?.[tag];
    if (gate !== undefined) this.#checkGates(`${method} with ${tag}`, value, [gate]);
  }

  /** The same for what a session is opened with: further roots (SESS-22), a system prompt. */
  checkSetup(method: string, params: object): void {
    for (const { member, value, gates } of this.#setupOf(params)) {
      this.#checkGates(`${method} with ${member}`, value, gates);
    }
  }

  /** The same for the result of a request of the peer. */
  checkResult(method: string, result: unknown): void {
    const rule = this.#options.table.handles.requests[method]?.resultValues;
    checkValues(rule, result, (problem) => this.refuse(`The answer of ${method}`, problem));
  }

  /** @throws {UsageError} for something about to be sent. */
  refuse(subject: string, problem: ArgumentProblem | undefined): void {
    if (problem !== undefined) throw this.usageError(subject, problem);
  }

  usageError(subject: string, problem: ArgumentProblem): UsageError {
    return new UsageError(`${subject}: ${formatIssue(problem)} (${problem.rule})`);
  }

  /** @throws {Refusal} if the params of a received request break a rule that matters. */
  checkReceived(method: string, params: unknown): void {
    checkValues(this.#options.table.handles.requests[method]?.paramValues, params, (problem) => {
      // What it shows is for the user's eyes; without the question the tool call would wait for nothing.
      if (method !== "session/request_permission" && problem.isHarmless !== true) throw invalidArguments(problem);
      this.tolerate(method, problem);
    });
  }

  /**
   * Tells of what a client opens a session with although it was not advertised, further roots and MCP
   * servers (SESS-22, MCP-04): the handler may do without.
   */
  checkReceivedSetup(method: string, params: object, capabilities: object): void {
    const { table } = this.#options;
    const { mcpServers } = params as { readonly mcpServers?: readonly { readonly type?: string }[] | null };
    this.tolerate(method, checkVariants(table, "McpServer", capabilities, ["mcpServers", mcpServers ?? []], "MCP-04"));
    for (const { member, gates } of this.#setupOf(params)) {
      const closed = gates.find((gate) => gate.kind === "capability" && !isSupported(capabilities, gate.path));
      if (closed === undefined) continue;
      const reason = `is not supported: ${describeGate(closed)} is not advertised`;
      this.tolerate(method, { path: [member], reason, rule: "SESS-22" });
    }
  }

  /** Tells of what breaks a rule in a notification or in an answer that was received. */
  checkTold(method: string, told: unknown): void {
    const { handles, calls } = this.#options.table;
    const rule = handles.notifications[method]?.paramValues ?? calls.requests[method]?.resultValues;
    checkValues(rule, told, (problem) => this.tolerate(method, problem));
  }

  /** Tells of a received message that breaks a rule and is delivered all the same. */
  tolerate(method: string, problem: ArgumentProblem | undefined): void {
    if (problem === undefined) return;
    const message = `A message of ${method} breaks a rule (${formatIssue(problem)}); it is delivered all the same`;
    this.#options.report({ type: "rule", level: "warning", message, method, rule: problem.rule });
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

  /** The members that open a session in a way that not every agent can. */
  *#setupOf(params: object): Iterable<{ member: string; value: unknown; gates: readonly Gate[] }> {
    for (const [member, gates] of Object.entries(this.#options.table.setup ?? {})) {
      const value = (params as Record<string, unknown>)[member];
      if (value == null || (Array.isArray(value) && value.length === 0)) continue;
      yield { member, value, gates };
    }
  }

  #checkCall(method: string, params: unknown, entry: CalledNotification | undefined): void {
    if (entry?.gates !== undefined) this.#checkGates(method, params, entry.gates);
    checkValues(entry?.paramValues, params, (problem) => this.refuse(method, problem));
  }

  #checkGates(method: string, params: unknown, gates: readonly Gate[]): void {
    const relevant = gates.filter((gate) => concerns(gate, params));
    const closed = relevant.find((gate) => !this.#options.isOpen(gate, params));
    if (closed === undefined) return;
    const { mode, peer, report } = this.#options;
    const rule = describeGate(closed);
    const isOurs = closed.kind === "capability" && closed.by === "caller";
    const message = `${method} needs ${rule}, which ${isOurs ? "is not advertised here" : `${peer} did not advertise`}`;
    if (mode === "enforce") throw new CapabilityError(method, rule, message);
    report({ type: "rule", level: "warning", message: `${message}; it is sent all the same`, method, rule });
  }
}
