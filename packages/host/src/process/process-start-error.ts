import { AcpError } from "@acp/core";

/** A process could not be started. */
export class ProcessStartError extends AcpError {
  protected static override readonly errorName: string = "ProcessStartError";
  readonly code = "process_start_failed";
  /** The command. */
  readonly command: string;
  /**
   * The error code of the operating system, such as `ENOENT` or `EACCES`. Two codes are our own: `ENOCWD` if the
   * working directory is missing, is not a directory, or may not be entered; `ENOTCAPABLE` if the runtime (Deno, or
   * Node with `--permission`) forbids starting the process.
   */
  readonly reason: string;

  constructor(message: string, command: string, reason: string, options?: ErrorOptions) {
    super(message, options);
    this.command = command;
    this.reason = reason;
  }
}
