import { ErrorCode, RequestError } from "@acp/core";
import type { Received } from "@acp/schema/v1";

import { printable } from "./transcript/printable.ts";

/**
 * What may be the matter with an agent that is running and answers nothing. `noise` is what it has written to
 * stdout that is no message, if it has.
 */
export function describeSilence(noise: string | undefined, framing: string): string {
  const heard =
    noise === undefined ? [] : [`Its stdout, which is for messages alone, began with: ${noise.slice(0, 200)}`];
  return [
    ...heard,
    `Messages were framed as ${framing}: if the agent has another framing, name it with --framing`,
  ].join("\n");
}

/** What went wrong, for the user: message, the agent's details, and what to do about it. */
export function describeFailure(error: unknown, logins: readonly Received.AuthMethod[] = []): string {
  if (!(error instanceof Error)) return printable(String(error));
  const lines = [error.message];
  if (error.cause instanceof Error) lines.push(error.cause.message);
  if (error instanceof RequestError) {
    const { code, data } = error.wire;
    if (data !== undefined) lines.push(`  ${JSON.stringify(data)}`);
    // As this toolkit's agents keep their details to themselves.
    if (typeof data === "object" && data !== null && "correlationId" in data)
      lines.push("  What the agent itself says of it stands under this id in its stderr: --verbose shows that");
    if (code === ErrorCode.authRequired && logins.length > 0) {
      lines.push("Log in first:", ...logins.map(({ id, name }) => `  --login ${id}   ${name}`));
    }
  }
  return printable(lines.join("\n"));
}
