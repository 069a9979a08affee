// What an agent asks the user: for permission, or for input.
import { randomId } from "@acp/core/internal";
import { unknownVariant } from "@acp/schema";
import type * as V1 from "@acp/schema/v1/types";
import type * as V2 from "@acp/schema/v2/types";
import { defined } from "./convert-known.ts";
import { callUp } from "./tool-calls.ts";
import type { UpdatesDown } from "./updates-down.ts";
import type { UpdatesUp } from "./updates-up.ts";

/**
 * A question for permission of version 1 in version 2. The title is that of the tool call.
 *
 * @param updates Knows the titles of earlier tool calls.
 */
export function permissionUp(
  { toolCall, ...question }: V1.Received.RequestPermissionRequest,
  updates?: Pick<UpdatesUp, "titleOf">,
): V2.Received.RequestPermissionRequest {
  const title = toolCall.title ?? updates?.titleOf(toolCall.toolCallId) ?? toolCall.name ?? "Permission needed";
  return { ...question, title, subject: { type: "tool_call", toolCall: callUp(toolCall) } };
}

/** An answer of version 2 in version 1: an outcome that version 1 does not know counts as cancelled. */
export function permissionAnswerDown(answer: V2.Received.RequestPermissionResponse): V1.RequestPermissionResponse {
  const { outcome } = answer;
  if (outcome.outcome !== unknownVariant) return { ...answer, outcome };
  return { ...answer, outcome: { outcome: "cancelled" } };
}

/**
 * A question for permission of version 2 in version 1, where it always has a tool call. Options of a kind that version 1 does
 * not know are left out: a client that answers by itself could take one for another.
 *
 * @param updates Knows the terminals of the session, and learns of the tool call.
 */
export function permissionDown(
  { title, description, subject, options, ...question }: V2.Received.RequestPermissionRequest,
  updates: Pick<UpdatesDown, "asked">,
): V1.RequestPermissionRequest {
  return { ...question, toolCall: callOf(title, description, subject, updates), options: options.flatMap(optionDown) };
}

const optionKinds: ReadonlySet<unknown> = new Set<V1.PermissionOptionKind>([
  "allow_once",
  "allow_always",
  "reject_once",
  "reject_always",
]);

function optionDown({ kind, ...option }: V2.Received.PermissionOption): V1.PermissionOption[] {
  return optionKinds.has(kind) ? [{ ...option, kind: kind as V1.PermissionOptionKind }] : [];
}

function callOf(
  title: string,
  description: string | null | undefined,
  subject: V2.Received.RequestPermissionRequest["subject"],
  updates: Pick<UpdatesDown, "asked">,
): V1.ToolCallUpdate {
  const details = description == null ? [] : [text(description)];
  if (subject?.type === "tool_call") {
    const call = updates.asked(subject.toolCall);
    const content = details.length === 0 ? call.content : [...details, ...(call.content ?? [])];
    return defined({ ...call, title: call.title ?? title, content });
  }
  if (subject?.type === "command") {
    const { command, cwd, toolCallId, _meta } = subject;
    const shown = text(`\`\`\`\n${cwd}$ ${command}\n\`\`\``);
    const id = toolCallId ?? randomId();
    const rawInput = { command, cwd };
    return defined({ toolCallId: id, title, kind: "execute", content: [...details, shown], rawInput, _meta });
  }
  const other = subject == null ? [] : [text(JSON.stringify(subject.received))];
  return { toolCallId: randomId(), title, content: [...details, ...other] };
}

function text(content: string): V1.ToolCallContent {
  return { type: "content", content: { type: "text", text: content } };
}

/** A question for input of version 1 in version 2, where a form always has its type and its fields. */
export function elicitationUp(question: V1.Received.CreateElicitationRequest): object {
  if (question.mode !== "form") return question;
  const { requestedSchema, ...rest } = question;
  const { properties = {}, ...schema } = requestedSchema;
  return { ...rest, requestedSchema: { ...schema, type: "object", properties } };
}

const formats: ReadonlySet<unknown> = new Set<V1.StringFormat>(["email", "uri", "date", "date-time"]);

/** A question for input of version 2 in version 1: a text field of a format that version 1 does not know takes any text. */
export function elicitationDown(question: V2.Received.CreateElicitationRequest): object {
  if (question.mode !== "form") return question;
  const { requestedSchema } = question;
  const properties = Object.entries(requestedSchema.properties).map(([name, field]) => [name, fieldDown(field)]);
  return { ...question, requestedSchema: { ...requestedSchema, properties: Object.fromEntries(properties) } };
}

function fieldDown(field: V2.Received.ElicitationPropertySchema): object {
  if (field.type !== "string" || field.format == null || formats.has(field.format)) return field;
  const { format: _, ...rest } = field;
  return rest;
}
