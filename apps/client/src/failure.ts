import { ErrorCode, RequestError, type WireError } from "@acp/core";

import type { Login } from "./agent.ts";
import { printable, printableLine } from "./transcript/printable.ts";

/**
 * What may be the matter with an agent that is running and answers nothing. `noise` is what it has written to
 * stdout that is no message, if it has.
 */
export function describeSilence(noise: string | undefined, framing: string): string {
  const noiseLine =
    noise === undefined ? [] : [`Its stdout, which is for messages alone, began with: ${noise.slice(0, 200)}`];
  return [
    ...noiseLine,
    `Messages were framed as ${framing}: if the agent has another framing, name it with --framing`,
  ].join("\n");
}

/** What went wrong, for the user: message, the agent's details, and what to do about it. */
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
    if (error.wire.code === ErrorCode.unsupportedProtocolVersion) lines.push("  --protocol names another version");
    // As this toolkit's agents keep their details to themselves.
    if (typeof details === "object" && details !== null && "correlationId" in details)
      lines.push("  What the agent itself says of it stands under this id in its stderr: --verbose shows that");
    // Whoever has just tried one has chosen from them.
    if (wantsLogin && !loginMethods.has(error.method)) lines.push("Log in first:", ...logins.map(describeLogin));
  }
  return printable(lines.join("\n"));
}

/** What the methods are called that log in, in either version. */
const loginMethods: ReadonlySet<string | undefined> = new Set(["authenticate", "auth/login"]);

/** What to do is often said in the description alone: which variable to set, say. */
function describeLogin({ id, name, description }: Pick<Login, "id" | "name" | "description">): string {
  const words = [name, description ?? ""].map(printableLine).filter((text) => text !== "");
  return `  --login ${printableLine(id)}   ${words.join("  ")}`;
}

/** The details beside the logins, which are told in words; `undefined` if there are none. */
function withoutLogins({ data }: WireError): unknown {
  if (typeof data !== "object" || data === null) return data;
  const { authMethods: _, reason, ...rest } = data as Record<string, unknown>;
  const details = reason === undefined || reason === "auth_required" ? rest : { reason, ...rest };
  return Object.keys(details).length === 0 ? undefined : details;
}
