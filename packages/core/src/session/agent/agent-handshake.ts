import type { ErrorCode, WireError } from "../../base/errors.ts";
import type { Connection } from "../../rpc/connection.ts";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import type { PeerCalls } from "../../rpc/peer.ts";
import { invalidArguments } from "../rules/arguments.ts";
import type { CallRules } from "../rules/call-rules.ts";
import type { AgentDialect } from "./agent-dialect.ts";
import type { AgentOptions, AuthMethod } from "./agent-options.ts";
import type { ConnectedClient } from "./connected-client.ts";
import { withoutClosedVariants } from "./offered-options.ts";

/** What the handshake of an agent's connection needs. */
export interface AgentHandshakeOptions {
  readonly dialect: AgentDialect;
  readonly options: AgentOptions;
  readonly capabilities: object;
  readonly rules: CallRules;
  readonly connection: Connection;
  readonly client: ConnectedClient;
  readonly calls: PeerCalls;
}

/** Answers `initialize`, and holds a login to what was offered there. */
export class AgentHandshake {
  /** The client for handlers that run in no session. */
  peer: object;
  #authMethods: readonly AuthMethod[] = [];
  readonly #parts: AgentHandshakeOptions;

  constructor(parts: AgentHandshakeOptions) {
    this.#parts = parts;
    this.peer = { ...parts.calls, ...parts.client.details };
  }

  initialize(request: IncomingRequest): Promise<void> {
    const { client, dialect } = this.#parts;
    const running = this.#answer(request);
    client.pending = running;
    running.then(
      () => {
        // The first continuation, so that nothing overtakes the requests that wait.
        if (dialect.queuesEarlyRequests) client.markInitialized();
      },
      () => {
        // The client may try again.
        client.pending = undefined;
      },
    );
    return running;
  }

  async #answer(request: IncomingRequest): Promise<void> {
    const { dialect, options, capabilities, rules, connection, client, calls } = this.#parts;
    client.details = dialect.readClient(request.params);
    this.peer = { ...calls, ...client.details };
    // Always awaited: what the agent sends early has to find `pending`.
    const offered = await (typeof options.authMethods === "function"
      ? options.authMethods(client.details.capabilities)
      : (options.authMethods ?? []));
    // A terminal login is only for clients that can open a terminal (AUTH-03).
    const { initialize } = dialect.methods;
    this.#authMethods = withoutClosedVariants(rules, initialize, "AuthMethod", offered, "login methods", "AUTH-03");
    await options.connected?.(this.peer, connection.signal);
    const { protocolVersion } = rules.table;
    const { info, _meta } = options;
    request.answer(
      dialect.initializeResult({ protocolVersion, capabilities, info, authMethods: this.#authMethods, _meta }),
    );
    if (!dialect.queuesEarlyRequests) client.markInitialized();
  }

  /** Only a method that was offered can be used, and never one that needs a terminal (AUTH-05, AUTH-06). */
  checkLogin(params: unknown): void {
    const { methodId } = params as { readonly methodId: unknown };
    const idOf = (method: object): unknown => (method as Record<string, unknown>)[this.#parts.dialect.loginIdMember];
    const isOffered = this.#authMethods.some((method) => idOf(method) === methodId && method.type !== "terminal");
    if (!isOffered) throw invalidArguments({ path: ["methodId"], reason: "is no login method that was offered" });
  }

  /** Adds the ways to log in to an error that asks for a login (AUTH-09). */
  addLogins(error: WireError): WireError {
    if (error.code !== (-32000 satisfies typeof ErrorCode.authRequired) || error.data !== undefined) return error;
    return { ...error, data: { reason: "auth_required", authMethods: this.#authMethods } };
  }
}
