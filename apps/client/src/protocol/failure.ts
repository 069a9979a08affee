import { ErrorCode, RequestError, type WireError } from "@acp/core";

import type { Login } from "./agent.ts";
import { printable, printableLine } from "../text/printable.ts";

/**
 * Explains why a running agent may not answer. `noise` is the first text on its stdout that was not a message, if there was
 * one.
 */
export function describeSilence(noise: string | undefined, framing: string): string {
  const noiseLine =
    noise === undefined ? [] : [`The agent wrote to its stdout, which is only for messages: ${noise.slice(0, 200)}`];
  return [
    ...noiseLine,
    `The client used ${framing} framing. If the agent uses another one, name it with --framing`,
  ].join("\n");
}

/** Explains an error to the user: its message, the agent's details, and what to do next. */
export function describeFailure(
  error: unknown,
  logins: readonly Pick<Login, "id" | "name" | "description">[] = [],
): string {
  if (!(error instanceof Error)) return printable(String(error));
  const lines = [error.message];
  if (error.cause instanceof Error) lines.push(error.cause.message);
  if (error instanceof RequestError) {
    const wantsLogin = error.wire.code === ErrorCode.authRequired && logins.length > 0;
    const details = wantsLogin ? withoutLogins(error.wire) : error.wire.data;
    if (details !== undefined) lines.push(`  ${JSON.stringify(details)}`);
    if (error.wire.code === ErrorCode.unsupportedProtocolVersion)
      lines.push("  Run again with --protocol to use another version");
    // Agents of this toolkit log the details of internal errors instead of sending them.
    if (typeof details === "object" && details !== null && "correlationId" in details)
      lines.push("  The agent logged the details under this id. Run again with --verbose to see them.");
    // After a failed login the user already knows the methods.
    if (wantsLogin && !loginMethods.has(error.method)) lines.push("Log in first:", ...logins.map(describeLogin));
  }
  return printable(lines.join("\n"));
}

/** The login methods of the protocol, in both versions. */
const loginMethods: ReadonlySet<string | undefined> = new Set(["authenticate", "auth/login"]);

/** Only the description may say what to do, such as which variable to set. */
function describeLogin({ id, name, description }: Pick<Login, "id" | "name" | "description">): string {
  const words = [name, description ?? ""].map(printableLine).filter((text) => text !== "");
  return `  --login ${printableLine(id)}   ${words.join("  ")}`;
}

/** The details without the login methods, which are listed in words; `undefined` if nothing is left. */
function withoutLogins({ data }: WireError): unknown {
  if (typeof data !== "object" || data === null) return data;
  const { authMethods: _, reason, ...rest } = data as Record<string, unknown>;
  const details = reason === undefined || reason === "auth_required" ? rest : { reason, ...rest };
  return Object.keys(details).length === 0 ? undefined : details;
}
