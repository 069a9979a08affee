import { unknownVariant } from "@acp/schema";
import type { AgentMethods, Received } from "@acp/schema/v1/types";
import { createPeer, type RequestOptions } from "../rpc/peer.ts";
import { refuseSession } from "../rpc/refusal.ts";
import type { AgentFacts, ClientDialect } from "../session/client/client-dialect.ts";
import { checkOffer } from "../session/rules/choices.ts";
import { checkChoice } from "./choices.ts";
import { ClientSessionV1 } from "./client-session-v1.ts";
import type { ConnectedAgent } from "./connected-agent.ts";
import { unknownTerminals } from "./unknown-terminals.ts";

type Facts = AgentFacts<Received.AuthMethod, Received.Implementation | undefined, Received.AgentCapabilities>;

/** Version 1, as the engine of a client sees it. */
export const clientDialect: ClientDialect<ClientSessionV1, Facts, ConnectedAgent> = {
  methods: {
    initialize: "initialize",
    login: "authenticate",
    logout: "logout",
    prompt: "session/prompt",
    cancel: "session/cancel",
    close: "session/close",
    update: "session/update",
    requestPermission: "session/request_permission",
    elicit: "elicitation/create",
    elicitationComplete: "elicitation/complete",
  },
  promptEndsTurn: true,
  answersCancelledQuestions: false,
  chunksNameMessage: false,
  defaultServerType: "stdio",

  initializeParams: (clientInfo, clientCapabilities) => ({ clientCapabilities, clientInfo }),

  readAgent(answer) {
    const { agentInfo, agentCapabilities, authMethods, _meta } = answer as Received.InitializeResponse;
    return {
      info: agentInfo ?? undefined,
      capabilities: agentCapabilities ?? {},
      authMethods: authMethods ?? [],
      meta: _meta ?? {},
    };
  },

  readLoginId: ({ id }) => id,

  isLoginOffered(gate, params, { authMethods }) {
    const { methodId } = params as { readonly methodId?: string };
    return authMethods.some(({ id, type }) => {
      // A method without a type is the agent's own, and so by the schema is one of an unknown type (AUTH-02).
      const known = type == null || type === unknownVariant ? "agent" : type;
      return id === methodId && (gate.type === undefined || gate.type === known);
    });
  },

  replaysHistory: (method) => method === "session/load",

  createSession: (id, params, link) => new ClientSessionV1(id, params, link),

  /** A mode or a value that the session does not offer cannot be chosen (MODE-02, CONF-13). */
  checkSessionCall(method, params, session, rules) {
    rules.refuseOrReport(method, checkChoice(method, params, session), session.id);
  },

  checkOffer: (holder, session) => checkOffer(holder, session ?? {}),

  unknownSession: () => refuseSession(),

  rules: (report) => [unknownTerminals(report)],

  connectedAgent({ info, capabilities }, { calls, members, open, hasMethod }) {
    const openWith = (
      method: string,
      params: { readonly mcpServers?: unknown } | undefined,
      options: RequestOptions | undefined,
    ): Promise<ClientSessionV1> => open(method, { ...params, mcpServers: params?.mcpServers ?? [] }, options);
    return {
      ...members,
      ...createPeer<AgentMethods>(calls),
      info,
      capabilities,
      newSession: (params, options) => openWith("session/new", params, options),
      loadSession: (params, options) => openWith("session/load", params, options),
      resumeSession: (params, options) => openWith("session/resume", params, options),
      ...(hasMethod("session/fork") && {
        forkSession: (params: object, options?: RequestOptions) => openWith("session/fork", params, options),
      }),
    };
  },
};
