import { type ClientDefinition, type ClientSession, createClient, type LoginRequest } from "@acp/core";
import { type ElicitationHandlers, elicitation, type Questions } from "@acp/core/elicitation";
import type { Received, RequestPermissionResponse } from "@acp/schema/v1";

import { fileSystem, type Terminal, terminals } from "#runtime";

/** What the user interface does with what comes from the agent. */
export interface ClientEvents {
  /** An update of the session, also between turns. The agent is slowed down while the promise is pending. */
  update(update: Received.SessionUpdate, session: ClientSession): Promise<void> | undefined;
  /** The agent started a command. */
  terminal(terminal: Terminal): void;
  /** The agent asks for permission; `signal` aborts when the turn is cancelled. */
  permission(request: Received.RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse>;
  /** The agent wants a login; the id of one that it does itself, or `undefined`. */
  login(request: LoginRequest): Promise<string | undefined>;
  /** Who answers the agent's questions; absent if nobody is there to be asked (ELIC-01). */
  readonly questions: Required<Questions> | undefined;
  /** Whether a terminal is there that a login can have (AUTH-04). */
  readonly hasTerminal: boolean;
}

/** A client that gives agents files and terminals, confined to the session's directory. */
export function createReferenceClient(events: ClientEvents): ClientDefinition {
  const { questions } = events;
  const asking: Partial<ElicitationHandlers> = questions === undefined ? {} : elicitation(questions);
  return createClient({
    info: { name: "acp-client", title: "Reference client", version: "1.0.0" },
    capabilities: {
      session: { notices: {}, compaction: {} },
      auth: { terminal: events.hasTerminal },
      ...(questions === undefined ? {} : { elicitation: { form: {}, url: {} } }),
    },
    authenticate: (request) => events.login(request),
    handlers: {
      ...asking,
      ...fileSystem(),
      ...terminals({ onCreate: (terminal) => events.terminal(terminal) }),
      "session/update": ({ update }, { session }) => events.update(update, session),
      "session/request_permission": (request, { signal }) => events.permission(request, signal),
    },
  });
}
