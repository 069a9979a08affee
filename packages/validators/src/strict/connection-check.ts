import { callIn, Conversation, type Side, type StrictRules } from "./conversation.ts";
import { checkEnvelope, checkError } from "./envelope.ts";
import type { Violations } from "./message-checks.ts";
import { isParams, type Params } from "./params.ts";

/**
 * Checks the next message of a connection, parsed, and its sender. Returns what is wrong: where, as a JSON pointer into
 * the `params`, the `result`, or the message itself, and why. Empty if nothing is. Pass all messages in order, from the
 * first one on. Does not throw.
 */
export type ConnectionCheck = (from: "agent" | "client", message: unknown) => Violations;

export function connectionCheck(rules: StrictRules): ConnectionCheck {
  // The agent's message may have been on its way when the client's message passed.
  const conversation = new Conversation(rules, true);
  return (from, message) => {
    if (!isParams(message)) return [{ path: "", reason: "is no message: expected an object" }];
    if (message["jsonrpc"] !== "2.0") return [{ path: "/jsonrpc", reason: 'expected "2.0"' }];
    const malformed = checkEnvelope(message, rules.version);
    return checkCall(conversation, from, message, malformed) ?? checkAnswer(conversation, from, message, malformed);
  };
}

function checkCall(
  conversation: Conversation,
  from: Side,
  message: Params,
  malformed: Violations,
): Violations | undefined {
  const call = callIn(message);
  if (call === undefined) return undefined;
  const isRepeated = isExact(message["id"]) && conversation.pendingCall(from, message["id"]) !== undefined;
  const outside = [...conversation.misnamed(call), ...malformed, ...(isRepeated ? [repeated] : [])];
  const violations = outside.length > 0 ? outside : conversation.misplaced(from, call);
  conversation.record(from, call);
  return violations;
}

function checkAnswer(conversation: Conversation, from: Side, message: Params, malformed: Violations): Violations {
  const { id, result, error } = message;
  if (result === undefined && error === undefined) return [nothing];
  const violations = [...malformed];
  if (error !== undefined) violations.push(...(result === undefined ? checkError(error) : [both]));
  const asker = from === "agent" ? "client" : "agent";
  const call = conversation.pendingCall(asker, id);
  if (call === undefined) {
    // Unreadable messages are answered with the id null.
    const isKnown = (id === null && error !== undefined) || !isExact(id);
    return isKnown ? violations : [...violations, unasked];
  }
  if (violations.length === 0 && result !== undefined && !conversation.isOlder(call.method, result)) {
    violations.push(...conversation.checkResult(call, result));
  }
  conversation.recordAnswer(asker, call, result);
  return violations;
}

/** Whether it is exactly as on the wire: integers beyond 2^53 are rounded, so several of them become one. */
function isExact(id: unknown): boolean {
  return typeof id !== "number" || Number.isSafeInteger(id) || id % 1 !== 0;
}

const repeated = { path: "/id", reason: "is that of another request that waits for its answer" };
const unasked = { path: "/id", reason: "is that of no request that waits for an answer" };
const nothing = { path: "", reason: "has neither a method nor a result nor an error" };
const both = { path: "/error", reason: "stands beside a result" };
