/** A duplex pipe of bytes, as a runtime offers it: a child's stdio, a socket, a pair of Web Streams. */
export interface BytePipe {
  /** Begins reading. Called once. */
  start(sink: BytePipeSink): void;
  /** Stops reading for now, so that the peer's writes block sooner or later. */
  pause(): void;
  /** Goes on reading. */
  resume(): void;
  /**
   * Writes bytes, in order. When the caller should hold back, it returns a promise that settles once there is room again.
   * Writing to a pipe whose reader is gone does not throw; `closed` tells.
   */
  write(bytes: Uint8Array): void | Promise<void>;
  /** Waits until what was written is out, then closes the pipe. That of a child process also ends the process. */
  close(): Promise<void>;
}

/** Where a {@link BytePipe} delivers. */
export interface BytePipeSink {
  /** Bytes have come in. The receiver may keep the chunk and change it. */
  data(chunk: Uint8Array): void;
  /** Reading has ended. `reason` says why, unless it was an orderly end of file. Called once. */
  closed(reason?: Error): void;
}
