import type { BytePipe } from "@acp/core";
import { requireObject } from "@acp/core/internal";
import { spawnTransport } from "#runtime";

import { byteFraming, bytesOf, textOf } from "./byte-framing.ts";

/** How to start a program. */
export interface ProgramOptions {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  /** Variables to add to the environment. `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Called with each line of stderr. */
  readonly onStderr?: ((line: string) => void) | undefined;
  /**
   * Called when the program has ended, while the processes that it has left behind still run: they are ended once the
   * promise is fulfilled. It must not reject.
   */
  readonly onExit?: (() => Promise<void>) | undefined;
  /** How long the program may take to end after its stdin is closed, in milliseconds. Default: 2,000. */
  readonly grace?: number | undefined;
}

/** A program that was started, as bytes. Closing it ends it and all that it has started. */
export interface Program extends BytePipe {
  readonly pid: number;
  /** How it has ended, once its stderr is read. Never rejects. */
  readonly exited: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  /** The end of its stderr. */
  stderr(): string;
  /** Ends it at once, and all that it has started. */
  kill(): Promise<void>;
}

/**
 * Starts a program whose stdin and stdout a test writes and reads.
 *
 * @throws {ProcessStartError} if it cannot be started.
 */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  requireObject(options, "startProgram() takes { command, args }");
  const killing = new AbortController();
  const { grace, ...launch } = options;
  const transport = await spawnTransport({
    ...launch,
    framing: byteFraming,
    shutdown: { eofGrace: grace, kill: killing.signal },
  });
  return {
    pid: transport.process.pid,
    exited: transport.process.exited,
    stderr: () => transport.process.stderr(),
    start: (sink) =>
      transport.start({
        message: (text) => sink.data(bytesOf(text)),
        issue: () => {},
        closed: (reason) => sink.closed(reason),
      }),
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    write: (bytes) => transport.send(textOf(bytes), "soon"),
    close: () => transport.close(),
    kill: async () => {
      killing.abort();
      await transport.close();
    },
  };
}
