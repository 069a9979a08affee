import type { Diagnostic } from "@acp/core";

/** A diagnostic with its error, if it has one, in one line. */
export function errorLine(diagnostic: Diagnostic): string {
  const method = "method" in diagnostic && diagnostic.method !== undefined ? ` ${diagnostic.method}` : "";
  const error = "error" in diagnostic ? `: ${describe(diagnostic.error)}` : "";
  return oneLine(`[acp] ${diagnostic.type}${method}: ${diagnostic.message}${error}`);
}

function describe(error: unknown): string {
  try {
    return error instanceof Error ? (error.stack ?? String(error)) : String(error);
  } catch {
    // Anything can be thrown, also what throws itself when it is looked at.
    return "something that cannot be shown";
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*/gu, " | ");
}
