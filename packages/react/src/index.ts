/**
 * Hooks that show sessions of an agent in React and Preact.
 *
 * @module
 */
export { AgentProvider, type AgentProviderProps, useAgentStore } from "./agent-provider.ts";
export type { AgentState, AgentStore } from "./agent-state.ts";
export { type AgentStoreOptions, createAgentStore } from "./agent-store.ts";
export type { Framed } from "./frames.ts";
export {
  type AgentHook,
  type ConfigHook,
  type PromptHook,
  type SessionLike,
  type SessionListHook,
  useAgent,
  useCommands,
  useConfig,
  useElicitations,
  usePermissions,
  usePrompt,
  useSession,
  useSessionList,
  type UseSessionOptions,
} from "./hooks.ts";
export type { Elicitation, PermissionQuestion } from "./questions.ts";
export { webSocket } from "./web-socket.ts";
