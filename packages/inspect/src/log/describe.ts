import { type InspectedMessage, membersOf } from "../inspected.ts";
import { shownDuration, shownJson, shownText } from "./shown.ts";

/**
 * A message on one line: what it is, for which session, and what it says. `body` is shown in place of its own, which has
 * secrets.
 */
export function describe(message: InspectedMessage, body: unknown, isFull: boolean): string {
  const { kind, took } = message;
  if (kind === "noise") return `no JSON: ${shownText(String(body), isFull)}`;
  const subject = subjectOf(message);
  const after = took === undefined ? "" : ` after ${shownDuration(took)}`;
  if (kind === "result") return `${subject} answered${after} ${shownJson(body, isFull)}`;
  if (kind === "error") return `${subject} failed${after} ${shownJson(body, isFull)}`;
  const { sessionId, ...params } = membersOf(body);
  const session = sessionOf(sessionId, isFull);
  if (message.method !== "session/update") return `${subject}${session} ${shownJson(params, isFull)}`;
  const { sessionUpdate, toolCallId, ...update } = membersOf(params["update"]);
  // What tells it from others first: the line may be cut off.
  const told = toolCallId === undefined ? update : { toolCallId, ...update };
  return `${subject}${session} ${shownText(String(sessionUpdate), false)} ${shownJson(told, isFull)}`;
}

/** The method and the id of a message. */
export function subjectOf({ method, id }: Pick<InspectedMessage, "method" | "id">): string {
  const name = method === undefined ? "a request that nobody has made" : shownText(method, false);
  if (id === undefined) return name;
  return `${name} #${typeof id === "string" ? shownText(id, false) : shownJson(id, false)}`;
}

/** The session that a message is about, in parentheses; of a long id the beginning, unless `isFull`. */
export function sessionOf(sessionId: unknown, isFull: boolean): string {
  if (typeof sessionId !== "string") return "";
  return ` (${isFull || sessionId.length <= 12 ? shownText(sessionId, isFull) : `${shownText(sessionId.slice(0, 8), true)}…`})`;
}
