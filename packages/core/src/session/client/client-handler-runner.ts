import type { UntypedHandler } from "../handler-table.ts";
import { RunContext, type SignalOwner } from "../run-context.ts";
import type { ClientSession } from "./client-session.ts";

/** The second argument of a client's handler. */
class ClientRunContext extends RunContext {
  readonly agent: unknown;
  readonly session: unknown;

  constructor(agent: unknown, session: unknown, owner: SignalOwner) {
    super(owner);
    this.agent = agent;
    this.session = session;
  }
}

/** Runs a client's handlers. */
export class ClientHandlerRunner {
  readonly #handlers: ReadonlyMap<string, UntypedHandler>;
  readonly #agent: object;
  readonly #connection: SignalOwner;

  /** @param agent The `agent` of handlers without a known session. */
  constructor(handlers: ReadonlyMap<string, UntypedHandler>, agent: object, connection: SignalOwner) {
    this.#handlers = handlers;
    this.#agent = agent;
    this.#connection = connection;
  }

  has(method: string): boolean {
    return this.#handlers.has(method);
  }

  /** Runs the handler of a request. */
  run(method: string, params: unknown, session: ClientSession | undefined, request: SignalOwner): unknown {
    return this.#handlers.get(method)?.(params, this.#createContext(session, request));
  }

  /** Runs the handler of a notification. The context is the same for all notifications of a session. */
  notify(method: string, params: unknown, session: ClientSession | undefined): unknown {
    const handler = this.#handlers.get(method);
    if (handler === undefined) return undefined;
    if (session === undefined) return handler(params, this.#createContext(undefined, this.#connection));
    session.context ??= Object.freeze(this.#createContext(session, this.#connection));
    return handler(params, session.context);
  }

  #createContext(session: ClientSession | undefined, owner: SignalOwner): object {
    return new ClientRunContext(session?.agent ?? this.#agent, session, owner);
  }
}
