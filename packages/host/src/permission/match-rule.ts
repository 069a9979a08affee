import { UsageError } from "@acp/core";

import { isInside, resolveRoots } from "../files/confine-path.ts";
import { haveNameIn } from "../files/other-names.ts";
import type { HostSession } from "../host-context.ts";
import { isAbsolutePath } from "../runtime/paths.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { PermissionRule, PolicyAction, PolicyCommand } from "./policy-action.ts";
import { quoteValues } from "@acp/core/internal";

/** @throws {UsageError} for a rule that has no condition, or one that can never hold. */
export function requireRule(runtime: Runtime, rule: PermissionRule): void {
  const { then, kind, within, command, line, moreArguments } = rule;
  const fail = (what: string): never => {
    throw new UsageError(`permissionPolicy: ${what}, in the rule ${quoteValues([rule])}`);
  };
  if (!["allow", "reject", "ask"].includes(then)) fail("`then` is allow, reject or ask");
  if (kind == null && within == null && command == null && line == null) fail("name a condition");
  if (command != null && line != null) fail("a rule has either a command or a line; write two rules");
  if (command?.length === 0 || line === "") fail("the command is empty");
  if (moreArguments === true && command == null) fail("moreArguments belongs to a command");
  if (typeof within !== "function") requireAbsolute(runtime, listOf(within));
}

/**
 * The first rule that matches an action. A rejecting rule that may match asks the user: a file with
 * several names may have one in a folder that is too large to be searched.
 */
export async function findRule(
  runtime: Runtime,
  rules: readonly PermissionRule[],
  action: PolicyAction,
  session: HostSession | undefined,
): Promise<PermissionRule | undefined> {
  for (const rule of rules) {
    if (!matches(rule, action)) continue;
    const isWithin = await isWithinFolders(runtime, rule, action, session);
    if (isWithin !== "no") return isWithin === "unknown" ? { ...rule, then: "ask" } : rule;
  }
  return undefined;
}

/** To allow, a rule must cover all of an action; to reject or ask, any part of it is enough. */
function matches(rule: PermissionRule, action: PolicyAction): boolean {
  return rule.then === "allow" ? covers(rule, action) : touches(rule, action);
}

function covers(rule: PermissionRule, { kinds, commands, variables }: PolicyAction): boolean {
  const isForCommand = rule.command != null || rule.line != null;
  const allowed = rule.kind == null ? (isForCommand ? ["execute"] : undefined) : listOf(rule.kind);
  if (allowed !== undefined && !kinds.every((kind) => allowed.includes(kind))) return false;
  if (!isForCommand) {
    // A folder confines no command, known or not: it can reach any file.
    const runsCommand = commands.length > 0 || kinds.includes("execute");
    return !runsCommand || allowed?.includes("execute") === true;
  }
  const mayBeSet = rule.variables ?? [];
  if (!variables.every(({ name }) => mayBeSet.includes(name))) return false;
  return commands.length > 0 && commands.every((command) => isCommand(rule, command));
}

function touches(rule: PermissionRule, { kinds, commands }: PolicyAction): boolean {
  if (rule.kind != null && !kinds.some((kind) => listOf(rule.kind).includes(kind))) return false;
  if (rule.command == null && rule.line == null) return true;
  return commands.some((command) => isCommand(rule, command));
}

function isCommand({ command, line, moreArguments = false }: PermissionRule, asked: PolicyCommand): boolean {
  if (command == null) return asked === line;
  // A shell would split, expand or chain anything that is not plain words.
  if (typeof asked === "string") return !moreArguments && arePlainWords(command) && asked === command.join(" ");
  if (moreArguments ? asked.length < command.length : asked.length !== command.length) return false;
  return command.every((word, index) => word === asked[index]);
}

/** Whether every shell reads these words, joined by spaces, as a program and its arguments. */
export function arePlainWords(words: readonly string[]): boolean {
  const [program = "", ...args] = words;
  return /^[\w@+:,./-]+$/u.test(program) && args.every((word) => /^[\w@+=:,./-]+$/u.test(word));
}

async function isWithinFolders(
  runtime: Runtime,
  { then, within }: PermissionRule,
  { paths, unresolved }: PolicyAction,
  session: HostSession | undefined,
): Promise<"yes" | "no" | "unknown"> {
  if (within == null) return "yes";
  const folders = typeof within === "function" ? (session === undefined ? [] : within(session)) : listOf(within);
  const roots = await resolveRoots(runtime, requireAbsolute(runtime, folders));
  const isIn = (path: string): boolean => isInside(runtime, roots, path);
  // A path that cannot be resolved may lead anywhere: it matches every rule but those that allow.
  if (then === "allow") return unresolved.length === 0 && paths.length > 0 && paths.every(isIn) ? "yes" : "no";
  if (unresolved.length > 0 || paths.some(isIn)) return "yes";
  return haveNameIn(runtime, paths, roots);
}

function requireAbsolute(runtime: Runtime, folders: readonly string[]): readonly string[] {
  const relative = folders.find((folder) => !isAbsolutePath(runtime, folder));
  if (relative === undefined) return folders;
  throw new UsageError(`permissionPolicy: within must be absolute paths, and ${quoteValues([relative])} is none`);
}

function listOf(value: string | readonly string[] | null | undefined): readonly string[] {
  return typeof value === "string" ? [value] : (value ?? []);
}
