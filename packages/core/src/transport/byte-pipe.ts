/** A duplex pipe of bytes, as a runtime offers it: a child's stdio, a socket, a pair of Web Streams. */
export interface BytePipe {
  /** Begins reading. Called once. */
  start(sink: BytePipeSink): void;
  /** Stops reading for now, so that the peer's writes block sooner or later. */
  pause(): void;
  /** Goes on reading. */
  resume(): void;
  /**
   * Writes bytes, in order. Returns a promise, settled once there is room again, when the caller
   * should hold back. Writing to a pipe whose reader is gone does not throw; `closed` tells.
   */
  write(bytes: Uint8Array): void | Promise<void>;
  /** Waits until what was written is out, then closes; for a child process, ends it too. */
  close(): Promise<void>;
}

/** Where a {@link BytePipe} delivers. */
export interface BytePipeSink {
  /** The chunk is the receiver's from then on. */
  data(chunk: Uint8Array): void;
  /** Reading has ended; with `reason` if it was not an orderly end of file. Called once. */
  closed(reason?: Error): void;
}
