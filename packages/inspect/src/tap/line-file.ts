import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";

/** A file that lines are appended to. */
export interface LineFile {
  /** Writes a line, without line end. Once that has failed, nothing is written any more. */
  write(line: string): void;
  /** Waits until all of it is written. Never rejects. */
  close(): Promise<void>;
}

/**
 * Opens a file to write lines to; one that is there is kept, and others cannot read a new one.
 *
 * @throws if it cannot be opened.
 */
export async function openLineFile(path: string): Promise<LineFile> {
  const stream = createWriteStream(path, { flags: "a", mode: 0o600 });
  await new Promise<void>((resolve, reject) => {
    stream.once("open", () => resolve());
    stream.once("error", reject);
  });
  let failed = false;
  // A full disk ends the log, not the connection.
  stream.on("error", () => {
    failed = true;
  });
  return {
    write(line) {
      if (!failed) stream.write(`${line}\n`);
    },
    async close() {
      stream.end();
      await finished(stream).catch(() => {});
    },
  };
}

/** The lines go to a stream of this process, which is not closed. */
export function linesTo(stream: NodeJS.WritableStream): LineFile {
  stream.on("error", () => {});
  return {
    write: (line) => void stream.write(`${line}\n`),
    close: () => new Promise((resolve) => stream.write("", () => resolve())),
  };
}
