import type { MessageValidator } from "@acp/core";
import { compile } from "../../generated/v1-strict.js";
import { type ConnectionCheck, connectionCheck } from "../../strict/connection-check.ts";
import type { StrictRules } from "../../strict/conversation.ts";
import { createMessageChecks } from "../../strict/message-checks.ts";
import { OrderRules } from "../../strict/order-rules.ts";
import { StrictTransport } from "../../strict/strict-transport.ts";

const rules: StrictRules = {
  checks: createMessageChecks(compile),
  order: (mayCross) => new OrderRules(mayCross),
  version: 1,
};

/**
 * Holds every message of a connection to the letter of ACP v1: `createAgent({ validate: strictValidator, … })`,
 * and `createClient` alike.
 *
 * Beyond what every connection checks, it refuses what the schema refuses, members that the schema does not name
 * (EXT-02), methods of neither the protocol nor an extension (EXT-06), paths that are not absolute and lines before 1
 * anywhere, data that is not base64 (CONT-03), and messages out of order (ELIC-17, NOTC-07, SESS-12, TOOL-02, TOOL-11).
 *
 * What you send and is wrong throws a `UsageError`, as a handler's result it is answered with `-32603`; nothing of it is
 * sent. A request that you receive is answered with `-32602`, or `-32600` for what is wrong around its `params`, with
 * `path` and `reason` in `data`. Anything else that you receive is delivered all the same, and told as a diagnostic of
 * type `violation`.
 *
 * For development and tests: it parses every message a second time, and it is large.
 */
export const strictValidator: MessageValidator = (transport, context) => new StrictTransport(transport, rules, context);

/**
 * Checks a connection from beside it, message by message, as {@link strictValidator} does at one of its ends: what a proxy
 * passes on, or what a recording has. Holds both sides to the letter of ACP v1.
 */
export const createConnectionCheck = (): ConnectionCheck => connectionCheck(rules);

export type { ConnectionCheck };
