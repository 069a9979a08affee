/**
 * The types that the packages of all runtimes export: those of their functions.
 *
 * @module
 */
export type { AgentProcess } from "./agent/agent-process.ts";
export type { AgentLaunch, SpawnAgent, SpawnAgentOptions, SpawnedAgent } from "./agent/spawn-agent.ts";
export type { AgentLife, AgentSupervisor, SessionOf, SuperviseAgentOptions } from "./agent/agent-life.ts";
export type { SuperviseAgent } from "./agent/supervise-agent.ts";
export type { LostSession } from "./agent/recorded-sessions.ts";
export type { RestartOptions } from "./agent/restart-limit.ts";
export type { SpawnedTransport, SpawnTransport, SpawnTransportOptions } from "./agent/spawn-transport.ts";
export type { FileErrorReason } from "./files/file-error.ts";
export type { CreateFileSystem, FileSystemHandlers, FileSystemOptions } from "./files/file-system.ts";
export type { HostContext, HostSession } from "./host-context.ts";
export type {
  AgentProgram,
  LaunchInTerminal,
  TerminalLaunch,
  TerminalLogin,
  TerminalLoginMethod,
  TerminalLoginOptions,
} from "./login/terminal-login.ts";
export type {
  AnswerOptions,
  CreatePermissionPolicy,
  GatedAction,
  PermissionAnswer,
  PermissionPolicy,
  PermissionPolicyOptions,
} from "./permission/permission-policy.ts";
export type {
  PermissionRule,
  PolicyAction,
  PolicyCommand,
  PolicyDecision,
  PolicyVariable,
} from "./permission/policy-action.ts";
export type { AskedCall, AskedPermission } from "./permission/question-action.ts";
export type { ProcessOptions, ShutdownOptions } from "./process/supervise-process.ts";
export type { ProcessExit, Runtime } from "./runtime/runtime.ts";
export type { ServeStdio, ServeStdioOptions } from "./stdio/serve-stdio.ts";
export type { Terminal, TerminalsOptions } from "./terminals/open-terminals.ts";
export type { CreateTerminals, TerminalHandlers } from "./terminals/terminals.ts";
export type { TerminalExit } from "./terminals/terminal-process.ts";
export type { CreateTerminalParams } from "./terminals/terminal-command.ts";
