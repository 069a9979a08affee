/**
 * What this package needs of a JavaScript runtime. `@acp/node`, `@acp/deno` and `@acp/bun` implement it; applications
 * need not, unless they bring another runtime.
 */
export interface Runtime {
  /** The semantics of paths and processes. */
  readonly platform: "posix" | "windows";
  /** Whether the usual file systems of the platform treat `A` and `a` as the same name. */
  readonly caseInsensitivePaths: boolean;
  /** The environment of this process. If it may not be read, throws what {@link Runtime.spawn} rejects with. */
  environment(): Readonly<Record<string, string>>;
  /**
   * Starts a process as the leader of its own process group, with piped stdout and stderr. The runtime ends the group if
   * this process ends first, on every exit that it can observe.
   *
   * Rejects with an error whose `code` is that of the operating system (`ENOENT`, `EACCES`) if it cannot be started;
   * `ENOTCAPABLE` if the runtime forbids it, with a message that names the missing permission; and `ENOCWD` if the
   * runtime can tell that the working directory is the cause.
   */
  spawn(command: RuntimeCommand): Promise<RuntimeProcess>;
  /**
   * Starts a process with the stdin, stdout and stderr of this one, in its process group, like a program that a shell
   * runs in the foreground: it can ask the user in the terminal. Ctrl-C reaches both processes; it must not end this one
   * while the other runs. Rejects as {@link Runtime.spawn} does.
   */
  startInForeground(command: ForegroundCommand): Promise<ForegroundProcess>;
  /** The file system. */
  readonly files: RuntimeFiles;
}

/** A program to start in the foreground. */
export type ForegroundCommand = Omit<RuntimeCommand, "stdin">;

/** A process that was started in the foreground. */
export interface ForegroundProcess {
  /** Settles when it has ended. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Signals it; does nothing once it has ended. On Windows ends it and everything that it has started. */
  signal(name: "SIGTERM" | "SIGKILL"): void;
}

/** A program to start. */
export interface RuntimeCommand {
  /** A path, or a name to look up on `PATH`. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Its working directory. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** `pipe` for {@link RuntimeProcess.stdin}; `null` for an empty one. */
  readonly stdin: "pipe" | "null";
  /** Windows: `args` are already quoted and reach the program unchanged, joined by spaces. */
  readonly verbatimArguments?: boolean;
}

/** How a process ended: by itself, or by a signal. Both members are `null` if nobody knows. */
export interface ProcessExit {
  /** Its exit code; `null` if a signal ended it. */
  readonly exitCode: number | null;
  /** The signal that ended it, such as `SIGKILL`; else `null`. */
  readonly signal: string | null;
}

/** A started process, and its group. */
export interface RuntimeProcess {
  /** The id of the process, and of its group. */
  readonly pid: number;
  /** Absent if `stdin` was `null`. */
  readonly stdin?: RuntimeSink;
  /** Settles when writing to stdin has failed: nobody reads it any more. Never rejects. */
  readonly stdinUnread?: Promise<void>;
  /** Its stdout. */
  readonly stdout: RuntimeSource;
  /** Its stderr. */
  readonly stderr: RuntimeSource;
  /** Settles when the leader has ended, even if its pipes are open. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /**
   * Called at the end: closes stdout and stderr. Another process, such as a daemon, may still hold them; that must
   * neither keep this process alive nor be read.
   */
  release(): void;
  /** Signals every process of the group, even after its leader has ended. Does nothing once it is empty. */
  signalGroup(signal: "SIGTERM" | "SIGKILL"): void;
  /** Whether a process of the group still runs; zombies do not count. */
  isGroupAlive(): boolean;
}

/** Bytes to a process. Writing to a process that has ended does nothing. */
export interface RuntimeSink {
  /** Returns a promise if the writer should wait; it settles once there is room again. Never rejects. */
  write(bytes: Uint8Array): void | Promise<void>;
  /** Resolves once the system has all that was written, or nobody reads it any more. Never rejects. */
  flush(): Promise<void>;
  /** Closes the pipe once everything is written. Never rejects. */
  close(): Promise<void>;
}

/** Bytes from a process. */
export interface RuntimeSource {
  /** Starts to read. Called once. `end` is called once, also when reading fails. */
  start(sink: { data(chunk: Uint8Array): void; end(): void }): void;
  /** Stops reading for now, so that the process is slowed down. */
  pause(): void;
  /** Reads again. */
  resume(): void;
}

/** The file at a path. */
export interface FileInfo {
  /** Its kind; `other` for devices, pipes and sockets. */
  readonly kind: "file" | "directory" | "symlink" | "other";
  /** In bytes. */
  readonly size: number;
}

/**
 * The file system. Every method rejects with an error whose `code` is the operating system's, such as
 * `ENOENT`, or `ENOTCAPABLE` as {@link Runtime.spawn} does.
 */
export interface RuntimeFiles {
  /**
   * Whether the runtime permits reading a path right now, without asking its user. Left out by runtimes without
   * permissions.
   */
  mayRead?(path: string): boolean;
  /** Returns the path without symbolic links, spelt as on disk. Rejects with `EILSEQ` if a name in it is not UTF-8. */
  realPath(path: string): Promise<string>;
  /** Describes the file at the end of all links. */
  stat(path: string): Promise<FileInfo>;
  /** Describes the link itself, if it is one. */
  linkStat(path: string): Promise<FileInfo>;
  /** Reads a file, in chunks that are never changed again. Leaving the loop early closes the file. */
  read(path: string): AsyncIterable<Uint8Array>;
  /**
   * Writes a file in place, and creates it if it is missing: its permissions and other links to it stay. If there is no
   * room, the old content stays.
   */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Creates a directory and its parents; does nothing if it exists. */
  makeDirectory(path: string): Promise<void>;
}
