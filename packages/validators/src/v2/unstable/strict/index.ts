import type { MessageValidator } from "@acp/core";
import { compile } from "../../../generated/v2-unstable-strict.js";
import { type ConnectionCheck, connectionCheck } from "../../../strict/connection-check.ts";
import type { StrictRules } from "../../../strict/conversation.ts";
import { createMessageChecks } from "../../../strict/message-checks.ts";
import { OrderRulesV2 } from "../../../strict/order-rules-v2.ts";
import { type StrictOptions, StrictTransport } from "../../../strict/strict-transport.ts";

const rules: StrictRules = {
  checks: createMessageChecks(compile),
  order: () => new OrderRulesV2(),
  version: 2,
};

/**
 * Checks every message of a connection against the draft of ACP v2 with its unstable parts, to the letter: `createAgent({
 * validate: strictValidator, … })` of `@acp/core/v2/unstable`, and `createClient` alike.
 *
 * Beyond the checks of every connection, it refuses violations of the schema, members that the schema does not name,
 * methods and variants of neither the protocol nor an extension, paths that are not absolute and lines before 1 anywhere,
 * data that is not base64, ids of requests that are null, and messages out of order:
 *
 * - the answer to `session/resume` before a `state_update`, the answer to `session/close` while the session is busy, and
 * anything for the session after that answer
 * - `tool_call/cancel` and `terminal/cancel` for anything that was not reported with the capability
 * - background work that is listed before it is announced, is listed twice, or disappears before its end is reported, and
 * states without the list once there was one
 * - the id of a pending elicitation by URL, and two options of a permission request with one id
 * - a replay that adds chunks to a message that the client has from before the session was closed
 *
 * It treats violations as the validator of version 1 does: if you send one, the call throws a `UsageError`, and nothing
 * of it is sent; a request that you receive is answered with `-32602` or `-32600`, unless its id is null; any other
 * message is delivered, and reported as a diagnostic of type `violation`.
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
 * messages of a proxy, or of a recording. Holds both sides to the letter of the draft of ACP v2 with its unstable parts.
 */
export const createConnectionCheck = (): ConnectionCheck => connectionCheck(rules);

export type { ConnectionCheck, StrictOptions };
