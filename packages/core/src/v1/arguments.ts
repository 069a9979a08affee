import { formatPath, type Path, type MethodValues, type ValueRule } from "@acp/schema";
import { Refusal } from "../connection/refusal.ts";
import { invalidParams } from "../connection/wire-errors.ts";

/** A rule of the protocol that a message breaks, beyond what its schema says. */
export interface ArgumentProblem {
  readonly path: Path;
  readonly reason: string;
  /** Its number: `CONV-02`. */
  readonly rule: string;
  /** Read without danger, so that a peer that sends it is let off with a diagnostic. */
  readonly isHarmless?: boolean;
}

/**
 * Whether a path is absolute, by the rules of POSIX or of Windows: the peer's machine may be either
 * (CONV-02). `/a`, `C:\a`, `C:/a` and `\\server\share` are; `a`, `./a`, `~/a`, `C:a` and `file:///a` are not.
 */
export function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith("\\\\");
}

/** Tells `found` of the paths and lines in params that break their rule; most variants of an update have none. */
export function checkParams(
  { paramValues, valueVariants }: MethodValues,
  params: unknown,
  found: (problem: ArgumentProblem) => void,
): void {
  if (paramValues === undefined) return;
  if (valueVariants !== undefined) {
    const { member, tag, variants } = valueVariants;
    const held = (params as Record<string, Record<string, unknown> | undefined>)[member];
    if (!variants.includes(held?.[tag] as string)) return;
  }
  checkValues(paramValues, params, found);
}

/** Tells `found` of the paths and lines in a value that break their rule (CONV-02, CONV-03). */
export function checkValues(
  rule: ValueRule | undefined,
  value: unknown,
  found: (problem: ArgumentProblem) => void,
): void {
  if (rule !== undefined) checkAt(rule, value, found, []);
}

/** `path` grows and shrinks on the way: every update is checked, and hardly any has a problem to tell of. */
function checkAt(
  rule: ValueRule,
  value: unknown,
  found: (problem: ArgumentProblem) => void,
  path: (string | number)[],
): void {
  if (rule === "line") {
    if (value === 0) found({ path: [...path], reason: "expected a line number from 1", rule: "CONV-03" });
  } else if (typeof rule === "string") {
    if (typeof value !== "string" || isAbsolutePath(value)) return;
    // Everybody looks up `npx` alike; `./server` depends on who is asked.
    const isHarmless = rule === "command" && !/[\\/]/.test(value);
    const number = rule === "path" ? "CONV-02" : "MCP-07";
    found({ path: [...path], reason: "expected an absolute path", rule: number, isHarmless });
  } else if (typeof value !== "object" || value === null) {
    // Of another type, which is for the decoder to judge.
  } else if (isList(rule)) {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length; index++) checkMember(rule[0], value[index], found, path, index);
  } else {
    for (const member in rule) {
      const inner = rule[member]!;
      const held = (value as Record<string, unknown>)[member];
      // Most updates have none of the members that could hold such values, or another kind of value there.
      if (held == null || (Array.isArray(inner) && !Array.isArray(held))) continue;
      checkMember(inner, held, found, path, member);
    }
  }
}

function checkMember(
  rule: ValueRule,
  held: unknown,
  found: (problem: ArgumentProblem) => void,
  path: (string | number)[],
  key: string | number,
): void {
  if (held == null) return;
  path.push(key);
  checkAt(rule, held, found, path);
  path.pop();
}

function isList(rule: object): rule is readonly [ValueRule] {
  return Array.isArray(rule);
}

/** The answer to a request whose arguments break a rule. */
export function invalidArguments({ path, reason }: Pick<ArgumentProblem, "path" | "reason">): Refusal {
  return new Refusal(invalidParams(formatPath(path), reason), path, reason);
}
