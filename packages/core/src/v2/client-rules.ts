import { formatIssue, type Gate, isGateOpen, type Path, unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2/types";
import type { OnResult } from "../rpc/connection.ts";
import type { MethodIndex } from "../rpc/method-index.ts";
import type { CalledEntry } from "../rpc/outgoing-requests.ts";
import { readSessionId } from "../rpc/lanes.ts";
import type { DiagnosticListener } from "../base/diagnostics.ts";
import { CapabilityError } from "../base/errors.ts";
import type { ClientRole } from "../rpc/role.ts";
import { type ArgumentProblem, problemsIn } from "../session/rules/arguments.ts";
import { type CallRules, createCallRules, type GateMode } from "../session/rules/call-rules.ts";
import { checkConfigChoice, checkOffer } from "../session/rules/choices.ts";
import { checkBlocks } from "../session/client/prompt-blocks.ts";
import { checkSameDirectory } from "../session/client/session-directory.ts";
import { checkSetup } from "../session/rules/setup-rules.ts";
import { type AttachedSession, updateIn } from "./attached-session.ts";
import { checkLoginMethod } from "./client-login.ts";

/** What a client's rules depend on. */
export interface ClientRulesOptions {
  readonly table: ClientRole;
  readonly methods: MethodIndex;
  readonly capabilities: object;
  readonly mode: GateMode;
  readonly report: DiagnosticListener;
  /** What the agent has told of itself, once it has. */
  agent(): Received.InitializeResponse | undefined;
  /** The open session that params name. */
  sessionOf(params: unknown): AttachedSession | undefined;
}

/** What a client checks: the calls it makes, their answers, and what the agent asks and tells. */
export interface ClientRules extends CallRules {
  /**
   * Checks a request that is about to be sent.
   *
   * @throws {CapabilityError} for what the agent did not advertise.
   * @throws {UsageError} for what breaks a rule, or cannot be chosen.
   */
  checkRequest(method: string, params: unknown, entry: CalledEntry, session: AttachedSession | undefined): void;
  /** Tells of what a result breaks; it is delivered all the same. */
  readonly checkResult: OnResult;
  /** The same for a notification. */
  checkTold(method: string, params: unknown): void;
  /** Tells of a session that was resumed without its state ("Current-State Synchronization" in the draft). */
  checkResumed(session: AttachedSession | undefined): void;
}

export function createClientRules(options: ClientRulesOptions): ClientRules {
  const { table, methods, mode, report } = options;
  const rules = createCallRules({
    table,
    methods,
    mode,
    report,
    peer: "the agent",
    isOpen: (gate, params) => isOpen(options, gate, params),
  });
  const { checkCall, checkVariant, tolerate, usageError, warn, warnOf } = rules;

  function checkRequest(
    method: string,
    params: unknown,
    entry: CalledEntry,
    session: AttachedSession | undefined,
  ): void {
    if (method === "auth/login") {
      const { methodId } = (params ?? {}) as { readonly methodId?: unknown };
      checkLoginMethod(methodId, options.agent()?.authMethods ?? [], mode);
    }
    checkCall(method, params, entry);
    if (method === "session/prompt") checkPrompt(method, params);
    if (entry?.opensSession !== undefined) checkOpening(method, params);
    if (session === undefined) return checkIsOpen(method, params);
    if (method === "session/set_config_option") {
      refuseOrTell(method, checkChoice(params, session.configOptions), session.id);
    }
    checkCancel(method, params, session);
    if (entry?.opensSession === "params") checkSameDirectory(method, params as object, session);
  }

  const checkResult: OnResult = (result, { method, entry, sessionId: asked }) => {
    // A fork names another session than its answer does.
    const sessionId = readSessionId(result) ?? asked;
    problemsIn(entry?.resultMisfits, result)?.forEach((problem) => tolerate(method, problem, sessionId));
    tellOffer(method, [], result, sessionId);
  };

  function checkTold(method: string, params: unknown): void {
    const { paramMisfits } = methods.handledNotification(method) ?? {};
    const sessionId = readSessionId(params);
    problemsIn(paramMisfits, params)?.forEach((problem) => tolerate(method, problem, sessionId));
    if (method === "session/update") tellOffer(method, ["update"], updateIn(params), sessionId);
  }

  function checkResumed(session: AttachedSession | undefined): void {
    if (session?.hasState !== false) return;
    const method = "session/resume";
    const reason = "came without a state_update before it";
    const message = `The answer of ${method} ${reason}; the session counts as idle`;
    warn(method, message, "Current-State Synchronization", { reason, sessionId: session.id });
  }

  /** Content kinds are bound to capabilities of their own (PROM-03). */
  function checkPrompt(method: string, params: unknown): void {
    const { prompt } = params as { readonly prompt?: unknown };
    checkBlocks(prompt);
    for (const block of prompt) checkVariant(method, "ContentBlock", block.type, block);
  }

  /** MCP transports and what else a session is opened with are bound to capabilities of their own (MCP-04, SESS-22). */
  function checkOpening(method: string, params: unknown): void {
    const { mcpServers } = params as { readonly mcpServers?: readonly { readonly type: string }[] | null };
    for (const server of mcpServers ?? []) checkVariant(method, "McpServer", server.type, server);
    checkSetup(rules, method, params as object);
  }

  /** A prompt needs an open session (PROM-01), and so does a choice of what one offers (SESS-26). */
  function checkIsOpen(method: string, params: unknown): void {
    const isPrompt = method === "session/prompt";
    if (!isPrompt && method !== "session/set_config_option") return;
    const rule = isPrompt ? "PROM-01" : "SESS-26";
    const problem = { path: ["sessionId"], reason: "names no session that is open here", rule };
    refuseOrTell(method, problem, readSessionId(params));
  }

  /** What can be cancelled by itself says so, each tool call and terminal for its own ("Cancelling Tool Calls"). */
  function checkCancel(method: string, params: unknown, { cancellables }: AttachedSession): void {
    const { toolCallId, terminalId } = params as { readonly toolCallId?: string; readonly terminalId?: string };
    const isCall = method === "tool_call/cancel";
    if (!isCall && method !== "terminal/cancel") return;
    const found = isCall ? cancellables.get("call", toolCallId ?? "") : cancellables.get("terminal", terminalId ?? "");
    if (found !== undefined) return;
    const rule = "capabilities.cancel";
    const message = `${method} needs ${rule}, which that ${isCall ? "tool call" : "terminal"} does not advertise now`;
    if (mode === "enforce") throw new CapabilityError(method, rule, message);
    warn(method, `${message}; it is sent all the same`, rule);
  }

  /** Tells of a current value that is none of those that are offered (CONF-11). */
  function tellOffer(method: string, at: Path, holder: unknown, sessionId: string | undefined): void {
    const problem = checkOffer(holder, {});
    tolerate(method, problem && { ...problem, path: [...at, ...problem.path] }, sessionId);
  }

  /** @throws {UsageError} for a choice that cannot be made, unless the mode is to diagnose. */
  function refuseOrTell(method: string, problem: ArgumentProblem | undefined, sessionId: string | undefined): void {
    if (problem === undefined) return;
    if (mode === "enforce") throw usageError(method, problem);
    const message = `${method}: ${formatIssue(problem)} (${problem.rule}); it is sent all the same`;
    warnOf(method, message, problem, sessionId);
  }

  return { ...rules, checkRequest, checkResult, checkTold, checkResumed };
}

/** What is wrong with the choice of a value. An option of a type that is not known here has an id, and may have it. */
function checkChoice(params: unknown, offered: AttachedSession["configOptions"]): ArgumentProblem | undefined {
  const { configId } = params as { readonly configId?: unknown };
  const isUnknown = offered?.some(
    (option) => option.type === unknownVariant && option.received["configId"] === configId,
  );
  return isUnknown === true ? undefined : checkConfigChoice(params, offered, "configId");
}

/** Whether the agent, or the session that params name, opens a gate for this client. */
function isOpen({ capabilities, agent, sessionOf }: ClientRulesOptions, gate: Gate, params: unknown): boolean {
  if (gate.kind === "capability") return isGateOpen(gate, capabilities, agent()?.capabilities);
  // One login method makes both calls exist.
  if (gate.kind === "authMethod") return (agent()?.authMethods ?? []).length > 0;
  const session = sessionOf(params);
  // Of one that is not open here something else is wrong.
  return session === undefined || (session as unknown as Record<string, unknown>)[gate.member] !== undefined;
}
