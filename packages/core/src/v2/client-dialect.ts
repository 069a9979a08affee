import { unknownVariant } from "@acp/schema";
import type { AgentMethods, Received } from "@acp/schema/v2/types";
import { CapabilityError, ErrorCode, RequestError } from "../base/errors.ts";
import { createPeer, type RequestOptions } from "../rpc/peer.ts";
import { readSessionId } from "../rpc/request-table.ts";
import { refuseSession } from "../rpc/refusal.ts";
import type { AgentFacts, ClientDialect } from "../session/client/client-dialect.ts";
import type { ArgumentProblem } from "../session/rules/arguments.ts";
import type { CallRules } from "../session/rules/call-rules.ts";
import { checkConfigChoice, checkOffer } from "../session/rules/choices.ts";
import { ClientSessionV2 } from "./client-session-v2.ts";
import type { ConnectedAgent } from "./connected-agent.ts";

type Facts = AgentFacts<Received.AuthMethod, Received.Implementation, Received.AgentCapabilities>;

/** Version 2, as the engine of a client sees it. */
export const clientDialect: ClientDialect<ClientSessionV2, Facts, ConnectedAgent> = {
  methods: {
    initialize: "initialize",
    login: "auth/login",
    logout: "auth/logout",
    prompt: "session/prompt",
    cancel: "session/cancel",
    close: "session/close",
    update: "session/update",
    requestPermission: "session/request_permission",
    elicit: "elicitation/create",
    elicitationComplete: "elicitation/complete",
  },
  promptEndsTurn: false,
  answersCancelledQuestions: true,
  chunksNameMessage: true,
  defaultServerType: undefined,

  initializeParams: (info, capabilities) => ({ info, capabilities }),

  readAgent(answer) {
    const { info, capabilities, authMethods, _meta } = answer as Received.InitializeResponse;
    return { info, capabilities: capabilities ?? {}, authMethods: authMethods ?? [], meta: _meta ?? {} };
  },

  /** A login method of a type that is not known here has an id as well. */
  readLoginId: (method) => (method.type === unknownVariant ? method.received["methodId"] : method.methodId),

  /** One login method is enough to log in and out. */
  isLoginOffered: (_gate, _params, { authMethods }) => authMethods.length > 0,

  replaysHistory(_method, params) {
    const { replayFrom } = params as { readonly replayFrom?: object | null };
    return replayFrom != null;
  },

  createSession: (id, params, link) => new ClientSessionV2(id, params, link),

  checkSessionCall(method, params, session, rules) {
    if (method === "session/set_config_option") {
      rules.refuseOrReport(method, checkChoice(params, session.configOptions), session.id);
    }
    checkCancel(method, params, session, rules);
  },

  /** Reports a session that was resumed without its state ("Current-State Synchronization" in the draft). */
  checkOpening(method, session, rules) {
    if (method !== "session/resume" || session?.hasState !== false) return;
    const reason = "came without a state_update before it";
    const message = `The answer of ${method} ${reason}; the session counts as idle`;
    rules.warn(method, message, "Current-State Synchronization", { reason, sessionId: session.id });
  },

  checkOffer: (holder) => checkOffer(holder, {}),

  /** An agent that does not know a session has closed it ("Closing Sessions" in the draft). */
  hasEnded: (method, error) =>
    method === "session/close" && error instanceof RequestError && error.wire.code === ErrorCode.resourceNotFound,

  unknownSession: (params) => refuseSession({ sessionId: readSessionId(params) }),

  connectedAgent({ info, capabilities }, { calls, members, open, hasMethod }) {
    return {
      ...members,
      ...createPeer<AgentMethods>(calls),
      info,
      capabilities,
      newSession: (params, options) => open("session/new", params, options),
      resumeSession: (params, options) => open("session/resume", params, options),
      ...(hasMethod("session/fork") && {
        forkSession: (params: object, options?: RequestOptions) => open("session/fork", params, options),
      }),
    };
  },
};

/** The problem of a chosen value. An option of an unknown type has an id, and may have any value. */
function checkChoice(params: unknown, offered: ClientSessionV2["configOptions"]): ArgumentProblem | undefined {
  const { configId } = params as { readonly configId?: unknown };
  const isUnknown = offered?.some(
    (option) => option.type === unknownVariant && option.received["configId"] === configId,
  );
  return isUnknown === true ? undefined : checkConfigChoice(params, offered, "configId");
}

/** Each tool call and terminal reports whether it can be cancelled by itself ("Cancelling Tool Calls" in the draft). */
function checkCancel(method: string, params: unknown, { cancellables }: ClientSessionV2, rules: CallRules): void {
  const { toolCallId, terminalId } = params as { readonly toolCallId?: string; readonly terminalId?: string };
  const isCall = method === "tool_call/cancel";
  if (!isCall && method !== "terminal/cancel") return;
  const found = isCall ? cancellables.get("call", toolCallId ?? "") : cancellables.get("terminal", terminalId ?? "");
  if (found !== undefined) return;
  const rule = "capabilities.cancel";
  const message = `${method} needs ${rule}, which that ${isCall ? "tool call" : "terminal"} does not advertise now`;
  if (rules.mode !== "diagnose") throw new CapabilityError(method, rule, message);
  rules.warn(method, `${message}; it is sent all the same`, rule);
}
