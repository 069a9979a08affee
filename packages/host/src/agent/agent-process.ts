import type { SupervisedProcess } from "../process/supervise-process.ts";
import type { ProcessExit } from "../runtime/runtime.ts";

/** The process behind a connected agent. */
export interface AgentProcess {
  /** The id of the process. */
  readonly pid: number;
  /** Settles when it has ended. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** The end of what it wrote to stderr so far: at most 64 KiB. */
  stderr(): string;
}

/** The public part of a process that is ended by other means. */
export function agentProcess(process: SupervisedProcess): AgentProcess {
  return { pid: process.pid, exited: process.exited, stderr: () => process.stderr() };
}
