import { ErrorCode, RequestError } from "@acp/core";
import type { Received } from "@acp/schema/v1";

import { printable } from "./transcript/printable.ts";

/** What went wrong, for the user: message, the agent's details, and what to do about it. */
export function describeFailure(error: unknown, logins: readonly Received.AuthMethod[] = []): string {
  if (!(error instanceof Error)) return printable(String(error));
  const lines = [error.message];
  if (error.cause instanceof Error) lines.push(error.cause.message);
  if (error instanceof RequestError) {
    const { code, data } = error.wire;
    if (data !== undefined) lines.push(`  ${JSON.stringify(data)}`);
    if (code === ErrorCode.authRequired && logins.length > 0) {
      lines.push("Log in first:", ...logins.map(({ id, name }) => `  --login ${id}   ${name}`));
    }
  }
  return printable(lines.join("\n"));
}
