import type { MessageValidator } from "@acp/core";
import { compile } from "../../../generated/v1-unstable-strict.js";
import { type ConnectionCheck, connectionCheck } from "../../../strict/connection-check.ts";
import type { StrictRules } from "../../../strict/conversation.ts";
import { createMessageChecks } from "../../../strict/message-checks.ts";
import { OrderRules } from "../../../strict/order-rules.ts";
import { type StrictOptions, StrictTransport } from "../../../strict/strict-transport.ts";

const rules: StrictRules = {
  checks: createMessageChecks(compile),
  order: (mayCross) => new OrderRules(mayCross),
  version: 1,
};

/**
 * Checks every message of a connection against ACP v1 with its unstable parts, to the letter: `createAgent({ validate:
 * strictValidator, … })`, and `createClient` alike.
 *
 * Beyond the checks of every connection, it refuses violations of the schema, members that the schema does not name
 * (EXT-02), methods of neither the protocol nor an extension (EXT-06), paths that are not absolute and lines before 1
 * anywhere, data that is not base64 (CONT-03), and messages out of order (ELIC-17, NOTC-07, SESS-12, TOOL-02, TOOL-11).
 *
 * If you send a wrong message, the call throws a `UsageError`; a handler's wrong result is answered with `-32603`.
 * Nothing of it is sent. A wrong request that you receive is answered with `-32602`, or with `-32600` for violations
 * outside of its `params`, with `path` and `reason` in `data`. Any other wrong message that you receive is delivered, and
 * reported as a diagnostic of type `violation`.
 *
 * For development and tests: it parses every message a second time, and it is large.
 */
export const strictValidator: MessageValidator = createStrictValidator();

/** Creates a {@link strictValidator} with options. */
export function createStrictValidator(options?: StrictOptions): MessageValidator {
  return (transport, context) => new StrictTransport(transport, rules, context, options);
}

/**
 * Checks a connection from the outside, message by message, as {@link strictValidator} does at one of its ends: the
 * messages of a proxy, or of a recording. Holds both sides to the letter of ACP v1 with its unstable parts.
 */
export const createConnectionCheck = (): ConnectionCheck => connectionCheck(rules);

export type { ConnectionCheck, StrictOptions };
