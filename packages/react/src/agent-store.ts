import {
  type AgentMethods,
  type Awaitable,
  type ClientMethods,
  type ClientOptions,
  createClient,
  type Transport,
} from "@acp/core";
import { requireArgument } from "@acp/core/internal";

import type { AgentStore } from "./agent-state.ts";
import { createConnection } from "./connection.ts";
import { createQuestions } from "./questions.ts";
import { createSessions } from "./sessions.ts";

/** Options of {@link createAgentStore}: those of `createClient`, and how to reach the agent. */
export interface AgentStoreOptions extends ClientOptions<AgentMethods, ClientMethods, object> {
  /** Makes the transport of a connection: called for the first one, and again whenever the connection is lost. */
  readonly transport: () => Awaitable<Transport>;
}

/**
 * Creates the store of an agent, outside of your components. It connects once, when the first component or call needs the
 * agent: not on a server, and not twice in `StrictMode`. When the connection is lost, it connects again, and loads or
 * resumes the open sessions, if the agent can do that.
 *
 * ```ts
 * const store = createAgentStore({
 *   info: { name: "my-page", version: "1.0.0" },
 *   transport: webSocket("wss://example.com/acp", token),
 *   capabilities: { elicitation: { form: {} } },
 * });
 * ```
 *
 * Questions of the agent wait for `usePermissions` and `useElicitations`, unless `handlers` has a handler of yours for
 * them. The latter needs `elicitation` in `capabilities`.
 *
 * @throws {UsageError} what `createClient` throws.
 */
export function createAgentStore(settings: AgentStoreOptions): AgentStore {
  requireArgument(
    typeof settings?.transport === "function",
    "createAgentStore() takes a transport: a function",
    settings,
  );
  const { transport, ...options } = settings;
  const { permissions, elicitations, handlers } = createQuestions(options.capabilities?.elicitation != null);
  const client = createClient({ ...options, handlers: { ...handlers, ...options.handlers } });
  const sessions = createSessions(() => connection.connect());
  const connection = createConnection(async () => client.connect(await transport()), sessions.restore);
  const { connect, retry, close, state } = connection;
  const { newSession, loadSession, resumeSession, sessionState, session, prompt, cancel } = sessions;
  return {
    connection: state,
    permissions,
    elicitations,
    connect,
    retry,
    newSession,
    loadSession,
    resumeSession,
    sessionState,
    session,
    prompt,
    cancel,
    close,
  };
}
