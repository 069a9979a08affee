/// <reference lib="esnext.disposable" preserve="true" />
// The exports of the entries of version 2: the names of the main entry for shared things, and those without a version,
// so that nobody needs both.
export * from "../session/common-exports.ts";
export { v2 } from "./protocol-types.ts";
export type { AgentConnection } from "../session/agent/agent-connection.ts";
export type { AgentDefinition } from "../session/agent/agent-definition.ts";
export type { OverlappingPrompts } from "../session/agent/agent-options.ts";
export type { GateMode } from "../session/rules/call-rules.ts";
export type { ClientConnector, ConnectOptions } from "../session/client/client-connector.ts";
export { agentOfVersions, type AgentVersions } from "./versions/agent-of-versions.ts";
export { type AgentOptions, createAgent, createAgentFor } from "./agent.ts";
export type {
  AgentContext,
  AgentHandlers,
  AgentMaybeSessionContext,
  AgentRequestContext,
  AgentSessionContext,
  AgentTurnContext,
} from "./agent-handlers.ts";
export type { AgentSession, ClientDetails, SessionSetup } from "./agent-session.ts";
export type {
  AgentTurn,
  MessageOptions,
  PermissionOption,
  PermissionOutcome,
  PermissionQuestion,
  PlanOptions,
  Text,
} from "./agent-turn.ts";
export type { NewTerminal, ReportedTerminal } from "./reported-terminal.ts";
export { clientOfVersions, type ClientVersions, type VersionedAgent } from "./versions/client-of-versions.ts";
export {
  type ChooseLogin,
  type ClientDefinition,
  type ClientOptions,
  createClient,
  createClientFor,
  type InterceptedCall,
  type InterceptedRequest,
  type Interceptor,
  type LoginRequest,
} from "./client.ts";
export type { ClientContext, ClientHandlers, ClientSessionContext } from "./client-handlers.ts";
export type { ClientSession, Prompt, SessionActivity } from "./client-session.ts";
export type { ConnectedAgent, InitializedAgent, SessionForks } from "./connected-agent.ts";
export type { SessionEvent, SessionObserver } from "./session-event.ts";
export type { NewToolCall, ReportedToolCall, ToolCallChange } from "./reported-tool-call.ts";
export type { ToolOutput } from "./tool-output.ts";
export type { PromptOptions, Turn } from "./turn.ts";
export type { IdleStateOf, PromptResponseOf, ReceivedUpdateOf, TurnEnd } from "./protocol-types.ts";
