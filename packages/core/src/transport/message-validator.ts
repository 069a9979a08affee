import { type DiagnosticListener, guardListener } from "../base/diagnostics.ts";
import type { Transport } from "./transport.ts";

/**
 * Checks every message of a connection: stands between it and its transport, in both directions. The
 * package `@acp/validators` has one for each version of the protocol:
 *
 * ```ts
 * import { strictValidator } from "@acp/validators/v1/strict";
 *
 * const agent = createAgent({ validate: strictValidator, … });
 * ```
 *
 * If its `send` throws, the call rejects with that, and nothing is sent. A received request that it does not pass on it
 * has to answer itself.
 */
export type MessageValidator = (
  transport: Transport,
  context: {
    /** The role of this side of the connection. */
    readonly role: "agent" | "client";
    /** Takes the diagnostics of the connection. Does not throw. */
    readonly report: DiagnosticListener;
  },
) => Transport;

/** A transport with the checks of a validator, if there is one. */
export function validated(
  validate: MessageValidator | undefined,
  transport: Transport,
  role: "agent" | "client",
  listener: DiagnosticListener | undefined,
): Transport {
  return validate == null ? transport : validate(transport, { role, report: guardListener(listener) });
}
