/** A duplex pipe of bytes, as a runtime offers it: a child's stdio, a socket, a pair of Web Streams. */
export interface BytePipe {
  /** Starts to read. Called once. */
  start(sink: BytePipeSink): void;
  /** Stops reading for now, so that the peer's writes block sooner or later. */
  pause(): void;
  /** Reads again. */
  resume(): void;
  /**
   * Writes bytes, in order. Returns a promise if the caller should wait; it settles once there is room again. Writing to a pipe
   * whose reader is gone does not throw; `closed` reports that.
   */
  write(bytes: Uint8Array): void | Promise<void>;
  /**
   * Resolves once the system has all that was written, so that this process may end. Never rejects: it resolves if the reader
   * is gone, too. A pipe without it writes at once, or says with the promise of `write` when it has.
   */
  flush?(): Promise<void>;
  /** Waits until everything is written, then closes the pipe. That of a child process also ends the process. */
  close(): Promise<void>;
}

/** Where a {@link BytePipe} delivers. */
export interface BytePipeSink {
  /** Bytes were received. The receiver may keep the chunk and change it. */
  data(chunk: Uint8Array): void;
  /** Reading has ended. `reason` says why, unless it was an orderly end of file. Called once. */
  closed(reason?: Error): void;
}
