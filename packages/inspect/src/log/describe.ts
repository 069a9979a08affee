import { type InspectedMessage, type Members, membersOf } from "../inspected.ts";
import { shownDuration, shownJson, shownText } from "./shown.ts";
import type { Style } from "./style.ts";

/** Describes a message on one line: its kind, its session and its content. `whole` is the message itself. */
export function describe(message: InspectedMessage, whole: unknown, style: Style): string {
  const { isFull, redaction } = style;
  const { kind, took } = message;
  if (typeof whole === "string") return `no JSON: ${shownText(redaction.line(`${message.from} text`, whole), isFull)}`;
  if (kind === "noise") return `no message: ${shownJson(redaction.message(whole), isFull)}`;
  const subject = subjectOf(message, style);
  const { params, result, error } = membersOf(redaction.message(whole));
  const after = took === undefined ? "" : ` after ${shownDuration(took)}`;
  if (kind === "result") return `${subject} answered${after} ${shownJson(result, isFull)}`;
  if (kind === "error") return `${subject} failed${after} ${shownJson(error, isFull)}`;
  const { sessionId } = membersOf(params);
  // Any other value is shown unchanged.
  if (typeof sessionId !== "string") return `${subject} ${shownJson(params, isFull)}`.trimEnd();
  const { sessionId: _, ...rest } = params as Members;
  return `${subject}${sessionOf(sessionId, style)} ${describeRest(message, rest, isFull)}`;
}

function describeRest({ method }: InspectedMessage, params: Members, isFull: boolean): string {
  const { sessionUpdate, toolCallId, ...update } = membersOf(params["update"]);
  if (method !== "session/update" || typeof sessionUpdate !== "string") return shownJson(params, isFull);
  // The distinctive parts first: the line may be cut off.
  const ordered = toolCallId === undefined ? update : { toolCallId, ...update };
  return `${shownText(sessionUpdate, false)} ${shownJson(ordered, isFull)}`;
}

/** The method and the id of a message. */
export function subjectOf({ method, id }: Pick<InspectedMessage, "method" | "id">, { redaction }: Style): string {
  const name = method === undefined ? "a request that nobody has made" : shownText(redaction.text(method), false);
  if (id === undefined) return name;
  return `${name} #${typeof id === "string" ? shownText(redaction.text(id), false) : shownJson(redaction.message(id), false)}`;
}

/** The session of a message, in parentheses; a long id is cut off, unless messages are shown in full. */
export function sessionOf(sessionId: string, { isFull, redaction }: Style): string {
  const id = redaction.text(sessionId);
  return ` (${isFull || id.length <= 12 ? shownText(id, isFull) : `${shownText(id.slice(0, 8), true)}…`})`;
}
