import { formatIssue, type Gate, isGateOpen, type Path } from "@acp/schema";
import type { Received } from "@acp/schema/v1/types";
import type { OnResult } from "../rpc/connection.ts";
import type { MethodIndex } from "../rpc/method-index.ts";
import type { CalledEntry } from "../rpc/outgoing-requests.ts";
import { readSessionId } from "../rpc/lanes.ts";
import type { DiagnosticListener } from "../base/diagnostics.ts";
import type { ClientRole } from "../rpc/role.ts";
import { type ArgumentProblem, problemsIn } from "../session/rules/arguments.ts";
import type { AttachedSession } from "./attached-session.ts";
import { type CallRules, createCallRules, type GateMode } from "../session/rules/call-rules.ts";
import { checkOffer, type Choices, offersChoices } from "../session/rules/choices.ts";
import { checkChoice } from "./choices.ts";
import { checkLoginMethod } from "../session/client/client-login.ts";
import { checkBlocks } from "../session/client/prompt-blocks.ts";
import { checkSameDirectory } from "../session/client/session-directory.ts";
import { checkSetup } from "../session/rules/setup-rules.ts";
import { checkVariants, unadvertisedVariants } from "../session/rules/variants.ts";

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
  checkTold(method: string, params: unknown, session: AttachedSession | undefined): void;
}

export function createClientRules(options: ClientRulesOptions): ClientRules {
  const { table, methods, capabilities, mode, report } = options;
  const rules = createCallRules({
    table,
    methods,
    mode,
    report,
    peer: "the agent",
    isOpen: (gate, params) => isOpen(options, gate, params),
  });
  const { checkCall, checkVariant, tolerate, usageError, warnOf } = rules;
  /** The updates that were not advertised to be taken, and what is wrong with them for that. */
  const refusedUpdates = unadvertisedVariants(table, "SessionUpdate", capabilities);

  function checkRequest(
    method: string,
    params: unknown,
    entry: CalledEntry,
    session: AttachedSession | undefined,
  ): void {
    if (method === "authenticate") {
      const { methodId } = (params ?? {}) as { readonly methodId?: unknown };
      checkLoginMethod(methodId, options.agent()?.authMethods ?? [], mode);
    }
    checkCall(method, params, entry);
    if (method === "session/prompt") checkPrompt(method, params);
    if (entry?.opensSession !== undefined) checkOpening(method, params);
    if (session === undefined) return checkIsOpen(method, params, entry);
    // A mode or a value that it does not offer cannot be chosen (MODE-02, CONF-13).
    refuseOrTell(method, checkChoice(method, params, session), session.id);
    if (entry?.opensSession === "params") checkSameDirectory(method, params as object, session);
  }

  const checkResult: OnResult = (result, { method, entry, sessionId: asked }) => {
    // A fork names another session than its answer does.
    const sessionId = readSessionId(result) ?? asked;
    problemsIn(entry?.resultMisfits, result)?.forEach((problem) => tolerate(method, problem, sessionId));
    // In other results such members are none of the protocol's, and were not decoded.
    if (entry?.opensSession === undefined && method !== "session/set_config_option") return;
    tellOffer(method, [], result, {}, sessionId);
  };

  function checkTold(method: string, params: unknown, session: AttachedSession | undefined): void {
    const { paramMisfits } = methods.handledNotification(method) ?? {};
    problemsIn(paramMisfits, params)?.forEach((problem) => tolerate(method, problem, readSessionId(params)));
    if (method === "session/update") checkUpdate(params as Received.SessionNotification, session);
  }

  /** Content kinds are bound to capabilities of their own (PROM-03). */
  function checkPrompt(method: string, params: unknown): void {
    const { prompt } = params as { readonly prompt?: unknown };
    checkBlocks(prompt);
    for (const block of prompt) checkVariant(method, "ContentBlock", block.type, block);
  }

  /** A prompt needs an open session (PROM-01), and so does a choice of what one offers (SESS-26). */
  function checkIsOpen(method: string, params: unknown, entry: CalledEntry): void {
    const isPrompt = method === "session/prompt";
    if (!isPrompt && entry?.gates?.some(({ kind }) => kind === "session") !== true) return;
    const rule = isPrompt ? "PROM-01" : "SESS-26";
    const problem = { path: ["sessionId"], reason: "names no session that is open here", rule };
    refuseOrTell(method, problem, readSessionId(params));
  }

  /** MCP transports and what else a session is opened with are bound to capabilities of their own (MCP-04, SESS-22). */
  function checkOpening(method: string, params: unknown): void {
    const { mcpServers } = params as { readonly mcpServers?: readonly { readonly type?: string }[] | null };
    for (const server of mcpServers ?? []) checkVariant(method, "McpServer", server.type ?? "stdio", server);
    checkSetup(rules, method, params as object);
  }

  /** @throws {UsageError} for a choice that cannot be made, unless the mode is to diagnose. */
  function refuseOrTell(method: string, problem: ArgumentProblem | undefined, sessionId: string | undefined): void {
    if (problem === undefined) return;
    if (mode === "enforce") throw usageError(method, problem);
    const message = `${method}: ${formatIssue(problem)} (${problem.rule}); it is sent all the same`;
    warnOf(method, message, problem, sessionId);
  }

  /** Tells of an update that the client did not advertise to take, or that offers what cannot be chosen. */
  function checkUpdate(
    { update, sessionId }: Received.SessionNotification,
    session: AttachedSession | undefined,
  ): void {
    const reason = refusedUpdates.get(update.sessionUpdate);
    if (reason !== undefined) {
      tolerate("session/update", { path: ["update", "sessionUpdate"], reason, rule: "INIT-12" }, sessionId);
    }
    if (offersChoices(update)) tellOffer("session/update", ["update"], update, session ?? {}, sessionId);
  }

  /** The same for what a session offers to choose from (CONF-05, CONF-11). */
  function tellOffer(method: string, at: Path, holder: unknown, known: Choices, sessionId: string | undefined): void {
    const tell = (problem: ArgumentProblem | undefined): void =>
      tolerate(method, problem && { ...problem, path: [...at, ...problem.path] }, sessionId);
    const { configOptions } = (holder ?? {}) as { readonly configOptions?: unknown };
    if (Array.isArray(configOptions)) {
      const refused = unadvertisedVariants(table, "SessionConfigOption", capabilities);
      tell(checkVariants(refused, ["configOptions", configOptions], "CONF-05"));
    }
    tell(checkOffer(holder, known));
  }

  return { ...rules, checkRequest, checkResult, checkTold };
}

/** Whether the agent, or the session that params name, opens a gate for this client. */
function isOpen({ capabilities, agent, sessionOf }: ClientRulesOptions, gate: Gate, params: unknown): boolean {
  if (gate.kind === "capability") return isGateOpen(gate, capabilities, agent()?.agentCapabilities);
  if (gate.kind === "session") {
    const session = sessionOf(params);
    // Of one that is not open here something else is wrong.
    return session === undefined || (session as unknown as Record<string, unknown>)[gate.member] !== undefined;
  }
  const { methodId } = params as { readonly methodId?: string };
  // One of an unknown type is the agent's own by the letter of the schema, as one without a type is (AUTH-02).
  return (agent()?.authMethods ?? []).some(
    ({ id, type }) =>
      id === methodId && (gate.type === undefined || (typeof type === "string" ? type : "agent") === gate.type),
  );
}
