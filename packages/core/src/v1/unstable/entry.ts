/// <reference lib="esnext.disposable" preserve="true" />
// The entry `@acp/core/unstable`: all names of the main entry, those that depend on the protocol bound to the
// unstable part of version 1 as well, and the types of that.
export * from "../index.ts";
export { ErrorCode, type PermissionOption } from "../index.ts";
export type * from "@acp/schema/v1/unstable/types";
export { createAgent, createClient, v1 } from "./binding.ts";
export type {
  AgentContext,
  AgentHandlers,
  AgentMaybeSessionContext,
  AgentRequestContext,
  AgentSession,
  AgentSessionContext,
  AgentTurn,
  AgentTurnContext,
  ClientContext,
  ClientDefinition,
  ClientDetails,
  ClientHandlers,
  ClientSession,
  ClientSessionContext,
  ConnectedAgent,
  InterceptedCall,
  InterceptedRequest,
  Interceptor,
  PromptResponseOf,
  ReceivedUpdateOf,
  SessionSetup,
  Subagent,
  Turn,
} from "./types.ts";
// The same with the protocol as a parameter: the names of inferred types in declarations that the compiler writes.
export type { SubagentOf } from "../subagent-turn.ts";
