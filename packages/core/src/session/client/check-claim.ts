import { isAbsolutePath } from "@acp/schema";
import { UsageError } from "../../base/errors.ts";
import type { SessionClaim } from "./public-members.ts";
import { quoteValues } from "../../base/quote-values.ts";

/** @throws {UsageError} for an id that is not a string, and for folders whose path is not absolute (SESS-18, SESS-23). */
export function checkClaim(claim: SessionClaim): void {
  // Without types it may be anything.
  const { sessionId, cwd, additionalDirectories } = (claim ?? {}) as Partial<SessionClaim>;
  if (typeof sessionId !== "string")
    throw new UsageError("claimSession: sessionId is no text; pass the agent's id of it");
  for (const folder of [cwd, ...(additionalDirectories ?? [])]) {
    if (typeof folder === "string" && isAbsolutePath(folder)) continue;
    throw new UsageError(
      `claimSession: cwd and additionalDirectories are absolute paths; got ${quoteValues([folder])}`,
    );
  }
}
