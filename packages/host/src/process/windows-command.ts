import type { RuntimeCommand, RuntimeFiles } from "../runtime/runtime.ts";
import { errorCode } from "../runtime/error-code.ts";
import { windowsVariable } from "./environment.ts";

/**
 * Windows: makes a `.cmd` or `.bat` file, as npm installs them, or a `.ps1` script startable. `CreateProcess` cannot run
 * them; `cmd.exe` can, if everything is quoted for it, and so can PowerShell. Returns other commands with their full
 * path, or unchanged if only the system can find them.
 *
 * Rejects with `ENOENT` for a name that is nowhere on `PATH`: runtimes would then search the working directory, where
 * anybody may have put a program of that name. Rejects with `ENOEXEC` for a file without an extension, which runtimes
 * would report as missing.
 */
export async function resolveWindowsCommand(files: RuntimeFiles, command: RuntimeCommand): Promise<RuntimeCommand> {
  const file = await findWindowsProgram(files, command);
  if (file === undefined) return command;
  if (!hasExtension(file)) throw Object.assign(new Error(`${file} has no extension`), { code: "ENOEXEC" });
  if (isPowerShellScript(file)) return powerShellCommand(file, command);
  if (!/\.(?:cmd|bat)$/iu.test(file)) return { ...command, command: file };
  // cmd.exe reads a slash as the start of an option, in some places.
  return shellCommand(command, batchCommandLine(file.replaceAll("/", "\\"), command.args));
}

/** Windows: creates a command that has `cmd.exe` run a line unchanged, with any user setting for `!`. */
export function shellCommand(command: RuntimeCommand, line: string): RuntimeCommand {
  const shell = windowsVariable(command.env, "COMSPEC") ?? systemProgram(command.env, "cmd.exe");
  return { ...command, command: shell, args: ["/d", "/v:off", "/s", "/c", `"${line}"`], verbatimArguments: true };
}

/** By its path, since the name would be searched in the working directory. */
function systemProgram(env: RuntimeCommand["env"], file: string): string {
  return `${windowsVariable(env, "SystemRoot") ?? "C:\\Windows"}\\System32\\${file}`;
}

/**
 * Writes a command line for `cmd.exe /d /v:off /s /c`, which reads it once itself, and the arguments once more when the
 * batch file expands `%*`.
 *
 * @throws with `EINVAL` for an argument with a line break, which cannot be passed on.
 */
export function batchCommandLine(file: string, args: readonly string[]): string {
  const broken = [file, ...args].find((part) => /[\r\n\0]/u.test(part));
  if (broken !== undefined) {
    const message = `a batch file cannot take an argument with a line break: ${JSON.stringify(broken)}`;
    throw Object.assign(new Error(message), { code: "EINVAL" });
  }
  const name = `"${file}"`;
  return [/[%!]/u.test(file) ? escapeForCmd(name) : name, ...args.map(batchArgument)].join(" ");
}

/**
 * Quotes an argument as plainly as possible, since batch files also look at single parameters: `if "%1"=="--acp"`.
 * Between quotes everything is plain except quotes and variables. An argument with one of those is escaped for both times
 * that it is read: escaped once, an argument with a quote could run a command of its own.
 */
function batchArgument(argument: string): string {
  if (/^[\w./\\:@+~#-]+$/u.test(argument)) return argument;
  const quoted = quoteArgument(argument);
  return /["%!]/u.test(argument) ? escapeForCmd(escapeForCmd(quoted)) : quoted;
}

/** Quotes an argument the way the Microsoft C runtime reads it: backslashes count only before a quote. */
export function quoteArgument(argument: string): string {
  const escaped = argument.replaceAll(/(\\*)"/gu, String.raw`$1$1\"`).replace(/(\\+)$/u, "$1$1");
  return `"${escaped}"`;
}

/**
 * Also escapes the character after a `%`: variables are expanded before carets, and a name that starts with a caret is not a
 * variable. A caret before the last `%` would fail for `%PATH:a=b%`, where it belongs to the replacement of `a`.
 */
function escapeForCmd(text: string): string {
  return text.replaceAll(/[()%!^"<>&|;,\s*?[\]`]|(?<=%)./gu, "^$&");
}

function isPowerShellScript(file: string): boolean {
  return /\.ps1$/iu.test(file);
}

/**
 * Without a profile, which may print, and regardless of the policy for scripts: the caller asked for this one by name.
 */
function powerShellCommand(file: string, command: RuntimeCommand): RuntimeCommand {
  const options = ["-NoLogo", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File", file];
  const program = systemProgram(command.env, String.raw`WindowsPowerShell\v1.0\powershell.exe`);
  return { ...command, command: program, args: [...options, ...command.args] };
}

/** Windows: whether there is a program of this name. `false` if this process may not look. */
export async function windowsProgramExists(files: RuntimeFiles, command: RuntimeCommand): Promise<boolean> {
  return (await findWindowsProgram(files, command).catch(() => undefined)) !== undefined;
}

/** Returns `undefined` if it was not found, but may exist. */
async function findWindowsProgram(files: RuntimeFiles, wanted: RuntimeCommand): Promise<string | undefined> {
  const { command, env } = wanted;
  const cwd = await absoluteCwd(files, wanted.cwd);
  const names = namesToTry(command, windowsVariable(env, "PATHEXT"));
  let isNowhere = !/[\\/:]/u.test(command);
  for (const directory of searchedDirectories(command, cwd, windowsVariable(env, "PATH"))) {
    for (const name of names) {
      // Looking could ask the user; Deno finds it by itself, even batch files.
      if (files.mayRead?.(directory + name) === false) return undefined;
      try {
        // The first that exists wins, so try one after another.
        if ((await files.stat(directory + name)).kind === "file") return directory + name;
      } catch (error) {
        if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") continue;
        // An alias of an app is a link that can only be started, not followed.
        if (await isLink(files, directory + name)) return directory + name;
        isNowhere = false;
      }
    }
  }
  if (isNowhere) throw Object.assign(new Error(`${command} is not on PATH`), { code: "ENOENT" });
  return undefined;
}

/** The program is started in the working directory, where a relative path would lead elsewhere. */
async function absoluteCwd(files: RuntimeFiles, cwd: string | undefined): Promise<string | undefined> {
  if (cwd === undefined || /^(?:[a-z]:)?[\\/]/iu.test(cwd) || files.mayRead?.(cwd) === false) return cwd;
  return files.realPath(cwd).catch(() => cwd);
}

async function isLink(files: RuntimeFiles, path: string): Promise<boolean> {
  try {
    return (await files.linkStat(path)).kind === "symlink";
  } catch {
    return false;
  }
}

/** Returns a name with the extensions of programs that the user has configured, unless it has one itself. */
function namesToTry(command: string, wanted = ".COM;.EXE;.BAT;.CMD"): string[] {
  // npm writes a batch file for each such script. It passes on bytes; PowerShell's pipes carry lines of text.
  if (isPowerShellScript(command)) return [command.replace(/\.ps1$/iu, ".cmd"), command];
  const extensions = wanted.split(";").filter((part) => /^\.(?:com|exe|bat|cmd|ps1)$/iu.test(part));
  const extended = extensions.map((extension) => command + extension);
  if (/\.(?:com|exe|bat|cmd)$/iu.test(command)) return [command, ...extended];
  // Next to `agent.cmd`, npm puts an `agent` for other systems, which does not count as a program here.
  return hasExtension(command) || /[\\/]/u.test(command) ? [...extended, command] : extended;
}

function hasExtension(file: string): boolean {
  return /\.[^\\/]*$/u.test(file);
}

/**
 * Returns the directories to search, each with a final separator. Includes the working directory only if the command names
 * it.
 */
function searchedDirectories(command: string, cwd: string | undefined, path: string | undefined): string[] {
  const ofCwd = cwd === undefined ? "" : asPrefix(cwd);
  const isOwn = (part: string): boolean => /^(?:[a-z]:|[\\/])/iu.test(part);
  if (isOwn(command)) return [""];
  if (/[\\/]/u.test(command)) return [ofCwd];
  // The name of a quoted directory may contain semicolons.
  const parts = path?.match(/\s*"[^"]*"[^;]*|[^;]+/gu) ?? [];
  const directories = parts.map((part) => part.replaceAll('"', "").trim()).filter((part) => part !== "");
  return directories.map((part) => asPrefix(isOwn(part) ? part : ofCwd + part));
}

function asPrefix(directory: string): string {
  return directory.endsWith("\\") ? directory : `${directory}\\`;
}
