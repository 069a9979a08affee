/// <reference lib="esnext.disposable" preserve="true" />
// The entry `@acp/core/v2`: version 2 of the protocol, a draft that may change, with the names of the main entry where the
// thing is the same. What belongs to no version is here as well, and the types of version 2, so that nobody needs both
// entries. Where the types of the protocol have the same name as something of this package, it is that of this package.
export * from "./common.ts";
export { ErrorCode } from "./common.ts";
export type * from "@acp/schema/v2/types";
export { v2 } from "./v2/protocol.ts";
export type { AgentConnection, AgentDefinition } from "./v1/agent.ts";
export type { OverlappingPrompts } from "./v1/agent-sessions.ts";
export type { GateMode } from "./v1/call-rules.ts";
export type { ClientConnector, ConnectOptions } from "./v1/client.ts";
export { agentOfVersions, type AgentVersions } from "./v2/agent-of-versions.ts";
export { type AgentOptions, createAgent, createAgentFor } from "./v2/agent.ts";
export type {
  AgentContext,
  AgentHandlers,
  AgentMaybeSessionContext,
  AgentRequestContext,
  AgentSessionContext,
  AgentTurnContext,
  ClientDetails,
} from "./v2/agent-handlers.ts";
export type { AgentSession, SessionSetup } from "./v2/agent-session.ts";
export type {
  AgentTurn,
  PermissionOption,
  PermissionOutcome,
  PermissionQuestion,
  PlanOptions,
  Text,
} from "./v2/agent-turn.ts";
export { clientOfVersions, type ClientVersions, type VersionedAgent } from "./v2/client-of-versions.ts";
export { type ClientDefinition, type ClientOptions, createClient, createClientFor } from "./v2/client.ts";
export type { ClientContext, ClientHandlers, ClientSessionContext } from "./v2/client-handlers.ts";
export type { ChooseLogin, LoginRequest } from "./v2/client-login.ts";
export type { ClientSession, Prompt, SessionActivity } from "./v2/client-session.ts";
export type { PromptOptions, Turn } from "./v2/turn.ts";
export type { ConnectedAgent, InitializedAgent, SessionForks } from "./v2/connected-agent.ts";
export type { SessionEvent, SessionObserver } from "./v2/session-event.ts";
export type { NewTerminal, ReportedTerminal } from "./v2/reported-terminal.ts";
export type { NewToolCall, ReportedToolCall, ToolCallChange, ToolOutput } from "./v2/reported-tool-call.ts";
export type { IdleStateOf, PromptResponseOf, ReceivedUpdateOf, TurnEnd } from "./v2/vocabulary.ts";
