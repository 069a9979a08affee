import { type AskedAction, describeAction, type DescribedCall } from "@acp/core/internal";

import { resolveRoots } from "../files/confine-path.ts";
import type { HostSession } from "../host-context.ts";
import { hasReservedName, isAbsolutePath, normalizePath } from "../runtime/paths.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { PolicyAction } from "./policy-action.ts";

/** The tool call that a permission request is about, or a change to it, in either version of the protocol. */
export type AskedCall = DescribedCall<object>;

/** An agent's permission request, in either version of the protocol. */
export interface AskedPermission {
  readonly sessionId: string;
  /** The options to choose from. */
  readonly options: readonly { readonly optionId: string; readonly kind: unknown }[];
  /** The subject of the request in version 1. */
  readonly toolCall?: AskedCall;
  /** The subject of the request in version 2: a tool call or a command. */
  readonly subject?: {
    readonly type: unknown;
    readonly toolCall?: AskedCall;
    readonly command?: string;
    readonly cwd?: string | null;
    readonly received?: unknown;
  } | null;
}

/** Reads the action that an agent claims. It ignores the title, which no rule can trust. */
export async function actionOfQuestion(
  runtime: Runtime,
  question: AskedPermission,
  session: HostSession | undefined,
  known: AskedCall | undefined,
): Promise<PolicyAction> {
  const { toolCall, subject } = question;
  const { command, cwd, received } = subject ?? {};
  const asked = describeAction(
    { command, directory: cwd ?? undefined, received },
    toolCall ?? subject?.toolCall,
    known,
  );
  // A command runs in the session's directory, unless the agent names another.
  const isHere = asked.commands.length > 0 && asked.directories.length === 0;
  const named = [...asked.paths, ...asked.directories, ...(isHere ? [session?.cwd ?? ""] : [])];
  return {
    source: "question",
    sessionId: question.sessionId,
    kinds: kindsOf(asked),
    commands: asked.commands,
    variables: asked.variables,
    ...(await resolvePaths(runtime, named, session)),
  };
}

function kindsOf({ kind, commands, content }: AskedAction<object>): readonly string[] {
  const evident = new Set<string>();
  if (commands.length > 0) evident.add("execute");
  if (content.some((item) => "type" in item && item.type === "diff")) evident.add("edit");
  // `other` is the kind of a call without a named kind.
  return kind === "other" && evident.size > 0 ? [...evident] : [...new Set([kind, ...evident])];
}

/** Where paths lead. */
export type ResolvedPaths = Pick<PolicyAction, "paths" | "unresolved">;

/** Finds out where paths lead. */
export async function resolvePaths(
  runtime: Runtime,
  named: readonly string[],
  session: HostSession | undefined,
): Promise<ResolvedPaths> {
  const [paths, unresolved]: [string[], string[]] = [[], []];
  for (const name of named) {
    const path = await resolvePath(runtime, name, session?.cwd);
    if (path === undefined) unresolved.push(name);
    else paths.push(path);
  }
  return { paths, unresolved };
}

async function resolvePath(runtime: Runtime, name: string, cwd: string | undefined): Promise<string | undefined> {
  if (name === "" || name.includes("\0")) return undefined;
  const isRelative = !isAbsolutePath(runtime, name);
  // A shell or a drive would decide where such a name leads; a session that is not open has no directory.
  if (isRelative && (/^~|^[a-z]:/iu.test(name) || cwd === undefined || cwd === "")) return undefined;
  const joined = isRelative ? `${cwd}/${name}` : name;
  if (!isAbsolutePath(runtime, joined)) return undefined;
  const path = normalizePath(runtime, joined);
  // A server would learn who the user is, and a runtime would ask its user.
  const isCostly =
    (runtime.platform === "windows" && path.startsWith("\\\\")) || runtime.files.mayRead?.(path) === false;
  if (isCostly || hasReservedName(runtime, path)) return undefined;
  try {
    return (await resolveRoots(runtime, [path]))[0];
  } catch {
    return undefined;
  }
}
