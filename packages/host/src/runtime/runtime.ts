/**
 * The functions that this package needs from a JavaScript runtime. `@acp/node`, `@acp/deno` and `@acp/bun` implement it. Implement it
 * yourself only for another runtime.
 */
export interface Runtime {
  /** The semantics of paths and processes. */
  readonly platform: "posix" | "windows";
  /** Whether the usual file systems of the platform treat `A` and `a` as the same name. */
  readonly caseInsensitivePaths: boolean;
  /** The environment of this process. If it is unreadable, throws the same error as {@link Runtime.spawn}. */
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

/** How a process ended: by itself, or by a signal. Both members are `null` if that is unknown. */
export interface ProcessExit {
  /** The exit code; `null` if a signal ended the process. */
  readonly exitCode: number | null;
  /** The signal that ended the process, such as `SIGKILL`; otherwise `null`. */
  readonly signal: string | null;
}

/** A started process, and its group. */
export interface RuntimeProcess {
  /** The id of the process, and of its group. */
  readonly pid: number;
  /** Absent if `stdin` was `null`. */
  readonly stdin?: RuntimeSink;
  /** Settles when writing to stdin has failed, because the process no longer reads it. Never rejects. */
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
  /**
   * Called before the process is asked to end: notes its children, since nobody can find those that left
   * the group once their parents have ended.
   */
  noteStarted?(): void;
  /**
   * Signals every process of the group, even after its leader has ended, and on Linux processes that left the group. Does nothing
   * once all of them have ended.
   */
  signalGroup(signal: "SIGTERM" | "SIGKILL"): void;
  /** Whether one of those processes still runs; zombies do not count. */
  isGroupAlive(): boolean;
}

/** Bytes to a process. Writing to a process that has ended does nothing. */
export interface RuntimeSink {
  /** Returns a promise if the writer should wait; it settles once there is room again. Never rejects. */
  write(bytes: Uint8Array): void | Promise<void>;
  /** Resolves once the system has all written bytes, or the reader is gone. Never rejects. */
  flush(): Promise<void>;
  /** Closes the pipe once everything is written. Never rejects. */
  close(): Promise<void>;
}

/** Bytes from a process. */
export interface RuntimeSource {
  /** Starts to read. Called once. `end` is called once, even when reading fails. */
  start(sink: { data(chunk: Uint8Array): void; end(): void }): void;
  /** Stops reading for now, so that the process is slowed down. */
  pause(): void;
  /** Reads again. */
  resume(): void;
}

/** The file at a path, or an open one. */
export interface FileInfo {
  /** Its kind; `other` for devices, pipes and sockets. */
  readonly kind: "file" | "directory" | "symlink" | "other";
  /** In bytes. */
  readonly size: number;
  /** Identifies this file under all its names. `undefined` if the system has no such id. */
  readonly id: string | undefined;
  /** How many names it has. */
  readonly links: number;
  /** Who owns it and what they may do with it, in one text to compare. Empty where the system has no such thing. */
  readonly access: string;
  /** When it last changed, in milliseconds since 1970. */
  readonly modified: number;
}

/**
 * How to open a file. None of them follows a link at the end of the path or blocks, where the system can
 * do that.
 *
 * - `read`: its bytes.
 * - `write`: an existing file, with its content as it is.
 * - `create`: a new file, to write; fails with `EEXIST` if there is one.
 * - `directory`: a directory, to keep hold of it.
 */
export type FileAccess = "read" | "write" | "create" | "directory";

/** An open file. */
export interface RuntimeFile {
  /** Its number in this process. */
  readonly number: number;
  /** Describes it. */
  info(): Promise<FileInfo>;
  /** Reads the next bytes into `bytes`, and returns how many; 0 at the end. */
  read(bytes: Uint8Array): Promise<number>;
  /** Writes bytes at a position of the file, and returns how many of them: perhaps not all. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  /** Cuts it to a size, in bytes. */
  truncate(size: number): Promise<void>;
  /** Resolves once the disk has its content. */
  sync(): Promise<void>;
  /** Closes it. */
  close(): Promise<void>;
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
  /**
   * Linux: the directory in which this process finds its open files by their numbers, `/proc/self/fd`. Each is a link to
   * the file's current place, and a directory can be entered through it even after its path changed.
   */
  readonly openFiles?: string | undefined;
  /** Returns where a link leads. Rejects with `EILSEQ` if that is not UTF-8. */
  readLink(path: string): Promise<string>;
  /** Opens a file. `mode` is that of a file to create; without it, the system's default. */
  open(path: string, access: FileAccess, mode?: number): Promise<RuntimeFile>;
  /** Lists the names in a directory. */
  list(path: string): Promise<readonly string[]>;
  /** Creates a directory. Rejects with `EEXIST` if there is something. */
  makeDirectory(path: string): Promise<void>;
  /** Gives a file another name, which replaces the file of that name. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file. */
  remove(path: string): Promise<void>;
  /**
   * Gives one file the owner, the mode, the access control list and the extended attributes of another, both as paths
   * that another process can use. Returns whether it could; then {@link FileInfo.access} may still differ. Left out where
   * there is no way.
   */
  copyAttributes?(from: string, to: string): Promise<boolean>;
}
