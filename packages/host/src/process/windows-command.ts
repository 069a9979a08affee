import { UsageError } from "@acp/core";

import type { RuntimeCommand, RuntimeFiles } from "../runtime/runtime.ts";
import { windowsVariable } from "./environment.ts";

/**
 * Windows: makes a command startable that is a `.cmd` or `.bat` file, as those that npm installs are, or
 * a `.ps1` script. `CreateProcess` cannot run them; `cmd.exe` can, if everything is quoted for it, and
 * PowerShell its own. Other commands come back with their full path, or as they were if they cannot be found.
 */
export async function resolveWindowsCommand(files: RuntimeFiles, command: RuntimeCommand): Promise<RuntimeCommand> {
  const file = await findWindowsProgram(files, command);
  if (file === undefined) return command;
  if (isPowerShellScript(file)) return powerShellCommand(file, command);
  if (!/\.(?:cmd|bat)$/iu.test(file)) return { ...command, command: file };
  return {
    ...command,
    command: windowsVariable(command.env, "COMSPEC") ?? "cmd.exe",
    args: ["/d", "/s", "/c", `"${batchCommandLine(file, command.args)}"`],
    verbatimArguments: true,
  };
}

/**
 * A command line for `cmd.exe /d /s /c`. Arguments are quoted for the program that the batch file
 * starts, then escaped twice: `cmd.exe` reads them once itself, and again where the batch file expands
 * `%*`. Escaping once would let an argument with a quote in it run a command of its own.
 *
 * @throws {UsageError} for an argument with a line break, which cannot be passed on at all.
 */
export function batchCommandLine(file: string, args: readonly string[]): string {
  const broken = [file, ...args].find((part) => /[\r\n\0]/u.test(part));
  if (broken !== undefined) {
    throw new UsageError(`A batch file cannot take an argument with a line break: ${JSON.stringify(broken)}`);
  }
  const words = args.map((arg) => escapeForCmd(escapeForCmd(quoteArgument(arg))));
  return [escapeForCmd(`"${file}"`), ...words].join(" ");
}

/** Quotes an argument the way the Microsoft C runtime reads it: backslashes count only before a quote. */
export function quoteArgument(argument: string): string {
  const escaped = argument.replaceAll(/(\\*)"/gu, String.raw`$1$1\"`).replace(/(\\+)$/u, "$1$1");
  return `"${escaped}"`;
}

function escapeForCmd(text: string): string {
  return text.replaceAll(/[()%!^"<>&|;,\s*?[\]`]/gu, "^$&");
}

function isPowerShellScript(file: string): boolean {
  return /\.ps1$/iu.test(file);
}

/** Without a profile, which may print, and whatever the policy says of scripts: this one was asked for by name. */
function powerShellCommand(file: string, command: RuntimeCommand): RuntimeCommand {
  const options = ["-NoLogo", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File", file];
  return { ...command, command: "powershell.exe", args: [...options, ...command.args] };
}

async function findWindowsProgram(files: RuntimeFiles, wanted: RuntimeCommand): Promise<string | undefined> {
  const { command, env, cwd } = wanted;
  const extensions = (windowsVariable(env, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD")
    .split(";")
    .filter((part) => part !== "");
  // A name that has an extension of a program is tried as it is first.
  const hasExtension = extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()));
  const suffixes = hasExtension ? ["", ...extensions] : [...extensions];
  if (isPowerShellScript(command)) {
    // npm writes a batch file beside each such script. That one passes bytes on; PowerShell's pipes carry lines of text.
    const twin = await findWindowsProgram(files, { ...wanted, command: command.replace(/\.ps1$/iu, ".cmd") });
    if (twin !== undefined) return twin;
    suffixes.unshift("");
  }
  for (const directory of searchedDirectories(command, cwd, windowsVariable(env, "PATH"))) {
    for (const suffix of suffixes) {
      const candidate = `${directory}${command}${suffix}`;
      // The first that exists wins, so they have to be tried one after another.
      if (await isFile(files, candidate)) return candidate;
    }
  }
  return undefined;
}

/** Where to look, each ending in a separator. The working directory is not among them unless the command says so. */
function searchedDirectories(command: string, cwd: string | undefined, path: string | undefined): string[] {
  if (/^(?:[a-z]:|[\\/])/iu.test(command)) return [""];
  if (/[\\/]/u.test(command)) return [cwd === undefined ? "" : `${cwd}\\`];
  const directories = (path ?? "").split(";").map((part) => part.trim().replaceAll(/^"|"$/gu, ""));
  return directories.filter((part) => part !== "").map((part) => (part.endsWith("\\") ? part : `${part}\\`));
}

async function isFile(files: RuntimeFiles, path: string): Promise<boolean> {
  try {
    return (await files.stat(path)).kind === "file";
  } catch {
    return false;
  }
}
