import type { ArgumentProblem } from "./arguments.ts";
import { valueAt } from "@acp/schema";

/** The session that something is shown in, as far as it matters here. */
export interface ShownIn {
  readonly id: string;
  readonly cwd: string;
}

/**
 * A message in which what breaks a rule and is only shown is made right: a path is one below the session's `cwd`, a line
 * that is none is left out. Mostly a model has written it, and to fail its turn for it would help nobody.
 */
export function mended(message: unknown, { path, rule }: ArgumentProblem, { cwd }: ShownIn): unknown {
  // It becomes JSON in any case.
  const copy: unknown = JSON.parse(JSON.stringify(message));
  const holder = valueAt(copy, path.slice(0, -1)) as Record<string, unknown>;
  const name = String(path.at(-1));
  const folder = cwd.replace(/[\\/]*$/, cwd.startsWith("/") ? "/" : "\\");
  holder[name] = rule === "CONV-02" ? folder + String(holder[name]).replace(/^(\.[\\/]+)+/, "") : undefined;
  return copy;
}
