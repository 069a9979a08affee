import type { SupervisedProcess } from "../process/supervise-process.ts";
import type { ProcessExit } from "../runtime/runtime.ts";

/** The process behind a connected agent. */
export interface AgentProcess {
  /** The id of the process. */
  readonly pid: number;
  /** Settles when the process has ended and its stderr is read. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Returns the end of the process's stderr, at most 64 KiB. */
  stderr(): string;
}

/** Returns the public view of a supervised process. Users end it through the agent. */
export function agentProcess(process: SupervisedProcess): AgentProcess {
  return { pid: process.pid, exited: process.exited, stderr: () => process.stderr() };
}
