import { type DiagnosticListener, guardListener } from "../base/diagnostics.ts";
import type { Transport } from "./transport.ts";
import { requireStart } from "./require-start.ts";

/**
 * Checks every message between a connection and its transport, in both directions. The package `@acp/validators` has a
 * validator for each version of the protocol:
 *
 * ```ts
 * import { strictValidator } from "@acp/validators/v1/strict";
 *
 * const agent = createAgent({ validate: strictValidator, … });
 * ```
 *
 * If its `send` throws, the call rejects with that error, and nothing is sent. If it does not pass on a received
 * request, it must respond to it.
 */
export type MessageValidator = (
  transport: Transport,
  context: {
    /** The role of this side of the connection. */
    readonly role: "agent" | "client";
    /** Reports a diagnostic of the connection. Does not throw. */
    readonly report: DiagnosticListener;
  },
) => Transport;

/** Wraps a transport in the checks of a validator, if there is one. */
export function validated(
  validate: MessageValidator | undefined,
  transport: Transport,
  role: "agent" | "client",
  listener: DiagnosticListener | undefined,
): Transport {
  requireStart(transport, "connect takes a transport");
  return validate == null ? transport : validate(transport, { role, report: guardListener(listener) });
}
