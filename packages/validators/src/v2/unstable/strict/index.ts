import type { MessageValidator } from "@acp/core";
import { compile } from "../../../generated/v2-unstable-strict.js";
import { type ConnectionCheck, connectionCheck } from "../../../strict/connection-check.ts";
import type { StrictRules } from "../../../strict/conversation.ts";
import { createMessageChecks } from "../../../strict/message-checks.ts";
import { OrderRulesV2 } from "../../../strict/order-rules-v2.ts";
import { StrictTransport } from "../../../strict/strict-transport.ts";

const rules: StrictRules = {
  checks: createMessageChecks(compile),
  order: () => new OrderRulesV2(),
  version: 2,
};

/**
 * Holds every message of a connection to the letter of the draft of ACP v2 with its unstable parts:
 * `createAgent({ validate: strictValidator, … })` of `@acp/core/v2/unstable`, and `createClient` alike.
 *
 * Beyond what every connection checks, it refuses what the schema refuses, members that the schema does not name,
 * methods and variants of neither the protocol nor an extension, paths that are not absolute and lines before 1
 * anywhere, data that is not base64, ids of requests that are null, and messages out of order:
 *
 * - the answer of `session/resume` before a `state_update`, the answer of `session/close` while the session is busy, and
 *   anything for a session behind that answer
 * - `tool_call/cancel` and `terminal/cancel` for what was not reported with the capability
 * - background work that is listed before it is announced, twice, or no more before its end is told, and states that
 *   leave the list out once there was one
 * - the id of an elicitation by URL that is not over, and two options of a permission with one id
 * - a replay that adds chunks to a message which the client has from before the session was closed
 *
 * What is wrong is treated as by the validator of version 1: what you send throws a `UsageError`, and nothing of it is sent; a
 * request that you receive is answered with `-32602` or `-32600`, unless its id is null; anything else is delivered, and
 * told as a diagnostic of type `violation`.
 *
 * For development and tests: it parses every message a second time, and it is large.
 */
export const strictValidator: MessageValidator = (transport, context) => new StrictTransport(transport, rules, context);

/**
 * Checks a connection from beside it, message by message, as {@link strictValidator} does at one of its ends: what a proxy
 * passes on, or what a recording has. Holds both sides to the letter of the draft of ACP v2 with its unstable parts.
 */
export const createConnectionCheck = (): ConnectionCheck => connectionCheck(rules);

export type { ConnectionCheck };
