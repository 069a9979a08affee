/** A program and its arguments. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** Characters that only a POSIX shell understands. */
const shellSyntax = /[|&;<>()$`*?[\]{}~\n]/u;
/** Characters that only cmd.exe understands. Parentheses are missing: paths contain them (`C:\Program Files (x86)`). */
const windowsShellSyntax = /[|&<>^%\n]/u;
/** Commands of cmd.exe that are no programs. */
const windowsShellCommand =
  /^(?:assoc|call|copy|date|del|dir|echo|erase|for|ftype|if|md|mkdir|mklink|move|path|rd|ren|rename|rmdir|set|time|title|type|ver|vol)$/iu;

/** Parses a command line of a user or of a package script. If it needs a shell, the result runs it in one. */
export function parseCommandLine(line: string, platform: string = process.platform): CommandLine {
  const isWindows = platform === "win32";
  const words = (isWindows ? windowsShellSyntax : shellSyntax).test(line) ? undefined : splitWords(line);
  const [command, ...args] = words ?? [];
  if (command !== undefined && !(isWindows && windowsShellCommand.test(command))) return { command, args };
  return shellCommand(line, platform);
}

/** Runs a line in the shell of the system. */
export function shellCommand(line: string, platform: string = process.platform): CommandLine {
  return platform === "win32"
    ? { command: "cmd.exe", args: ["/d", "/s", "/c", line] }
    : { command: "/bin/sh", args: ["-c", line] };
}

/** Formats a command for the user: without the shell that runs it. */
export function describeCommand({ command, args }: CommandLine): string {
  const isInShell = args[0] === "-c" || args[0] === "/d";
  return isInShell ? (args.at(-1) ?? "") : [command, ...args].join(" ");
}

/** Splits a command line into words and removes their quotes. Returns `undefined` if a quote is not closed. */
function splitWords(line: string): string[] | undefined {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/gu) ?? [];
  const unquoted = words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/gu, "$1$2"));
  const openQuote = line.replaceAll(/"[^"]*"|'[^']*'/gu, "").match(/["']/u);
  return openQuote === null ? unquoted : undefined;
}
