// Content blocks, prompts, and how turns end.
import { RequestError } from "@acp/core";
import { isObject } from "@acp/core/internal";
import { unknownVariant } from "@acp/schema";
import type * as V1 from "@acp/schema/v1/types";
import type * as V2 from "@acp/schema/v2/types";

/** A content block of version 1 in version 2, where a priority is between 0 and 1. */
export function contentUp(block: V1.ContentBlock): V2.ContentBlock {
  const { annotations } = block;
  const priority = annotations?.priority;
  if (priority == null || (priority >= 0 && priority <= 1)) return block;
  return { ...block, annotations: { ...annotations, priority: Math.min(1, Math.max(0, priority)) } };
}

/** A content block of version 2 in version 1: a block of an unknown type becomes a text that names it. */
export function contentDown(block: V2.Received.ContentBlock): V1.ContentBlock {
  if (block.type === unknownVariant) return { type: "text", text: `[${String(block.received["type"])}]` };
  const { annotations, ...rest } = block;
  const known = annotationsDown(annotations);
  if (rest.type !== "resource_link") return { ...rest, ...known };
  const { icons: _, ...link } = rest;
  return { ...link, ...known };
}

/** Version 1 has two roles. */
function annotationsDown(annotations: V2.Annotations | null | undefined): { annotations?: V1.Annotations | null } {
  if (annotations == null) return annotations === null ? { annotations } : {};
  const { audience, ...rest } = annotations;
  if (audience == null) return { annotations: { ...rest, ...(audience === null ? { audience } : {}) } };
  return { annotations: { ...rest, audience: audience.filter(isKnownRole) } };
}

function isKnownRole(role: V2.Role): role is V1.Role {
  return role === "assistant" || role === "user";
}

/** The blocks of a prompt of version 1 in version 2, where a prompt has one at least. */
export function promptUp(prompt: readonly V1.ContentBlock[]): V2.ContentBlock[] {
  return prompt.length === 0 ? [{ type: "text", text: "" }] : prompt.map(contentUp);
}

/** The blocks of a prompt of version 2 in version 1. */
export function promptDown(prompt: readonly V2.Received.ContentBlock[]): V1.ContentBlock[] {
  return prompt.map(contentDown);
}

/** The state update of version 2 that says what the answer of version 1 to a prompt says. */
export function promptAnswerUp(answer: unknown): object {
  const { stopReason, _meta } = isObject(answer) ? answer : {};
  const reason = typeof stopReason === "string" ? stopReason : "end_turn";
  return idle({ stopReason: reason, ...(_meta == null ? {} : { _meta }) });
}

/** The state update of version 2 that says what the error says that version 1 answers a prompt with. */
export function promptErrorUp(error: unknown, isCancelled: boolean): object {
  const wire = error instanceof RequestError ? error.wire : RequestError.internalError("The turn failed").wire;
  if (isCancelled && wire.code === requestCancelled) return idle({ stopReason: "cancelled" });
  return idle({ stopReason: "error", error: wire });
}

const requestCancelled = -32_800;

function idle(end: object): object {
  return { sessionUpdate: "state_update", state: "idle", ...end };
}

const stopReasons: ReadonlySet<unknown> = new Set<V1.StopReason>([
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "refusal",
  "cancelled",
]);

/**
 * The answer of version 1 to a prompt that an idle state of version 2 has ended. A stop reason that version 1 does not know
 * counts as `end_turn`.
 *
 * @throws {RequestError} the error that the turn failed with.
 */
export function promptAnswerDown(idleState: object): V1.PromptResponse {
  const { stopReason, error, _meta } = idleState as Readonly<Record<string, unknown>>;
  if (stopReason === "error") {
    const { code, message, data } = isObject(error) ? error : {};
    throw new RequestError({
      code: Number.isInteger(code) ? (code as number) : -32_603,
      message: typeof message === "string" ? message : "The turn failed",
      ...(data == null ? {} : { data }),
    });
  }
  const known = stopReasons.has(stopReason) ? (stopReason as V1.StopReason) : "end_turn";
  return { stopReason: known, ...(isObject(_meta) ? { _meta } : {}) };
}
