/// <reference lib="esnext.disposable" preserve="true" />
// The entry `@acp/core/v2/unstable`: all names of `@acp/core/v2`, those that depend on the protocol bound to the unstable
// part of version 2 as well, and the types of that.
export * from "../index.ts";
export { ErrorCode, type PermissionOption } from "../index.ts";
export type * from "@acp/schema/v2/unstable/types";
export { createAgent, createClient, v2 } from "./binding.ts";
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
  IdleStateOf,
  PromptResponseOf,
  ReceivedUpdateOf,
  SessionSetup,
  Turn,
  TurnEnd,
} from "./types.ts";
