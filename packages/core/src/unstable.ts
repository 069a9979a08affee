/// <reference lib="esnext.disposable" preserve="true" />
// The entry `@acp/core/unstable`: all names of the main entry, those that depend on the protocol bound to the
// unstable part of version 1 as well.
export * from "./index.ts";
export { createAgent, createClient, v1 } from "./unstable/binding.ts";
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
  PromptResponseOf,
  ReceivedUpdateOf,
  SessionSetup,
  Subagent,
  Turn,
} from "./unstable/types.ts";
