import { valueAt } from "@acp/schema";
import type { ErrorCode, WireError } from "../../base/errors.ts";
import type { Connection } from "../../rpc/connection.ts";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import type { PeerCalls } from "../../rpc/peer.ts";
import { refuseArguments } from "../rules/arguments.ts";
import type { CallRules } from "../rules/call-rules.ts";
import type { AgentDialect } from "./agent-dialect.ts";
import type { AgentOptions, AuthMethod, ClientDetails } from "./agent-options.ts";
import type { ConnectedClient } from "./connected-client.ts";
import { withoutUnsupportedVariants } from "./offered-options.ts";

/** The parts that the handshake of an agent's connection needs. */
export interface AgentHandshakeParts {
  readonly dialect: AgentDialect;
  readonly options: AgentOptions;
  readonly capabilities: object;
  readonly rules: CallRules;
  readonly connection: Connection;
  readonly client: ConnectedClient;
}

/** Answers `initialize`, and accepts only the logins offered there. */
export interface AgentHandshake {
  initialize(request: IncomingRequest): Promise<void>;
  /** Only a method that was offered can be used, and never one that needs a terminal (AUTH-05, AUTH-06). */
  checkLogin(params: unknown): void;
  /** Adds the ways to log in to an error that asks for a login (AUTH-09). */
  addLogins(error: WireError): WireError;
}

export function createAgentHandshake(
  { dialect, options, capabilities, rules, connection, client }: AgentHandshakeParts,
  calls: PeerCalls,
): AgentHandshake {
  let authMethods: readonly AuthMethod[] = [];
  setClient(client.details);

  function initialize(request: IncomingRequest): Promise<void> {
    const running = answer(request);
    client.initializing = running;
    running.then(
      () => {
        // The first continuation, so that nothing overtakes the requests that wait.
        if (dialect.queuesEarlyRequests) client.markInitialized();
      },
      () => {
        // The client may try again.
        client.initializing = undefined;
      },
    );
    return running;
  }

  async function answer(request: IncomingRequest): Promise<void> {
    const details = dialect.readClient(request.params);
    setClient(details);
    // Always awaited: messages that the agent sends early must find `initializing`.
    const offered = await (typeof options.authMethods === "function"
      ? options.authMethods(details.capabilities)
      : (options.authMethods ?? []));
    // A terminal login is only for clients that can open a terminal (AUTH-03).
    const { initialize: method } = dialect.methods;
    authMethods = withoutUnsupportedVariants(rules, method, "AuthMethod", offered, "login methods", "AUTH-03");
    await options.connected?.(client.peer, connection.signal);
    const { protocolVersion } = rules.table;
    const { info, _meta } = options;
    request.answer(dialect.initializeResult({ protocolVersion, capabilities, info, authMethods, _meta }));
    if (!dialect.queuesEarlyRequests) client.markInitialized();
  }

  function setClient(details: ClientDetails): void {
    client.details = details;
    client.peer = { ...calls, ...details };
  }

  return {
    initialize,
    checkLogin(params) {
      const { methodId } = params as { readonly methodId: unknown };
      const isOffered = authMethods.some(
        (method) => valueAt(method, [dialect.loginIdMember]) === methodId && method.type !== "terminal",
      );
      if (!isOffered) throw refuseArguments({ path: ["methodId"], reason: "is no login method that was offered" });
    },
    addLogins(error) {
      if (error.code !== (-32000 satisfies typeof ErrorCode.authRequired) || error.data !== undefined) return error;
      return { ...error, data: { reason: "auth_required", authMethods } };
    },
  };
}
