export type { AgentProcess, SpawnAgent, SpawnAgentOptions, SpawnedAgent } from "./agent/spawn-agent.ts";
export { createSpawnAgent } from "./agent/spawn-agent.ts";
export type { FileErrorReason } from "./files/file-error.ts";
export { createFileSystem } from "./files/file-system.ts";
export type { CreateFileSystem, FileSystemHandlers, FileSystemOptions } from "./files/file-system.ts";
export type { HostContext, HostSession } from "./host-context.ts";
export { groupGuard, type GroupGuardProgram } from "./process/group-guard.ts";
export { ProcessStartError } from "./process/process-start-error.ts";
export { superviseProcess } from "./process/supervise-process.ts";
export type { ProcessOptions, ShutdownOptions, SupervisedProcess } from "./process/supervise-process.ts";
export type {
  FileInfo,
  ProcessExit,
  Runtime,
  RuntimeCommand,
  RuntimeFiles,
  RuntimeProcess,
  RuntimeSink,
  RuntimeSource,
} from "./runtime/runtime.ts";
export { createTerminals } from "./terminals/terminals.ts";
export type { Terminal, TerminalsOptions } from "./terminals/open-terminals.ts";
export type { CreateTerminals, TerminalHandlers } from "./terminals/terminals.ts";
export type { TerminalExit } from "./terminals/terminal-process.ts";
export type { CreateTerminalParams } from "./terminals/terminal-command.ts";
