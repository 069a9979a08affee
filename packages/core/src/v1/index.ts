/// <reference lib="esnext.disposable" preserve="true" />
export * from "../session/common-exports.ts";
export { v1 } from "./protocol-types.ts";
export { type AgentConnection, type AgentDefinition, type AgentOptions, createAgent, createAgentFor } from "./agent.ts";
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
  NewToolCall,
  PermissionOption,
  PermissionOutcome,
  ReportedToolCall,
  Text,
  ToolCallChange,
} from "./agent-turn.ts";
export type { ToolOutput } from "./tool-output.ts";
export type { OverlappingPrompts } from "../session/agent/agent-options.ts";
export type { GateMode } from "../session/rules/call-rules.ts";
export type { ClientConnector, ConnectOptions } from "../session/client/client-connector.ts";
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
export type { ClientSession, Prompt } from "./client-session.ts";
export type { PromptOptions, Turn } from "./turn.ts";
export type { ConnectedAgent, InitializedAgent, SessionForks } from "./connected-agent.ts";
export type { PromptResponseOf, ReceivedUpdateOf } from "./protocol-types.ts";
