/// <reference lib="esnext.disposable" preserve="true" />
export * from "./common.ts";
export { v1 } from "./protocol/v1.ts";
export {
  type AgentConnection,
  type AgentDefinition,
  type AgentOptions,
  createAgent,
  createAgentFor,
} from "./v1/agent.ts";
export type {
  AgentContext,
  AgentHandlers,
  AgentMaybeSessionContext,
  AgentRequestContext,
  AgentSessionContext,
  AgentTurnContext,
  ClientDetails,
} from "./v1/agent-handlers.ts";
export type { AgentSession, SessionSetup } from "./v1/agent-session.ts";
export type {
  AgentTurn,
  NewToolCall,
  PermissionOption,
  PermissionOutcome,
  ReportedToolCall,
  Text,
  ToolCallChange,
  ToolOutput,
} from "./v1/agent-turn.ts";
export type { OverlappingPrompts } from "./v1/agent-sessions.ts";
export type { GateMode } from "./v1/call-rules.ts";
export {
  type ClientConnector,
  type ClientDefinition,
  type ClientOptions,
  type ConnectOptions,
  createClient,
  createClientFor,
} from "./v1/client.ts";
export type { ChooseLogin, LoginRequest } from "./v1/client-login.ts";
export type { ClientContext, ClientHandlers, ClientSessionContext } from "./v1/client-handlers.ts";
export type { ClientSession, Prompt } from "./v1/client-session.ts";
export type { PromptOptions, Turn } from "./v1/client-turn.ts";
export type { ConnectedAgent, InitializedAgent, SessionForks } from "./v1/connected-agent.ts";
export type { PromptResponseOf, ReceivedUpdateOf } from "./v1/vocabulary.ts";
