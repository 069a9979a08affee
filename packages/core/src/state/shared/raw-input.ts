import { isObject } from "../../base/values.ts";

/** One more argument of a tool call. */
export interface ActionDetail {
  /** Its name, such as `url`, `pattern` or `timeout`. */
  readonly name: string;
  /** Its value: a text as it is, anything else as JSON. */
  readonly value: string;
}

/** What the arguments of a tool call say. Each of them that has a value is in one of these lists. */
export interface RawInput {
  readonly commands: string[];
  readonly directories: string[];
  readonly paths: string[];
  /** Variables of the environment. */
  readonly variables: ActionDetail[];
  readonly details: ActionDetail[];
}

// No agent has to name its arguments in any way. These are names that many use, in lower case, without `_` and `-`.
const commandNames = new Set(["command", "cmd", "script", "commandline", "shellcommand", "bashcommand"]);
const directoryNames = new Set(["cwd", "workdir", "workingdir", "workingdirectory", "currentdirectory"]);
// An array as it is, so that a bundle without this module leaves it out.
const pathNames = new Set([
  "path",
  "paths",
  "file",
  "files",
  "filepath",
  "filepaths",
  "filename",
  "abspath",
  "absolutepath",
  "relativepath",
  "notebookpath",
  "targetfile",
  "targetpath",
  "oldpath",
  "newpath",
  "sourcepath",
  "destinationpath",
  "dir",
  "directory",
  "dirpath",
  "directorypath",
  "folder",
]);
const variableNames = new Set([
  "env",
  "envs",
  "environ",
  "environment",
  "variables",
  "envvars",
  "envvariables",
  "environmentvariables",
]);
const nestedNames = new Set(["input", "rawinput", "toolinput", "arguments", "args", "params", "parameters", "payload"]);

/** Objects in objects are read up to this depth; what is deeper is a detail. */
const maxDepth = 8;

/** Reads the arguments of a tool call. A text or a list without names is a command if the call is one. */
export function readRawInput(raw: unknown, isCommand: boolean): RawInput {
  const found: RawInput = { commands: [], directories: [], paths: [], variables: [], details: [] };
  if (raw === undefined || raw === null || raw === "") return found;
  const value = parseObject(raw);
  const command = isCommand ? commandLine(value, []) : undefined;
  if (isObject(value) && !Array.isArray(value)) readObject(value, found, 0);
  else if (command !== undefined) found.commands.push(command);
  else addDetail(found, "input", value);
  return found;
}

function readObject(object: object, found: RawInput, depth: number): void {
  const members = Object.entries(object);
  const nameOf = (name: string): string => name.toLowerCase().replaceAll(/[_-]/gu, "");
  const hasCommand = members.some(([name, value]) => commandNames.has(nameOf(name)) && typeof value === "string");
  const argv = members.find(([name, value]) => ["args", "arguments"].includes(nameOf(name)) && isTexts(value));
  const args = hasCommand && argv !== undefined && isTexts(argv[1]) ? argv[1] : [];
  for (const [name, value] of members) {
    const known = nameOf(name);
    const nested = nestedNames.has(known) ? parseObject(value) : undefined;
    if (args.length > 0 && value === argv?.[1]) continue;
    if (known === "commands" && isTexts(value)) found.commands.push(...value);
    else if (commandNames.has(known) && commandLine(value, args) !== undefined) {
      found.commands.push(commandLine(value, args) ?? "");
    } else if (directoryNames.has(known) && isText(value)) found.directories.push(value);
    else if (pathNames.has(known) && isText(value)) found.paths.push(value);
    else if (pathNames.has(known) && isTexts(value)) found.paths.push(...value);
    else if (variableNames.has(known) && value !== undefined && value !== null) {
      found.variables.push(...variablesOf(name, value));
    } else if (isObject(nested) && !Array.isArray(nested) && depth < maxDepth) readObject(nested, found, depth + 1);
    else addDetail(found, name, value);
  }
}

function addDetail({ details }: RawInput, name: string, value: unknown): void {
  if (value === undefined) return;
  details.push({ name, value: textOf(value) });
}

/** Variables as agents write them: by name, as pairs, or as `NAME=value`. What cannot be read counts as one. */
function variablesOf(name: string, value: unknown): readonly ActionDetail[] {
  const parsed = parseJson(value, /^\s*[{[]/u);
  const whole = { name, value: textOf(parsed) };
  if (!isObject(parsed)) return [whole];
  if (!Array.isArray(parsed)) return Object.entries(parsed).map(([key, one]) => ({ name: key, value: textOf(one) }));
  const variables = parsed.map(variableOf);
  return variables.every((one) => one !== undefined) ? variables : [whole];
}

function variableOf(one: unknown): ActionDetail | undefined {
  if (typeof one === "string") {
    const at = one.indexOf("=");
    return at > 0 ? { name: one.slice(0, at), value: one.slice(at + 1) } : undefined;
  }
  if (!isObject(one) || Object.keys(one).length !== 2 || typeof one["name"] !== "string") return undefined;
  return "value" in one ? { name: one["name"], value: textOf(one["value"]) } : undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** A command as one line: a text as it is, a list of words as a shell reads it. */
function commandLine(command: unknown, args: readonly string[]): string | undefined {
  if (isText(command)) return [command, ...args.map(quoteWord)].join(" ");
  return isTexts(command) ? [...command, ...args].map(quoteWord).join(" ") : undefined;
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Some agents pass the arguments on as the model has written them: as JSON. */
export function parseObject(value: unknown): unknown {
  return parseJson(value, /^\s*\{/u);
}

function parseJson(value: unknown, beginning: RegExp): unknown {
  if (typeof value !== "string" || !beginning.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
}
