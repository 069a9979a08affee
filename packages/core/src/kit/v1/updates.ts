import type { ContentBlock, Notice, ToolCallContent } from "@acp/schema/v1/types";
import { UsageError } from "../../base/errors.ts";
import { randomId } from "../../base/random-id.ts";
import type { ToolCallChange } from "../../v1/agent-turn.ts";
import { outputMember } from "../../v1/tool-output.ts";
import * as messages from "../shared/open-message.ts";
import * as shared from "../shared/updates.ts";
import { type Blocks, toBlocks } from "../shared/content.ts";
import type { AnySession, AnyTurn, UpdateTarget } from "./any-session.ts";
import { requireTarget } from "../shared/any-session.ts";
import { requireObject } from "../../base/require-argument.ts";

/**
 * Reports that the agent starts to compact its context. Nothing is sent to a client that did not advertise
 * `session.compaction`; one diagnostic reports that (NOTC-06).
 */
export const startCompaction: (to: UpdateTarget) => Promise<shared.Compaction> = shared.startCompaction;

/**
 * Opens a message that you write part by part. Use it if you get a model's text in callbacks; for an async iterable,
 * use `turn.message`. All parts share one id, whatever else is sent in between, so several messages may be open at
 * once.
 *
 * ```ts
 * const message = openMessage(turn);
 * model.on("text", (delta) => message.write(delta));
 * await model.finished;
 * await message.end();
 * ```
 */
export const openMessage: (turn: AnyTurn, options?: messages.OpenMessageOptions) => messages.OpenMessage =
  messages.openMessage<ContentBlock>;

/**
 * Shows the user a notice that is not part of the conversation, and that nothing depends on (NOTC-03). It is not sent
 * to a client that did not advertise `session.notices`; a diagnostic reports that (NOTC-01). Resolves with whether it
 * was sent.
 */
export function sendNotice(to: UpdateTarget, notice: Notice): Promise<boolean> {
  requireTarget(to, "sendNotice", "offer");
  return to.offer({ sessionUpdate: "notice", ...notice });
}

/**
 * Sends a message from the user. Use it in a `session/load` handler to replay a conversation (SESS-06). All blocks
 * share one message id.
 */
export async function userMessage(to: Pick<UpdateTarget, "update">, content: Blocks<ContentBlock>): Promise<void> {
  requireTarget(to, "userMessage", "update");
  const messageId = randomId();
  for (const block of toBlocks(content)) {
    await to.update({ sessionUpdate: "user_message_chunk", messageId, content: block });
  }
}

/** A change to a tool call. The first report of an id needs a `title`. */
export type ToolCallReport = ToolCallChange & {
  /** Your id for the tool call. */
  readonly toolCallId: string;
};

/** The ids that were reported, by session. */
const reported = new WeakMap<AnySession, Set<string>>();

/**
 * Reports a tool call under your own id: a new tool call if the session does not know the id, otherwise a change. Use
 * it to pass on the tool calls of a model or of another agent. For tool calls of your own, use `turn.toolCall`.
 *
 * @throws {UsageError} the id is new and there is no title.
 */
export async function sendToolCall(turn: AnyTurn, toolCall: ToolCallReport): Promise<void> {
  requireTarget(turn, "sendToolCall", "update");
  requireObject(toolCall, "sendToolCall() takes the report of a tool call");
  const { content, ...report } = toolCall;
  const { toolCallId, title } = report;
  const ids = reported.get(turn.session) ?? new Set();
  reported.set(turn.session, ids);
  const output = outputMember(content);
  if (ids.has(toolCallId)) return turn.update({ sessionUpdate: "tool_call_update", ...report, ...output });
  if (typeof title !== "string") throw new UsageError(`The first report of the tool call ${toolCallId} needs a title`);
  // Before the first await: a second report of the same id must be a change.
  ids.add(toolCallId);
  try {
    const { kind, status, locations, ...rest } = report;
    await turn.update({
      sessionUpdate: "tool_call",
      ...rest,
      title,
      ...(kind == null ? {} : { kind }),
      ...(status == null ? {} : { status }),
      ...(locations == null ? {} : { locations }),
      ...output,
    });
  } catch (error) {
    ids.delete(toolCallId);
    throw error;
  }
}

/** A change to a file. */
export interface FileDiff {
  /** The file, an absolute path (TOOL-10). */
  readonly path: string;
  /** The text before the change. Leave it out for a new file. */
  readonly oldText?: string | null | undefined;
  /** The text after the change. */
  readonly newText: string;
}

/**
 * Creates the content that shows a change to a file in a tool call: `await call.complete([diff({ path, oldText, newText
 * })])`.
 */
export function diff(file: FileDiff): Extract<ToolCallContent, { type: "diff" }> {
  requireObject(file, "diff() takes { path, oldText, newText }");
  const { path, oldText, newText } = file;
  return { type: "diff", path, oldText: oldText ?? null, newText };
}
