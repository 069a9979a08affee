export type { AgentProcess } from "./agent/agent-process.ts";
export type { AgentLaunch, SpawnAgent, SpawnAgentOptions, SpawnedAgent } from "./agent/spawn-agent.ts";
export { createSpawnAgent } from "./agent/spawn-agent.ts";
export type { AgentLife, AgentSupervisor, SessionOf, SuperviseAgentOptions } from "./agent/agent-life.ts";
export { createSuperviseAgent, type SuperviseAgent } from "./agent/supervise-agent.ts";
export type { LostSession } from "./agent/recorded-sessions.ts";
export type { RestartOptions } from "./agent/restart-limit.ts";
export { createSpawnTransport } from "./agent/spawn-transport.ts";
export type { SpawnedTransport, SpawnTransport, SpawnTransportOptions } from "./agent/spawn-transport.ts";
export type { FileErrorReason } from "./files/file-error.ts";
export { createFileSystem } from "./files/file-system.ts";
export type { CreateFileSystem, FileSystemHandlers, FileSystemOptions } from "./files/file-system.ts";
export type { HostContext, HostSession } from "./host-context.ts";
export { LoginError } from "./login/login-error.ts";
export { createTerminalLogin } from "./login/terminal-login.ts";
export type {
  AgentProgram,
  LaunchInTerminal,
  TerminalLaunch,
  TerminalLogin,
  TerminalLoginMethod,
  TerminalLoginOptions,
} from "./login/terminal-login.ts";
export { createPermissionPolicy } from "./permission/permission-policy.ts";
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
export type { GroupGuardProgram } from "./process/group-guard.ts";
export type { GroupSystem, GuardInput } from "./process/group-system.ts";
export { endWindowsTree, type ProcessGroup } from "./process/process-group.ts";
export type { MarkedEnvironment } from "./process/process-marker.ts";
export { createProcessGroups, type ProcessGroups, type StartedChild } from "./process/process-groups.ts";
export { ProcessStartError } from "./process/process-start-error.ts";
export { openStdin } from "./process/open-stdin.ts";
export { superviseProcess } from "./process/supervise-process.ts";
export type { ProcessOptions, ShutdownOptions, SupervisedProcess } from "./process/supervise-process.ts";
export { decodePath } from "./runtime/decode-path.ts";
export {
  createNodeFiles,
  type NodeFileHandle,
  type NodeFileModule,
  type NodeFilesOptions,
  type NodeStats,
} from "./runtime/node-files.ts";
export { requireVersion } from "./runtime/require-version.ts";
export type {
  FileAccess,
  FileInfo,
  ForegroundCommand,
  ForegroundProcess,
  ProcessExit,
  Runtime,
  RuntimeCommand,
  RuntimeFile,
  RuntimeFiles,
  RuntimeProcess,
  RuntimeSink,
  RuntimeSource,
} from "./runtime/runtime.ts";
export { type ConsoleClass, redirectConsole } from "./stdio/console.ts";
export type { EndingSignal, RuntimeSignals } from "./stdio/ending-signals.ts";
export { pollReader } from "./stdio/poll-reader.ts";
export { createServeStdio, type RuntimeStdio, type ServeStdio, type ServeStdioOptions } from "./stdio/serve-stdio.ts";
export { createPipe, type PipeEnds } from "./streams/byte-pipe.ts";
export { type ByteWriter, nodeSink, nodeSource, type NodeReadable, type NodeWritable } from "./streams/node-streams.ts";
export { withPauses } from "./streams/with-pauses.ts";
export { type ChunkReader, type ClosableSource, readerSource, webSink, webSource } from "./streams/web-streams.ts";
export { createTerminals } from "./terminals/terminals.ts";
export type { Terminal, TerminalsOptions } from "./terminals/open-terminals.ts";
export type { CreateTerminals, TerminalHandlers } from "./terminals/terminals.ts";
export type { TerminalExit } from "./terminals/terminal-process.ts";
export type { CreateTerminalParams } from "./terminals/terminal-command.ts";
