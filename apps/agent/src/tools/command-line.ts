/** A program and its arguments. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

const special = /[|&;<>()$`*?[\]{}~\n]/u;
/** What cmd.exe reads as more than itself, but for what stands for directories: `C:\Program Files (x86)`. */
const specialOnWindows = /[|&<>^%\n]/u;
/** What is no program on Windows. */
const builtIn =
  /^(?:assoc|call|copy|date|del|dir|echo|erase|for|ftype|if|md|mkdir|mklink|move|path|rd|ren|rename|rmdir|set|time|title|type|ver|vol)$/iu;

/** A command line as a user or a package script writes it; the shell runs it if it needs one. */
export function parseCommandLine(line: string, platform: string = process.platform): CommandLine {
  const isWindows = platform === "win32";
  const words = (isWindows ? specialOnWindows : special).test(line) ? undefined : splitWords(line);
  const [command, ...args] = words ?? [];
  if (command !== undefined && !(isWindows && builtIn.test(command))) return { command, args };
  return isWindows
    ? { command: "cmd.exe", args: ["/d", "/s", "/c", line] }
    : { command: "/bin/sh", args: ["-c", line] };
}

/** How to show a command to the user. */
export function describeCommand({ command, args }: CommandLine): string {
  const shell = args[0] === "-c" || args[0] === "/d";
  return shell ? (args.at(-1) ?? "") : [command, ...args].join(" ");
}

/** Words, with quotes; `undefined` if a quote is not closed. */
function splitWords(line: string): string[] | undefined {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/gu) ?? [];
  const unquoted = words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/gu, "$1$2"));
  const quotes = line.replaceAll(/"[^"]*"|'[^']*'/gu, "").match(/["']/u);
  return quotes === null ? unquoted : undefined;
}
