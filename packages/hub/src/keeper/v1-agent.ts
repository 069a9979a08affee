import {
  type ClientDefinition,
  type ClientHandlers,
  type ConnectedAgent,
  type ClientSession,
  createClient,
  RequestError,
  type Turn,
} from "@acp/core";

import type { Terminal } from "@acp/host/types";

import { systemClock } from "../clock.ts";
import { type ExtensionMessage, extensionNotification, extensionRequest, namingExtensions } from "../extensions.ts";
import { toWireError } from "../wire-error.ts";
import type { AgentEvents, AgentLink, AgentSetup, OpenAgent } from "./agent-link.ts";
import { TerminalTexts } from "./terminal-texts.ts";

/** The client's handlers that reach the machine: files and terminals. */
export type MachineHandlers = Pick<
  ClientHandlers,
  Extract<keyof ClientHandlers, `fs/${string}` | `terminal/${string}`>
>;

/** How a keeper reaches its agent. */
export interface AgentConnector {
  /** Starts the agent and connects the client to it. */
  connect(client: ClientDefinition, signal: AbortSignal): Promise<ConnectedAgent>;
  /** Files and terminals that agents of the session may use. Default: none. */
  machine?(onCreate: (terminal: Terminal) => void): MachineHandlers;
  /** The login that a user has chosen earlier, by its id. */
  login?(): string | undefined;
}

/** What the hub can do for any agent, whoever is attached. */
const capabilities = {
  elicitation: { form: {}, url: {} },
  session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
} as const;

/** Opens sessions at agents of version 1. */
export function openAgentsOfVersion1(connector: AgentConnector): OpenAgent {
  return async (setup, events, signal) => {
    const opening = { isReplaying: false };
    const agent = await connector.connect(keeperClient(connector, events, opening), signal);
    try {
      opening.isReplaying = setup.resume !== undefined;
      const session = await openSession(agent, setup, signal);
      opening.isReplaying = false;
      void agent.closed.then(() => events.ended(endOf(agent)));
      return toLink(agent, session);
    } catch (error) {
      await agent.close();
      throw error;
    }
  };
}

function keeperClient(
  connector: AgentConnector,
  events: AgentEvents,
  opening: { readonly isReplaying: boolean },
): ClientDefinition {
  const terminals = new TerminalTexts(systemClock, (update) => void events.update(update));
  const client = createClient({
    info: { name: "acp-hub", version: "1.0.0" },
    capabilities,
    authenticate: ({ methods }) => {
      const chosen = connector.login?.();
      return methods.find(({ id }) => id === chosen)?.id;
    },
    handlers: {
      ...connector.machine?.((terminal) => terminals.add(terminal)),
      // The journal has the history already.
      "session/update": ({ update }) => (opening.isReplaying ? undefined : events.update(terminals.convert(update))),
      "session/request_permission": async (params, { signal }) =>
        (await events.ask("session/request_permission", params, signal)) as never,
      "elicitation/create": async (params, { signal }) =>
        (await events.ask("elicitation/create", params, signal)) as never,
      "elicitation/complete": (params) => events.notify("elicitation/complete", params),
      [extensionRequest]: ({ method, params }: ExtensionMessage, { signal }) => events.request(method, params, signal),
      [extensionNotification]: ({ method, params }: ExtensionMessage) =>
        opening.isReplaying ? undefined : events.notify(method, params),
    },
  });
  return { ...client, connect: (transport, options) => client.connect(namingExtensions(transport), options) };
}

async function openSession(agent: ConnectedAgent, setup: AgentSetup, signal: AbortSignal): Promise<ClientSession> {
  const { resume, cwd } = setup;
  // What the client of the hub has sent was checked when it came.
  const where = {
    cwd,
    ...(setup.additionalDirectories.length > 0 && { additionalDirectories: [...setup.additionalDirectories] }),
  };
  const params = { ...where, mcpServers: setup.mcpServers as never };
  if (resume === undefined) return await agent.newSession(params, { signal });
  const { sessionCapabilities, loadSession } = agent.capabilities;
  if (sessionCapabilities?.resume != null)
    return await agent.resumeSession({ ...params, sessionId: resume }, { signal });
  if (loadSession === true) return await agent.loadSession({ ...params, sessionId: resume }, { signal });
  throw RequestError.internalError(
    "The agent has ended, and it cannot open its earlier sessions again: start a new session",
  );
}

function endOf(agent: ConnectedAgent): ReturnType<typeof toWireError> | undefined {
  const reason: unknown = agent.signal.reason;
  return reason instanceof Error ? toWireError(reason) : undefined;
}

function toLink(agent: ConnectedAgent, session: ClientSession): AgentLink {
  let turn: Turn | undefined;
  return {
    opened: {
      version: 1,
      sessionId: session.id,
      info: agent.info,
      capabilities: agent.capabilities,
      setup: {
        ...(session.modes && { modes: session.modes }),
        ...(session.configOptions && { configOptions: session.configOptions }),
      },
    },
    prompt: (prompt) => {
      turn = session.prompt(prompt as never);
      return turn.response;
    },
    cancel: () => turn?.cancel(),
    call: (method, params, isNotification, signal) => {
      const own = { ...params, sessionId: session.id } as never;
      return isNotification ? agent.notify(method as never, own) : agent.request(method as never, own, { signal });
    },
    close: () => agent.close(),
  };
}
