export type * from "./types.ts";
export { createSpawnAgent } from "./agent/spawn-agent.ts";
export { createSuperviseAgent } from "./agent/supervise-agent.ts";
export { createSpawnTransport } from "./agent/spawn-transport.ts";
export { createFileSystem } from "./files/file-system.ts";
export { LoginError } from "./login/login-error.ts";
export { createTerminalLogin } from "./login/terminal-login.ts";
export { createPermissionPolicy } from "./permission/permission-policy.ts";
export type { GroupGuardProgram } from "./process/group-guard.ts";
export type { GroupSystem, GuardInput } from "./process/group-system.ts";
export { endWindowsTree, type ProcessGroup } from "./process/process-group.ts";
export { type MarkedEnvironment, separateEnvironment } from "./process/process-marker.ts";
export { createProcessGroups, type ProcessGroups, type StartedChild } from "./process/process-groups.ts";
export { ProcessStartError } from "./process/process-start-error.ts";
export { openStdin } from "./process/open-stdin.ts";
export { superviseProcess } from "./process/supervise-process.ts";
export type { SupervisedProcess } from "./process/supervise-process.ts";
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
export { createServeStdio, type RuntimeStdio } from "./stdio/serve-stdio.ts";
export { createPipe, type PipeEnds } from "./streams/byte-pipe.ts";
export { type ByteWriter, nodeSink, nodeSource, type NodeReadable, type NodeWritable } from "./streams/node-streams.ts";
export { withPauses } from "./streams/with-pauses.ts";
export { type ChunkReader, type ClosableSource, readerSource, webSink, webSource } from "./streams/web-streams.ts";
export { createTerminals } from "./terminals/terminals.ts";
