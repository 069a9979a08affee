import type { ContentBlock, Notice, PlanEntry } from "@acp/schema/v2/types";
import { type MetaOptions, pickMeta } from "../../rpc/peer.ts";
import type { ToolCallChange } from "../../v2/reported-tool-call.ts";
import { shownOutput } from "../../v2/tool-output.ts";
import * as messages from "../shared/open-message.ts";
import * as shared from "../shared/updates.ts";
import { type Blocks, toBlocks } from "../shared/content.ts";
import * as plan from "../shared/plan.ts";
import type { PlanOptions } from "../../v2/agent-turn.ts";
import type { AnyTurn, UpdateTarget } from "./any-session.ts";
import { randomId } from "../../base/random-id.ts";
import { requireTarget } from "../shared/any-session.ts";
import { requireObject } from "../../base/require-argument.ts";

type Target = Pick<UpdateTarget, "update">;

/** A step of a plan: its text, or an entry of the protocol. Defaults: priority `medium`, status `pending`. */
export type PlanStep = plan.PlanStep<PlanEntry>;

/** A plan that the client shows. Each change sends the complete plan again. Indexes count from 0. */
export interface TrackedPlan extends plan.TrackedPlan<PlanEntry> {}

/**
 * Sends a plan, and returns an object to update it.
 *
 * ```ts
 * const plan = await createPlan(turn, ["Find the mistake", "Mend it"]);
 * await plan.start(0);
 * ```
 *
 * It replaces the earlier plan of the turn, unless the options have a `planId`: a session can have several plans.
 * `plan.change(index, { status: "cancelled" })` cancels a step. The methods reject with a {@link UsageError} if there
 * is no step with that index, or the turn has ended.
 */
export const createPlan: (turn: AnyTurn, steps: readonly PlanStep[], options?: PlanOptions) => Promise<TrackedPlan> =
  plan.createPlan;

/** A compaction of the context. It ends once: after that, every method rejects. */
export interface Compaction extends shared.Compaction<ContentBlock> {}

/** Reports that the agent starts to compact its context. Every client of version 2 supports this. */
export const startCompaction: (to: UpdateTarget) => Promise<Compaction> = shared.startCompaction;

/** A message that you write part by part. */
export interface OpenMessage extends messages.OpenMessage<ContentBlock> {}

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
export const openMessage: (turn: AnyTurn, options?: messages.OpenMessageOptions) => OpenMessage =
  messages.openMessage<ContentBlock>;

/**
 * Shows the user a notice that is not part of the conversation, that nothing depends on, and that is not replayed.
 * Every client of version 2 supports notices.
 */
export function sendNotice(to: Target, notice: Notice): Promise<void> {
  requireTarget(to, "sendNotice", "update");
  return to.update({ sessionUpdate: "notice", ...notice });
}

/** A change to a tool call. Members that you leave out are unchanged; `null` clears a member. */
export type ToolCallReport = ToolCallChange & {
  /** Your id for the tool call, unique in the session. */
  readonly toolCallId: string;
};

/**
 * Reports a tool call under your own id: a new tool call if the session does not know the id, otherwise a change. Use
 * it to pass on the tool calls of a model or of another agent, in a turn or between turns. For tool calls of your own,
 * use `turn.toolCall`.
 *
 * The client may cancel a call that you report with `capabilities: { cancel: {} }`. The agent then needs a handler for
 * `tool_call/cancel`.
 */
export function sendToolCall(to: Target, toolCall: ToolCallReport): Promise<void> {
  requireTarget(to, "sendToolCall", "update");
  requireObject(toolCall, "sendToolCall() takes the report of a tool call");
  const { content, ...report } = toolCall;
  return to.update({ sessionUpdate: "tool_call_update", ...report, ...shownOutput(content) });
}

/** Options of {@link userMessage}. */
export interface UserMessageOptions extends MetaOptions {
  /**
   * The id of the message. If the client knows this id, it replaces the content of that message. Default: a random
   * UUID, which creates a new message.
   */
  readonly messageId?: string | undefined;
}

/**
 * Sends a message from the user. Use it in a `session/resume` handler to replay a conversation from the agent's own
 * storage. The prompts of this connection are sent by their turns.
 *
 * ```ts
 * "session/resume": async ({ replayFrom }, { session }) => {
 *   if (replayFrom?.type !== "start") return;
 *   for (const { id, text } of saved) await userMessage(session, text, { messageId: id });
 * },
 * ```
 */
export function userMessage(to: Target, content: Blocks<ContentBlock>, options?: UserMessageOptions): Promise<void> {
  requireTarget(to, "userMessage", "update");
  const messageId = options?.messageId ?? randomId();
  return to.update({ sessionUpdate: "user_message", messageId, content: toBlocks(content), ...pickMeta(options) });
}
