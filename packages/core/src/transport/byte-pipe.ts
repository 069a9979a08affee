/** A duplex byte pipe of a runtime: a child's stdio, a socket, a pair of Web Streams. */
export interface BytePipe {
  /** Starts to read. Called once. */
  start(sink: BytePipeSink): void;
  /** Stops reading for now, so that the peer's writes eventually block. */
  pause(): void;
  /** Resumes reading. */
  resume(): void;
  /**
   * Writes bytes, in order. Returns a promise if you should wait; it settles when there is room again. Writing to a
   * pipe whose reader is gone does not throw; `closed` reports it.
   */
  write(bytes: Uint8Array): void | Promise<void>;
  /**
   * Resolves when the system has everything that was written, so that this process may end. Never rejects: it also
   * resolves if the reader is gone. A pipe without this method writes at once, or its `write` returns a promise that
   * settles when it has.
   */
  flush?(): Promise<void>;
  /** Waits until everything is written, then closes the pipe. The pipe of a child process also ends the process. */
  close(): Promise<void>;
}

/** Receives what a {@link BytePipe} delivers. */
export interface BytePipeSink {
  /** Bytes were received. The receiver may keep the chunk and change it. */
  data(chunk: Uint8Array): void;
  /** Reading has ended. `reason` says why, unless it was an orderly end of file. Called once. */
  closed(reason?: Error): void;
}
