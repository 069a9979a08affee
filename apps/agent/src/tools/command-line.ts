/** A program and its arguments. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

const special = /[|&;<>()$`*?[\]{}~\n]/u;

/** A command line as a user or a package script writes it; the shell runs it if it needs one. */
export function parseCommandLine(line: string): CommandLine {
  const words = special.test(line) ? undefined : splitWords(line);
  if (words?.[0] !== undefined) return { command: words[0], args: words.slice(1) };
  return process.platform === "win32"
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
