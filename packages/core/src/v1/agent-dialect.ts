import type { Received } from "@acp/schema/v1/types";
import { UsageError } from "../base/errors.ts";
import { pickMeta } from "../rpc/peer.ts";
import { refuseNow, refuseSession } from "../rpc/refusal.ts";
import type { AgentDialect } from "../session/agent/agent-dialect.ts";
import { AgentSession } from "../session/agent/agent-session.ts";
import { refuseArguments } from "../session/rules/arguments.ts";
import { cancelledResult, runTurn } from "./agent-turn-lifecycle.ts";
import { checkChoice } from "./choices.ts";

/** Updates that have no place of their own in the timeline. */
const isWithoutPlace =
  /^(tool_call|available_commands|current_mode|config_option|session_info|usage)_update$|^plan_removed$/;

/** Version 1 as an agent speaks it. */
export const agentDialect: AgentDialect = {
  methods: {
    initialize: "initialize",
    login: "authenticate",
    prompt: "session/prompt",
    cancel: "session/cancel",
    update: "session/update",
    requestPermission: "session/request_permission",
    elicit: "elicitation/create",
    elicitationComplete: "elicitation/complete",
  },
  requestsWithoutHandler: new Set(["initialize", "session/new"]),

  checkLoginHandlers(authMethods, handlers) {
    if (authMethods.some((method) => method.type !== "terminal") && !handlers.has("authenticate")) {
      throw new UsageError("authMethods offers a login by authenticate, but there is no handler for it (INIT-17)");
    }
  },
  refuseUntimely({ method }, { isInitialized, initializing }) {
    const hasBegun = isInitialized || initializing !== undefined;
    if (method === "initialize") {
      if (hasBegun) throw refuseNow("initialize was called already");
    } else if (!hasBegun) {
      throw refuseNow("initialize must be called first");
    }
  },
  queuesEarlyRequests: true,
  readClient(params) {
    const { clientCapabilities, clientInfo, _meta } = params as Received.InitializeRequest;
    return { capabilities: clientCapabilities ?? {}, info: clientInfo ?? undefined, meta: _meta ?? {} };
  },
  // An agent of one version answers with that version, whichever is asked for (INIT-08, INIT-09).
  initializeResult: ({ protocolVersion, capabilities, info, authMethods, ...meta }) => ({
    protocolVersion,
    agentCapabilities: capabilities,
    agentInfo: info,
    authMethods,
    ...pickMeta(meta),
  }),
  loginIdMember: "id",

  createSession: (start, host) => new AgentSession(start, host, start.method === "session/load"),
  unknownSession: () => refuseSession(),
  queuesWhileOpening: true,
  beforeHandler({ method, params }, { choices }) {
    const problem = checkChoice(method, params, choices);
    if (problem !== undefined) throw refuseArguments(problem);
  },
  resultHasOptions: (method) => method === "session/set_config_option",

  isTimelineItem: ({ sessionUpdate }) => !isWithoutPlace.test(sessionUpdate),

  overlappingPrompts: "refuse",
  runTurn,
  answerAsCancelled: (request) => request.answer(cancelledResult),
};
