import { type CalledRequest, concerns, describeGate, formatIssue, type Gate, type RoleTable } from "@acp/schema";
import { asReceived, keepReceived } from "../../rpc/as-received.ts";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import { reportRule, type RulePlace } from "../../rpc/invalid-message.ts";
import type { MethodIndex } from "../../rpc/method-index.ts";
import { readSessionId } from "../../rpc/request-table.ts";
import type { DiagnosticListener } from "../../base/diagnostics.ts";
import { CapabilityError, UsageError } from "../../base/errors.ts";
import {
  type ArgumentProblem,
  describeOwn,
  findOwnProblems,
  findProblems,
  refuseArguments,
  resolveRelative,
} from "./arguments.ts";
import { isObject } from "../../base/values.ts";
import { correctShown, replaceAt, type ShownIn } from "./shown-paths.ts";

/**
 * What to do about a call for which the peer lacks the capability. `enforce`: the call rejects with a
 * `CapabilityError`. `diagnose`: the call is sent, and a diagnostic reports it.
 */
export type GateMode = "enforce" | "diagnose";

/** The entry of a method in the table of its caller, as far as calls are checked by it. */
type CalledMethod = Partial<Pick<CalledRequest, "gates" | "sent">>;

export interface CallRulesOptions {
  readonly table: RoleTable;
  /** The table by method name. */
  readonly methods: MethodIndex;
  /** Default: `enforce`. */
  readonly mode: GateMode | undefined;
  readonly report: DiagnosticListener;
  /** `the client` or `the agent`, for messages. */
  readonly peer: string;
  /** Whether the peer, or the session that the params name, opens this gate. */
  isOpen(gate: Gate, params: unknown): boolean;
  /** Makes a relative path in a received request absolute. Default: it is refused. */
  readonly resolvePath?: ((path: string) => string) | undefined;
}

/**
 * Checks messages against the capabilities, and against rules of the protocol that its schema does not have. It refuses calls
 * of this side and requests of the peer, and reports other received messages.
 */
export interface CallRules extends CallRulesOptions {
  /**
   * Returns the params as they may be sent. If the user only sees them, in `shownIn`, problems are corrected.
   *
   * @throws {CapabilityError} if the peer did not advertise the method (INIT-12).
   * @throws {UsageError} if an argument breaks a rule, such as a relative path (CONV-02).
   */
  checkCall(method: string, params: unknown, entry: CalledMethod | undefined, shownIn?: ShownIn): unknown;
  /** The same for a notification. */
  checkNotification(method: string, params: unknown, shownIn?: ShownIn): unknown;
  /** The same for one variant of a union inside params: a prompt's image, an update's notice. */
  checkVariant(method: string, union: string, tag: string, value: unknown): void;
  /** @throws {UsageError} if a handler returned an invalid answer. */
  checkAnswer(request: Pick<IncomingRequest, "method" | "entry">, result: unknown): void;
  /** @throws {UsageError} if there is a problem with a message of this side. */
  refuse(subject: string, problem: ArgumentProblem | undefined): void;
  usageError(subject: string, problem: ArgumentProblem): UsageError;
  /**
   * Checks the params of a received request. Values that a question only shows to the user are reported, not refused: without
   * the question the tool call would wait in vain. In other params, line 0 becomes line 1, and a relative path becomes
   * the result of `resolvePath`.
   *
   * @throws {Refusal} if they break a rule that matters.
   */
  checkReceived(request: IncomingRequest, isOnlyShown?: boolean): void;
  /** Reports a received message that breaks a rule and is delivered all the same. */
  tolerate(method: string, problem: ArgumentProblem | undefined, sessionId?: string): void;
  /** Reports a message that breaks a rule. */
  warn(method: string, message: string, rule: string, place?: RulePlace): void;
  /** Reports a message with its problem. */
  reportProblem(method: string, message: string, problem: ArgumentProblem, sessionId: string | undefined): void;
  /** Reports a message that is not sent, since the peer does not advertise support for it. */
  reportLeftOut(method: string, message: string, capability: string): void;
  /** @throws {CapabilityError} for a call with a gate that is not open, unless the mode is to diagnose. */
  checkGates(method: string, params: unknown, gates: readonly Gate[]): void;
}

export function createCallRules(options: CallRulesOptions): CallRules {
  const { methods, mode, report, peer, isOpen, resolvePath } = options;

  function checkCall(method: string, params: unknown, entry: CalledMethod | undefined, shownIn?: ShownIn): unknown {
    if (entry?.gates !== undefined) checkGates(method, params, entry.gates);
    // A loop, not a callback: a stack has ten frames, and the caller's should be among them.
    let checked = params;
    for (const problem of findOwnProblems(entry, params)) {
      if (shownIn === undefined || problem.rule === "") throw usageError(method, problem);
      const message = `${method}: ${describeOwn(problem)}; sent as a path in the session's cwd, or without the line`;
      reportProblem(method, message, problem, shownIn.id);
      checked = correctShown(checked, problem, shownIn);
    }
    return checked;
  }

  function usageError(subject: string, problem: ArgumentProblem): UsageError {
    return new UsageError(`${subject}: ${describeOwn(problem)}`);
  }

  function tolerate(method: string, problem: ArgumentProblem | undefined, sessionId?: string): void {
    if (problem === undefined) return;
    const message = `A message of ${method} breaks a rule (${formatIssue(problem)}); it is delivered all the same`;
    reportProblem(method, message, problem, sessionId);
  }

  function reportProblem(
    method: string,
    message: string,
    problem: ArgumentProblem,
    sessionId: string | undefined,
  ): void {
    const { path, reason, rule } = problem;
    warn(method, message, rule, { path, reason, sessionId });
  }

  function warn(method: string, message: string, rule: string, place?: RulePlace): void {
    reportRule(report, method, message, rule, place);
  }

  function checkGates(method: string, params: unknown, gates: readonly Gate[]): void {
    const closed = gates.find((gate) => concerns(gate, params) && !isOpen(gate, params));
    if (closed === undefined) return;
    const rule = describeGate(closed);
    const isOurs = closed.kind === "capability" && closed.by === "caller";
    const message = `${method} needs ${rule}, which ${isOurs ? "is not advertised here" : `${peer} did not advertise`}`;
    if (mode !== "diagnose") throw new CapabilityError(method, rule, message);
    warn(method, `${message}; it is sent all the same`, rule);
  }

  return {
    ...options,
    checkCall,
    checkNotification: (method, params, shownIn) =>
      checkCall(method, params, methods.calledNotification(method), shownIn),
    checkVariant(method, union, tag, value) {
      const gate = methods.variantGate(union, tag);
      if (gate !== undefined) checkGates(`${method} with ${tag}`, value, [gate]);
    },
    checkAnswer({ method, entry }, result) {
      for (const problem of findOwnProblems(entry, result ?? {})) throw usageError(`The answer of ${method}`, problem);
    },
    refuse(subject, problem) {
      if (problem !== undefined) throw usageError(subject, problem);
    },
    usageError,
    checkReceived({ method, params, entry }, isOnlyShown = false) {
      findProblems(entry?.checkParams, params)?.forEach((problem) => {
        const readAs = isOnlyShown ? undefined : (problem.readAs ?? resolveRelative(problem, resolvePath));
        if (!isOnlyShown && readAs === undefined && problem.isHarmless !== true) throw refuseArguments(problem);
        tolerate(method, problem, readSessionId(params));
        if (readAs === undefined) return;
        // The params stay the same object for the connection, so keep a copy of the received ones.
        if (isObject(params) && asReceived(params) === params) keepReceived(params, structuredClone(params));
        replaceAt(params, problem.path, readAs);
      });
    },
    tolerate,
    warn,
    reportProblem,
    reportLeftOut(method, message, capability) {
      report({ type: "left-out", level: "info", message, method, capability });
    },
    checkGates,
  };
}
