import { constants, createWriteStream, openSync, statSync } from "node:fs";
import { Socket } from "node:net";

/** How much may be queued, in bytes: a pipe that nobody reads must not fill the memory. */
const mostWaiting = 16 * 1024 * 1024;
/** How long to wait for the rest, in milliseconds: the connection has ended, and nobody may read it. */
const closeGrace = 1_000;

/** Where lines go. */
export interface LineFile {
  /** Writes a line, without line end. Once that has failed, it writes nothing more. */
  write(line: string): void;
  /** Waits until everything is written, for a second at most. Never rejects. */
  close(): Promise<void>;
}

/**
 * Opens a file to write lines to; others cannot read a new one. `failed` is called once if writing fails. A named pipe
 * need not have a reader: lines that it cannot hold are queued, and some are skipped if none comes.
 *
 * @throws if it cannot be opened.
 */
export async function openLineFile(
  path: string,
  { flags, failed }: { readonly flags: "a" | "w"; readonly failed: (error: Error) => void },
): Promise<LineFile> {
  const pipe = openPipe(path);
  if (pipe !== undefined) return linesTo(pipe, { failed, end: () => pipe.write("", () => pipe.destroy()) });
  const stream = createWriteStream(path, { flags, mode: 0o600 });
  await new Promise<void>((resolve, reject) => {
    stream.once("open", () => resolve());
    stream.once("error", reject);
  });
  return linesTo(stream, { failed, end: () => stream.end() });
}

/**
 * Opens a named pipe. Opened like other files, it would wait for a reader; and a thread that waits for one, there or
 * while writing, keeps the process from ending.
 */
function openPipe(path: string): Socket | undefined {
  try {
    if (!statSync(path).isFIFO()) return undefined;
    return new Socket({ fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK), readable: false, writable: true });
  } catch {
    // There is none, or only its writers may open it: opening it as a file reports that.
    return undefined;
  }
}

/** Writes lines to a stream, which `end` closes. */
export function linesTo(
  stream: NodeJS.WritableStream & { readonly writableLength?: number },
  { failed, end }: { readonly failed?: (error: Error) => void; readonly end?: () => void } = {},
): LineFile {
  let hasFailed = false;
  let leftOut = 0;
  // A full disk ends the log, not the connection.
  stream.on("error", (error: Error) => {
    if (!hasFailed) failed?.(error);
    hasFailed = true;
  });
  return {
    write(line) {
      if (hasFailed) return;
      if ((stream.writableLength ?? 0) > mostWaiting) {
        leftOut += 1;
        return;
      }
      if (leftOut > 0) stream.write(`# skipped ${leftOut} lines: nobody read the ones before them\n`);
      leftOut = 0;
      stream.write(`${line}\n`);
    },
    close: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, closeGrace);
        const done = (): void => {
          clearTimeout(timer);
          resolve();
        };
        if (hasFailed) return done();
        stream.once("error", done);
        stream.write("", done);
        end?.();
      }),
  };
}
