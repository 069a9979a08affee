import {
  type ArgumentCheck,
  type Decoder,
  formatIssue,
  findSentProblems,
  formatPath,
  isAbsolutePath,
  type InvalidArgument,
  type Path,
  type ValueKind,
  valueAt,
} from "@acp/schema";
import { isPassedOn } from "../../rpc/as-received.ts";
import { Refusal } from "../../rpc/refusal.ts";
import { invalidParams } from "../../rpc/wire-errors.ts";
import { quoteValues } from "../../base/quote-values.ts";

/** A mistake in a message: it breaks a rule of the protocol, or does not fit the schema. */
export interface ArgumentProblem {
  readonly path: Path;
  readonly reason: string;
  /** The number of the rule: `CONV-02`. Empty for a rule of the schema. */
  readonly rule: string;
  /** The value at the path, for messages to its author. */
  readonly got?: unknown;
  /** The values that are allowed there. */
  readonly offered?: readonly unknown[];
  /** The value is safe to read, so a peer that sends it only causes a diagnostic. */
  readonly isHarmless?: boolean;
  /** The value that a handler receives instead, unless the user only sees it. */
  readonly readAs?: unknown;
}

/** Finds the mistakes in a message of this side: its paths and lines, or the first other one. */
export function findOwnProblems(
  entry: { readonly sent?: Decoder<unknown> } | undefined,
  message: unknown = {},
): readonly ArgumentProblem[] {
  if (entry === undefined) return [];
  return findSentProblems(message, entry.sent).flatMap(({ path, reason, action }) => {
    if (action === "rejected") return describeInvalid([reason as ValueKind, ...path], message);
    if (isPassedOn(message, path)) return [];
    return { path, reason: reason.split(", got ")[0]!, rule: "", got: valueAt(message, path) };
  });
}

/** Finds the paths and lines of a received message that break their rule (CONV-02, CONV-03, MCP-07). */
export function findProblems(
  check: ArgumentCheck | undefined,
  message: unknown,
): readonly ArgumentProblem[] | undefined {
  return check?.(message)?.map((invalid) => describeInvalid(invalid, message));
}

function describeInvalid([kind, ...path]: InvalidArgument, message: unknown): ArgumentProblem {
  const got = valueAt(message, path);
  // The only such value is 0: agents that count from 0 mean the beginning of the file.
  if (kind === "line")
    return { path, reason: "expected a line number from 1", rule: "CONV-03", got, isHarmless: true, readAs: 1 };
  // `npx` means the same on both sides; `./server` depends on the working directory.
  const isHarmless = kind === "command" && !/[\\/]/.test(String(got));
  return { path, reason: "expected an absolute path", rule: kind === "path" ? "CONV-02" : "MCP-07", got, isHarmless };
}

/** Makes the path of a problem absolute, if it is one that only depends on a directory. */
export function resolveRelative(
  { rule, got }: ArgumentProblem,
  resolvePath: ((path: string) => string) | undefined,
): string | undefined {
  // Not a home, a URL, or the directory of a drive.
  if (rule !== "CONV-02" || typeof got !== "string" || /^(?:$|~|\\|[A-Za-z][\w+.-]*:)/.test(got)) return undefined;
  const path = resolvePath?.(got);
  return path !== undefined && isAbsolutePath(path) ? path : undefined;
}

/** Describes a problem of a message or declaration of this side. Messages about received values do not quote them. */
export function describeOwn(problem: ArgumentProblem): string {
  const { got, offered, rule } = problem;
  const more = got === undefined && rule ? "" : `, got ${quoteValues([got])}`;
  const choices = offered === undefined ? "" : `; offered: ${quoteValues(offered)}`;
  return `${formatIssue(problem)}${more}${choices}${rule && ` (${rule})`}`;
}

/** `-32602`: an argument of the request breaks a rule. */
export function refuseArguments({ path, reason }: Pick<ArgumentProblem, "path" | "reason">): Refusal {
  return new Refusal(invalidParams(formatPath(path), reason), path, reason);
}
