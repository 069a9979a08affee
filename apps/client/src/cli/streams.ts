import { fstatSync } from "node:fs";

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Streams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?(mode: boolean): unknown };
  readonly output: NodeJS.WritableStream & {
    readonly isTTY?: boolean;
    readonly columns?: number;
    readonly fd?: number;
    readonly writableNeedDrain?: boolean;
  };
  readonly error: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly fd?: number };
  readonly env: Environment;
  /** Calls `react`, instead of exiting, when nobody reads stdout any more. */
  onOutputClosed?(react: () => void): void;
}

/** Whether there is a user who can read and answer questions. */
export function isInteractive({ input, output }: Streams): boolean {
  return input.isTTY === true && output.isTTY === true;
}

/** Whether what is written to stdout and to stderr comes to the same terminal, file or pipe. */
export function haveOnePlace({ output, error }: Streams): boolean {
  if (output.isTTY === true && error.isTTY === true) return true;
  if (output.fd === undefined || error.fd === undefined) return false;
  try {
    const [one, other] = [output.fd, error.fd].map((fd) => fstatSync(fd, { bigint: true }));
    return one?.dev === other?.dev && one?.ino === other?.ino && one?.ino !== 0n;
  } catch {
    // One of them is closed, or the runtime does not tell.
    return false;
  }
}

/** The streams of this process. The process exits when stdout is closed (`| head`), unless a command does it itself. */
export function processStreams(): Streams {
  const { stdin: input, stdout: output, stderr: error, env } = process;
  let react = (): void => process.exit(1);
  output.on("error", () => react());
  const onOutputClosed = (next: () => void): void => {
    react = next;
  };
  return { input, output, error, env, onOutputClosed };
}
