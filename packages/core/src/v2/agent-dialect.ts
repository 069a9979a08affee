import type { Received } from "@acp/schema/v2/types";
import { AbortReason } from "../base/abort.ts";
import { UsageError } from "../base/errors.ts";
import { readSessionId } from "../rpc/request-table.ts";
import { pickMeta } from "../rpc/peer.ts";
import { refuseNow, refuseSession } from "../rpc/refusal.ts";
import { requestCancelled } from "../rpc/wire-errors.ts";
import type { AgentDialect } from "../session/agent/agent-dialect.ts";
import { refuseArguments } from "../session/rules/arguments.ts";
import { checkConfigChoice } from "../session/rules/choices.ts";
import { runTurn, runWork } from "./agent-turn-lifecycle.ts";
import { ForegroundSession } from "./foreground/foreground-session.ts";
import { readOtherVersions, refuseVersion } from "./versions/negotiation.ts";

/** Updates that have no place of their own in the timeline. */
const isWithoutPlace =
  /^(state|available_commands|config_option|session_info|usage)_update$|^(tool_call_content|terminal_output)_chunk$|^plan_removed$/;

/** Version 2 as an agent speaks it. */
export const agentDialect: AgentDialect<ForegroundSession> = {
  methods: {
    initialize: "initialize",
    login: "auth/login",
    prompt: "session/prompt",
    cancel: "session/cancel",
    update: "session/update",
    requestPermission: "session/request_permission",
    elicit: "elicitation/create",
    elicitationComplete: "elicitation/complete",
  },
  requestsWithoutHandler: new Set([
    "initialize",
    "session/new",
    "session/list",
    "session/resume",
    "session/close",
    "tool_call/cancel",
    "terminal/cancel",
  ]),

  adaptTable: readOtherVersions,
  checkLoginHandlers(authMethods, handlers) {
    const missing = ["auth/login", "auth/logout"].filter((method) => !handlers.has(method)).join(" and ");
    if (authMethods.length > 0 && missing !== "") {
      throw new UsageError(`authMethods offers logins, but there is no handler for ${missing}`);
    }
  },
  refuseUntimely({ id, method, params }, { isInitialized, initializing, hasAsked }, version) {
    // Its answer could be mistaken for the answer to a message whose id could not be read.
    if (id === "null") throw refuseNow("the id of a request is a string or an integer, and never null");
    if (initializing !== undefined) throw refuseNow("initialize is not answered yet");
    if (method !== "initialize") {
      if (!isInitialized) throw refuseNow("initialize must be called first");
      return;
    }
    if (hasAsked) throw refuseNow("initialize was called already");
    const { protocolVersion } = params as Received.InitializeRequest;
    if (protocolVersion < version) throw refuseVersion(protocolVersion, [version]);
  },
  queuesEarlyRequests: false,
  readClient(params) {
    const { capabilities, info, _meta } = params as Received.InitializeRequest;
    return { capabilities: capabilities ?? {}, info, meta: _meta ?? {} };
  },
  initializeResult: ({ protocolVersion, capabilities, info, authMethods, ...meta }) => ({
    protocolVersion,
    capabilities,
    info,
    ...(authMethods.length > 0 && { authMethods }),
    ...pickMeta(meta),
  }),
  loginIdMember: "methodId",

  createSession: (start, host) => new ForegroundSession(start, host, (session, work) => runWork(session, work, host)),
  unknownSession: (params) => refuseSession({ sessionId: readSessionId(params) }),
  queuesWhileOpening: false,
  answerWithoutSession(method, hasHandler) {
    // Closing a session that is not open has no effect.
    if (method === "session/close") return {};
    return method === "session/list" && !hasHandler ? { sessions: [] } : undefined;
  },
  beforeHandler({ method, params }, session) {
    if (method === "tool_call/cancel") cancelOne(session, "call", "toolCallId", params);
    else if (method === "terminal/cancel") cancelOne(session, "terminal", "terminalId", params);
    if (method !== "session/set_config_option") return;
    const problem = checkConfigChoice(params, session.choices.configOptions, "configId");
    if (problem !== undefined) throw refuseArguments(problem);
  },
  resultHasOptions: (method) => method !== "tool_call/cancel" && method !== "terminal/cancel",

  isTimelineItem: (update) => {
    // A call or a terminal that starts has a title or a command; later updates of it rarely do.
    const { sessionUpdate, title, command } = update as { title?: unknown; command?: unknown } & typeof update;
    if (sessionUpdate === "tool_call_update") return title !== undefined;
    if (sessionUpdate === "terminal_update") return command !== undefined;
    return !isWithoutPlace.test(sessionUpdate);
  },

  overlappingPrompts: "queue",
  runTurn,
  answerAsCancelled: (request) => request.fail(requestCancelled()),
};

/** Aborts the signal of a tool call or a terminal that the client does not want any more. Updates report how it ends. */
function cancelOne(session: ForegroundSession, kind: "call" | "terminal", member: string, params: unknown): void {
  const open = session.cancellables.get(kind, String((params as Record<string, unknown>)[member]));
  if (open === undefined) throw refuseArguments({ path: [member], reason: "names nothing that can be cancelled" });
  open.abort(new AbortReason("The client cancelled it"));
}
