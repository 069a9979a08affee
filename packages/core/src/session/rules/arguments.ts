import { type FindMisfits, formatIssue, formatPath, type Misfit, type Path, valueAt } from "@acp/schema";
import { Refusal } from "../../rpc/refusal.ts";
import { invalidParams } from "../../rpc/wire-errors.ts";

/** A rule of the protocol that a message breaks, beyond what its schema says. */
export interface ArgumentProblem {
  readonly path: Path;
  readonly reason: string;
  /** Its number: `CONV-02`. */
  readonly rule: string;
  /** What stands there, for whoever wrote it. */
  readonly got?: unknown;
  /** What it could have been. */
  readonly offered?: readonly unknown[];
  /** Read without danger, so that a peer that sends it is let off with a diagnostic. */
  readonly isHarmless?: boolean;
}

/** The paths and lines in a message that break their rule (CONV-02, CONV-03, MCP-07), if there are any. */
export function problemsIn(find: FindMisfits | undefined, message: unknown): readonly ArgumentProblem[] | undefined {
  return find?.(message)?.map((misfit) => problemOf(misfit, message));
}

function problemOf([kind, ...path]: Misfit, message: unknown): ArgumentProblem {
  const got = valueAt(message, path);
  if (kind === "line") return { path, reason: "expected a line number from 1", rule: "CONV-03", got };
  const reason = "expected an absolute path";
  if (kind === "path") return { path, reason, rule: "CONV-02", got };
  // Everybody looks up `npx` alike; `./server` depends on who is asked.
  const isHarmless = !/[\\/]/.test(String(got));
  return { path, reason, rule: "MCP-07", got, isHarmless };
}

/** A problem in what this side sends, or declares, in words. What was received is not told in a message. */
export function describeOwn(problem: ArgumentProblem): string {
  const { got, offered, rule } = problem;
  const more = got === undefined ? "" : `, got ${quoteValues([got])}`;
  return `${formatIssue(problem)}${more}${offered === undefined ? "" : `; offered: ${quoteValues(offered)}`} (${rule})`;
}

/** The answer to a request whose arguments break a rule. */
export function invalidArguments({ path, reason }: Pick<ArgumentProblem, "path" | "reason">): Refusal {
  return new Refusal(invalidParams(formatPath(path), reason), path, reason);
}

/** Longer lists of values are cut off in a message, in characters. */
const maxQuoted = 200;

/** Quotes values in a message to whoever wrote them, or has to choose one of them: `"ask", "code"`. */
export function quoteValues(values: readonly unknown[]): string {
  const text = values.map((value) => JSON.stringify(value) ?? typeof value).join(", ");
  if (text === "") return "none";
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text;
}
