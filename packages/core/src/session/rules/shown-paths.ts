import type { ArgumentProblem } from "./arguments.ts";
import { type Path, valueAt } from "@acp/schema";

/** The session in which the user sees a message. */
export interface ShownIn {
  readonly id: string;
  readonly cwd: string;
}

/**
 * Returns a copy of a message without a problem that only the user would see: a relative path becomes one below the
 * session's `cwd`, an invalid line is removed. Most often a model wrote it, and should not fail its turn.
 */
export function correctShown(message: unknown, { path, rule }: ArgumentProblem, { cwd }: ShownIn): unknown {
  // The message becomes JSON anyway.
  const copy: unknown = JSON.parse(JSON.stringify(message));
  const folder = cwd.replace(/[\\/]*$/, cwd.startsWith("/") ? "/" : "\\");
  const isPath = rule === "CONV-02";
  replaceAt(copy, path, isPath ? folder + String(valueAt(copy, path)).replace(/^(\.[\\/]+)+/, "") : undefined);
  return copy;
}

/** Replaces a value inside a message of our own. */
export function replaceAt(message: unknown, path: Path, value: unknown): void {
  const holder = valueAt(message, path.slice(0, -1)) as Record<string, unknown>;
  holder[String(path.at(-1))] = value;
}
