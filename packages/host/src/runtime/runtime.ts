/**
 * What this package needs of a JavaScript runtime. `@acp/node`, `@acp/deno` and `@acp/bun` each implement it;
 * applications do not, unless they bring a runtime of their own.
 */
export interface Runtime {
  /** Which semantics paths and processes have. */
  readonly platform: "posix" | "windows";
  /** Whether the usual file systems of the platform take `A` and `a` for the same name. */
  readonly caseInsensitivePaths: boolean;
  /** The environment of this process. If it may not be read, throws what {@link Runtime.spawn} rejects with. */
  environment(): Readonly<Record<string, string>>;
  /**
   * Starts a process as the leader of a process group of its own, with piped stdout and stderr. The
   * runtime ends the group if this process ends first, on every way out that it can observe.
   *
   * Rejects with an error whose `code` is that of the operating system (`ENOENT`, `EACCES`) if it
   * cannot be started; `ENOTCAPABLE` if it is the runtime that does not permit it, with a message that
   * says what to permit; and `ENOCWD` where the runtime can tell that it is the working directory.
   */
  spawn(command: RuntimeCommand): Promise<RuntimeProcess>;
  /**
   * Starts a process that has the stdin, stdout and stderr of this one and stays in its process group, like a program that a
   * shell runs in the foreground: it can ask the user in the terminal. Ctrl-C reaches both processes; it must not end this
   * one while the other runs. Rejects as {@link Runtime.spawn} does.
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
  /** Signals it; does nothing once it has ended. On Windows ends it, and what it has started. */
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
  /** `pipe` for {@link RuntimeProcess.stdin}; `null` for one that is empty. */
  readonly stdin: "pipe" | "null";
  /** Windows: `args` are quoted already and go to the program as they are, joined by spaces. */
  readonly verbatimArguments?: boolean;
}

/** How a process ended: by itself, or by a signal. Both members are `null` where nobody knows. */
export interface ProcessExit {
  /** Its exit code; `null` if a signal ended it. */
  readonly exitCode: number | null;
  /** The signal that ended it, such as `SIGKILL`; else `null`. */
  readonly signal: string | null;
}

/** A process that was started, and its group. */
export interface RuntimeProcess {
  /** The id of the process, and of its group. */
  readonly pid: number;
  /** Absent if `stdin` was `null`. */
  readonly stdin?: RuntimeSink;
  /** Settles when writing to stdin has failed: nobody reads it any more. Never rejects. */
  readonly stdinUnread?: Promise<void>;
  /** What it writes to stdout. */
  readonly stdout: RuntimeSource;
  /** What it writes to stderr. */
  readonly stderr: RuntimeSource;
  /** Settles when the leader has ended, whether or not its pipes have. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /**
   * Called when all has been ended: closes stdout and stderr. Somebody else may still hold them, a daemon for instance,
   * which must neither keep this process alive nor be read on.
   */
  release(): void;
  /** Signals every process of the group, also after its leader has ended. Does nothing once it is empty. */
  signalGroup(signal: "SIGTERM" | "SIGKILL"): void;
  /** Whether a process of the group still runs; zombies do not count. */
  isGroupAlive(): boolean;
}

/** Bytes to a process. Writing to a process that is gone does nothing. */
export interface RuntimeSink {
  /** Returns a promise, settled once there is room again, when the writer should hold back. Never rejects. */
  write(bytes: Uint8Array): void | Promise<void>;
  /** Closes the pipe once everything written is out. Never rejects. */
  close(): Promise<void>;
}

/** Bytes from a process. */
export interface RuntimeSource {
  /** Begins reading. Called once. `end` is called once, also when reading fails. */
  start(sink: { data(chunk: Uint8Array): void; end(): void }): void;
  /** Stops reading for now, so that the process is held back. */
  pause(): void;
  /** Goes on reading. */
  resume(): void;
}

/** What a path names. */
export interface FileInfo {
  /** What kind of file it is; `other` for devices, pipes and sockets. */
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
   * Whether the runtime permits to read a path as it is now, without asking its user. Left out where it has no
   * permissions of its own.
   */
  mayRead?(path: string): boolean;
  /** The path without symbolic links, spelt as on disk. Rejects with `EILSEQ` if a name in it is not UTF-8. */
  realPath(path: string): Promise<string>;
  /** About the file at the end of all links. */
  stat(path: string): Promise<FileInfo>;
  /** About the link itself, if it is one. */
  linkStat(path: string): Promise<FileInfo>;
  /** The bytes of a file, in chunks that are never written to again. Leaving the loop early closes the file. */
  read(path: string): AsyncIterable<Uint8Array>;
  /**
   * Writes a file in place, creating it if need be: its permissions and other links to it stay. Where there is no room for
   * it, what was there stays.
   */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Creates a directory and those above it; does nothing if it exists. */
  makeDirectory(path: string): Promise<void>;
}
