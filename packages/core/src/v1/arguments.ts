import { formatPath } from "@acp/schema";
import { Refusal } from "../connection/refusal.ts";
import { wireErrors } from "../connection/wire-errors.ts";

/** Params members that hold absolute paths, alone or in a list (CONV-02). */
const pathMembers: ReadonlyMap<string, readonly string[]> = new Map([
  ["session/new", ["cwd", "additionalDirectories"]],
  ["session/load", ["cwd", "additionalDirectories"]],
  ["session/resume", ["cwd", "additionalDirectories"]],
  ["session/fork", ["cwd", "additionalDirectories"]],
  ["session/list", ["cwd"]],
  ["fs/read_text_file", ["path"]],
  ["fs/write_text_file", ["path"]],
  ["terminal/create", ["cwd"]],
]);

/** Whether a path is absolute, by the rules of POSIX or of Windows: the peer's machine may be either. */
function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith("\\\\");
}

/** A rule of the protocol's arguments that params or an update break. */
export interface ArgumentProblem {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

const notAbsolute = "expected an absolute path";
const notALine = "expected a line number from 1";

/** The first rule that the params of a method break, beyond what the schema says (CONV-02, CONV-03). */
export function checkArguments(method: string, params: unknown): ArgumentProblem | undefined {
  const members = pathMembers.get(method);
  if (members === undefined || typeof params !== "object" || params === null) return undefined;
  const values = params as Record<string, unknown>;
  for (const member of members) {
    const value = values[member];
    if (typeof value === "string" && !isAbsolutePath(value)) return { path: [member], reason: notAbsolute };
    if (!Array.isArray(value)) continue;
    const index = value.findIndex((item) => typeof item === "string" && !isAbsolutePath(item));
    if (index >= 0) return { path: [member, index], reason: notAbsolute };
  }
  if (method === "fs/read_text_file" && values["line"] === 0) return { path: ["line"], reason: notALine };
  return undefined;
}

interface ToolCallParts {
  readonly content?: readonly unknown[] | null;
  readonly locations?: readonly { readonly path: string; readonly line?: number | null }[] | null;
}

/** The same for a tool call about to be reported (TOOL-10, TOOL-13). */
export function checkToolCall({ content, locations }: ToolCallParts): ArgumentProblem | undefined {
  // In JavaScript nobody has checked the types, and a list of the wrong shape would break the loops below.
  if (content != null && !Array.isArray(content)) return { path: ["content"], reason: "expected an array" };
  if (locations != null && !Array.isArray(locations)) return { path: ["locations"], reason: "expected an array" };
  for (const [index, item] of (content ?? []).entries()) {
    const { type, path } = (item ?? {}) as { readonly type?: unknown; readonly path?: unknown };
    if (type === "diff" && typeof path === "string" && !isAbsolutePath(path)) {
      return { path: ["content", index, "path"], reason: notAbsolute };
    }
  }
  for (const [index, location] of (locations ?? []).entries()) {
    const { path, line } = (location ?? {}) as { readonly path?: unknown; readonly line?: unknown };
    if (typeof path !== "string" || !isAbsolutePath(path))
      return { path: ["locations", index, "path"], reason: notAbsolute };
    if (line === 0) return { path: ["locations", index, "line"], reason: notALine };
  }
  return undefined;
}

/** The answer to a request whose arguments break a rule. */
export function invalidArguments({ path, reason }: ArgumentProblem): Refusal {
  return new Refusal(wireErrors.invalidParams(formatPath(path), reason), path, reason);
}
