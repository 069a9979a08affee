// How a connection and a session begin: capabilities, logins, and MCP servers.
import { unknownVariant } from "@acp/schema";
import type * as V1 from "@acp/schema/v1/types";
import type * as V2 from "@acp/schema/v2/types";
import { defined } from "./convert-known.ts";

/** What serves the agent of version 1 in the place of a client of version 2, which has no files and no terminals. */
export interface Served {
  readonly files: boolean;
  readonly terminals: boolean;
}

/** `initialize` of a client of version 2, in version 1. */
export function initializeDown(request: V2.Received.InitializeRequest, served: Served): V1.InitializeRequest {
  const { info, capabilities, protocolVersion: _, ...rest } = request;
  return { ...rest, protocolVersion: 1, clientInfo: info, clientCapabilities: clientDown(capabilities ?? {}, served) };
}

/** Logins in a terminal start the agent's program once more, which a client of the bridge cannot do. */
function clientDown(client: V2.ClientCapabilities, { files, terminals }: Served): object {
  const { auth: _, elicitation, ...rest } = client;
  return defined({
    ...rest,
    ...(files && { fs: { readTextFile: true, writeTextFile: true } }),
    ...(terminals && { terminal: true }),
    session: { compaction: {}, notices: {}, configOptions: { boolean: {} } },
    elicitation,
  });
}

/** `initialize` of a client of version 1, in version 2. */
export function initializeUp(request: V1.Received.InitializeRequest): V2.InitializeRequest {
  const { clientInfo, clientCapabilities, protocolVersion: _, ...rest } = request;
  const { fs: _fs, terminal: _terminal, session: _session, auth: _auth, ...capabilities } = clientCapabilities ?? {};
  return { ...rest, protocolVersion: 2, info: clientInfo ?? unknownInfo, capabilities };
}

/** The name of a peer that sent none: version 2 wants one. */
const unknownInfo: V2.Implementation = { name: "unknown", version: "unknown" };

/** An agent's answer of version 1 to `initialize`, in version 2. */
export function initializeAnswerUp(answer: V1.Received.InitializeResponse): object {
  const { agentInfo, agentCapabilities, authMethods, protocolVersion: _, ...rest } = answer;
  const methods = authMethods?.flatMap(loginUp) ?? [];
  return {
    ...rest,
    protocolVersion: 2,
    info: agentInfo ?? unknownInfo,
    capabilities: agentUp(agentCapabilities ?? {}),
    ...(methods.length > 0 && { authMethods: methods }),
  };
}

function agentUp(agent: V1.AgentCapabilities): V2.AgentCapabilities {
  const { loadSession: _, promptCapabilities, mcpCapabilities, sessionCapabilities, auth: _auth, ...rest } = agent;
  const { list: _list, resume: _resume, close: _close, ...session } = sessionCapabilities ?? {};
  const { image, audio, embeddedContext, ...prompt } = promptCapabilities ?? {};
  const { http, sse: _sse, ...mcp } = mcpCapabilities ?? {};
  const { logout: _logout, ...auth } = agent.auth ?? {};
  return {
    ...rest,
    ...(Object.keys(auth).length > 0 && { auth }),
    session: {
      ...session,
      prompt: {
        ...prompt,
        ...(image && { image: {} }),
        ...(audio && { audio: {} }),
        ...(embeddedContext && { embeddedContext: {} }),
      },
      mcp: { ...mcp, stdio: {}, ...(http && { http: {} }) },
    },
  };
}

function loginUp(login: V1.Received.AuthMethod): object[] {
  if (login.type === "terminal") return [];
  if (login.type === unknownVariant) return [];
  const { id, ...rest } = login;
  return [{ ...rest, type: "agent", methodId: id }];
}

/** An agent's answer of version 2 to `initialize`, in version 1. */
export function initializeAnswerDown(answer: V2.Received.InitializeResponse): object {
  const { info, capabilities, authMethods, protocolVersion: _, ...rest } = answer;
  const methods = authMethods?.flatMap(loginDown) ?? [];
  return {
    ...rest,
    protocolVersion: 1,
    agentInfo: info,
    agentCapabilities: agentDown(capabilities ?? {}, methods.length > 0),
    authMethods: methods,
  };
}

function agentDown({ session, auth, ...rest }: V2.AgentCapabilities, hasLogins: boolean): V1.AgentCapabilities {
  const { prompt, mcp, ...own } = session ?? {};
  const { image, audio, embeddedContext, ...prompts } = prompt ?? {};
  const { stdio: _, http, ...servers } = mcp ?? {};
  return {
    ...rest,
    loadSession: session != null,
    ...(session != null && { sessionCapabilities: { ...own, list: {}, resume: {}, close: {} } }),
    promptCapabilities: {
      ...prompts,
      image: image != null,
      audio: audio != null,
      embeddedContext: embeddedContext != null,
    },
    mcpCapabilities: { ...servers, http: http != null, sse: false },
    ...((hasLogins || auth != null) && { auth: { ...auth, ...(hasLogins && { logout: {} }) } }),
  };
}

function loginDown(login: V2.Received.AuthMethod): object[] {
  if (login.type !== "agent") return [];
  const { methodId, type: _, ...rest } = login;
  return [{ ...rest, id: methodId }];
}

/** The params that open a session, in version 2. */
export function openUp(params: Partial<V1.Received.NewSessionRequest>): object {
  const { mcpServers, ...rest } = params;
  return { ...rest, ...(mcpServers && { mcpServers: mcpServers.map(serverUp) }) };
}

function serverUp(server: V1.Received.McpServer): object {
  return server.type === undefined ? { ...server, type: "stdio" } : server;
}

/** The params that open a session, in version 1. */
export function openDown(params: Partial<V2.Received.NewSessionRequest>): object {
  return { ...params, mcpServers: (params.mcpServers ?? []).map(serverDown) };
}

function serverDown(server: V2.Received.McpServer): object {
  if (server.type === unknownVariant) return server;
  if (server.type === "http") return { ...server, headers: server.headers ?? [] };
  const { type: _, ...rest } = server;
  return { ...rest, args: server.args ?? [], env: server.env ?? [] };
}
