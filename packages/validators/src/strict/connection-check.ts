import { callIn, Conversation, type Side, type StrictRules } from "./conversation.ts";
import { checkEnvelope, checkError } from "./envelope.ts";
import type { Violations } from "./message-checks.ts";
import { isParams, type Params } from "./params.ts";

/**
 * Takes the next message of a connection, parsed, and who has sent it, and says what is wrong with it: where, as a JSON
 * pointer into the `params`, the `result`, or the message itself, and why. Empty if nothing is. Messages have to come in
 * their order, from the first one on. Does not throw.
 */
export type ConnectionCheck = (from: "agent" | "client", message: unknown) => Violations;

export function connectionCheck(rules: StrictRules): ConnectionCheck {
  // What the agent says may have been on its way when the client's message passed.
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
  const isRepeated = conversation.asked(from, message["id"]) !== undefined;
  const outside = [...conversation.misnamed(call), ...malformed, ...(isRepeated ? [repeated] : [])];
  const violations = outside.length > 0 ? outside : conversation.misplaced(from, call);
  conversation.said(from, call);
  return violations;
}

function checkAnswer(conversation: Conversation, from: Side, message: Params, malformed: Violations): Violations {
  const { id, result, error } = message;
  if ((result === undefined) === (error === undefined)) {
    return [{ path: "", reason: "has to have a method, or either a result or an error" }];
  }
  const violations = [...malformed, ...(error === undefined ? [] : checkError(error))];
  const asker = from === "agent" ? "client" : "agent";
  const asked = conversation.asked(asker, id);
  // What could not be read is answered under null.
  if (asked === undefined) return id === null && error !== undefined ? violations : [...violations, unasked];
  if (violations.length === 0 && result !== undefined) violations.push(...conversation.checkResult(asked, result));
  conversation.answered(asker, asked, result);
  return violations;
}

const repeated = { path: "/id", reason: "is that of another request that waits for its answer" };
const unasked = { path: "/id", reason: "is that of no request that waits for an answer" };
