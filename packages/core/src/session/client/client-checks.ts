import { formatIssue, type Gate, isGateOpen, type Path, valueAt } from "@acp/schema";
import { UsageError } from "../../base/errors.ts";
import type { OnResult } from "../../rpc/outgoing-requests.ts";
import { readSessionId } from "../../rpc/request-table.ts";
import type { CalledEntry } from "../../rpc/outgoing-requests.ts";
import { type ArgumentProblem, findProblems } from "../rules/arguments.ts";
import { createCallRules } from "../rules/call-rules.ts";
import { offersChoices } from "../rules/choices.ts";
import { checkSetup } from "../rules/setup-rules.ts";
import { findRefusedVariant, listRefusedVariants } from "../rules/variants.ts";
import type { AgentFacts, SessionCallRules } from "./client-dialect.ts";
import { checkLoginMethod } from "./client-login.ts";
import type { ClientScope } from "./client-scope.ts";
import type { ClientSession } from "./client-session.ts";
import { checkBlocks } from "./prompt-blocks.ts";

/** A client's checks: of its calls, their answers, and the agent's requests and notifications. */
export interface ClientChecks<S extends ClientSession> extends SessionCallRules {
  /**
   * Checks a request that is about to be sent.
   *
   * @throws {CapabilityError} for a call that the agent did not advertise.
   * @throws {UsageError} for a call that breaks a rule, or a value that cannot be chosen.
   */
  checkRequest(method: string, params: unknown, entry: CalledEntry, session: S | undefined): void;
  /** Reports the mistakes in a result, which is delivered all the same. */
  readonly checkResult: OnResult;
  /** The same for a notification. */
  checkReceivedNotification(method: string, params: unknown, session: S | undefined): void;
}

/** True if a method chooses a mode or the value of an option. */
export function isChoice(entry: CalledEntry): boolean {
  return entry?.gates?.some(isSessionGate) === true;
}

function isSessionGate({ kind }: Gate): boolean {
  return kind === "session";
}

export function createClientChecks<S extends ClientSession, Facts extends AgentFacts>(
  scope: ClientScope<S, Facts>,
): ClientChecks<S> {
  const { dialect, names, table, methods, capabilities, gate: mode, report, slots } = scope;
  const rules = createCallRules({ table, methods, mode, report, peer: "the agent", isOpen });
  const { checkCall, checkVariant, tolerate, usageError, reportProblem } = rules;
  /** The problems of the updates that the client did not advertise. */
  const refusedUpdates = listRefusedVariants(table, "SessionUpdate", capabilities);
  const refusedOptions = listRefusedVariants(table, "SessionConfigOption", capabilities);
  const sessionRules: SessionCallRules = { ...rules, refuseOrReport };

  /** Whether the agent, or the session that params name, opens a gate for this client. */
  function isOpen(gate: Gate, params: unknown): boolean {
    const { agent } = scope;
    if (gate.kind === "capability") return isGateOpen(gate, capabilities, agent?.capabilities);
    if (gate.kind === "authMethod") return agent !== undefined && dialect.isLoginOffered(gate, params, agent);
    const session = slots.liveFor(params);
    // A session that is not open here fails another check.
    return session === undefined || valueAt(session, [gate.member]) !== undefined;
  }

  function checkRequest(method: string, params: unknown, entry: CalledEntry, session: S | undefined): void {
    if (method === names.login) {
      const { methodId } = (params ?? {}) as { readonly methodId?: unknown };
      checkLoginMethod(method, methodId, scope.agent?.authMethods ?? [], dialect.readLoginId, mode);
    }
    if (method === names.prompt) checkPrompt(method, params);
    checkCall(method, params, entry);
    if (entry?.opensSession !== undefined) checkOpening(method, params);
    if (session === undefined) return checkIsOpen(method, params, entry);
    dialect.checkSessionCall(method, params, session, sessionRules);
    if (entry?.opensSession === "params") checkSameDirectory(method, params as object, session);
  }

  const checkResult: OnResult = (result, { method, entry, sessionId: asked }) => {
    // The answer of a fork names another session than its params.
    const sessionId = readSessionId(result) ?? asked;
    findProblems(entry?.checkResult, result)?.forEach((problem) => tolerate(method, problem, sessionId));
    // In other results such members do not belong to the protocol, and were not decoded.
    if (entry?.opensSession !== undefined || isChoice(entry)) checkOffer(method, [], result, undefined, sessionId);
  };

  function checkReceivedNotification(method: string, params: unknown, session: S | undefined): void {
    const { checkParams } = methods.handledNotification(method) ?? {};
    const sessionId = readSessionId(params);
    findProblems(checkParams, params)?.forEach((problem) => tolerate(method, problem, sessionId));
    if (method !== names.update) return;
    const { update } = params as { readonly update: { readonly sessionUpdate: unknown } };
    const reason = refusedUpdates.get(update.sessionUpdate);
    if (reason !== undefined) {
      tolerate(method, { path: ["update", "sessionUpdate"], reason, rule: "INIT-12" }, sessionId);
    }
    if (offersChoices(update)) checkOffer(method, ["update"], update, session, sessionId);
  }

  /** Content kinds are bound to capabilities of their own (PROM-03). */
  function checkPrompt(method: string, params: unknown): void {
    for (const block of checkBlocks(method, valueAt(params, ["prompt"])))
      checkVariant(method, "ContentBlock", block.type, block);
  }

  /** A prompt needs an open session (PROM-01), and so does a choice among its options (SESS-26). */
  function checkIsOpen(method: string, params: unknown, entry: CalledEntry): void {
    const isPrompt = method === names.prompt;
    if (!isPrompt && !isChoice(entry)) return;
    const rule = isPrompt ? "PROM-01" : "SESS-26";
    const problem = { path: ["sessionId"], reason: "names no session that is open here", rule };
    refuseOrReport(method, problem, readSessionId(params));
  }

  /** MCP transports and other members that open a session are bound to capabilities of their own (MCP-04, SESS-22). */
  function checkOpening(method: string, params: unknown): void {
    const { mcpServers } = params as { readonly mcpServers?: readonly { readonly type?: string }[] | null };
    for (const server of mcpServers ?? []) {
      const type = server.type ?? dialect.defaultServerType;
      if (type !== undefined) checkVariant(method, "McpServer", type, server);
    }
    checkSetup(rules, method, params as object);
  }

  function refuseOrReport(method: string, problem: ArgumentProblem | undefined, sessionId: string | undefined): void {
    if (problem === undefined) return;
    if (mode === "enforce") throw usageError(method, problem);
    const message = `${method}: ${formatIssue(problem)} (${problem.rule}); it is sent all the same`;
    reportProblem(method, message, problem, sessionId);
  }

  /** Reports modes and options that cannot be chosen (CONF-05, CONF-11). */
  function checkOffer(
    method: string,
    at: Path,
    holder: unknown,
    session: S | undefined,
    sessionId: string | undefined,
  ): void {
    const reportAt = (problem: ArgumentProblem | undefined): void =>
      tolerate(method, problem && { ...problem, path: [...at, ...problem.path] }, sessionId);
    const { configOptions } = (holder ?? {}) as { readonly configOptions?: unknown };
    if (Array.isArray(configOptions)) {
      reportAt(findRefusedVariant(refusedOptions, ["configOptions", configOptions], "CONF-05"));
    }
    reportAt(dialect.checkOffer(holder, session));
  }

  return { ...sessionRules, checkRequest, checkResult, checkReceivedNotification };
}

interface Directories {
  readonly cwd?: string;
  readonly additionalDirectories?: readonly string[] | null;
}

/**
 * Checks a call that opens a session which is open here already: either its further roots or its `cwd` may differ.
 *
 * @throws {UsageError} if both differ (SESS-25).
 */
function checkSameDirectory(method: string, params: Directories, open: Directories): void {
  const [wanted, had] = [params, open].map((one) => JSON.stringify(one.additionalDirectories ?? []));
  if (wanted === had || params.cwd === open.cwd) return;
  throw new UsageError(
    `${method} names other additionalDirectories, so its cwd has to be that of the session (SESS-25)`,
  );
}
