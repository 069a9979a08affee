import type { ContentBlock, Notice, PlanEntry } from "@acp/schema/v2/types";
import { type MetaOptions, pickMeta } from "../../rpc/peer.ts";
import type { ToolCallChange } from "../../v2/reported-tool-call.ts";
import { shownOutput } from "../../session/agent/tool-output.ts";
import * as messages from "../shared/open-message.ts";
import * as shared from "../shared/updates.ts";
import { type Blocks, toBlocks } from "../shared/content.ts";
import * as plan from "../shared/plan.ts";
import type { PlanOptions } from "../../v2/agent-turn.ts";
import type { AnyTurn, UpdateTarget } from "./any-session.ts";

type Target = Pick<UpdateTarget, "update">;

/** A step of a plan: its text, or an entry of the protocol. Defaults: priority `medium`, status `pending`. */
export type PlanStep = plan.PlanStep<PlanEntry>;

/** A plan that was sent to the client. Each change sends all of it again. Indexes count from 0. */
export interface TrackedPlan extends plan.TrackedPlan<PlanEntry> {}

/**
 * Sends a plan, and keeps track of it.
 *
 * ```ts
 * const plan = await createPlan(turn, ["Find the mistake", "Mend it"]);
 * await plan.start(0);
 * ```
 *
 * It replaces the earlier plan of the turn, unless the options have a `planId`: a session can have several plans.
 * `plan.change(index, { status: "cancelled" })` gives a step up. Its methods reject with a {@link UsageError} for an index
 * without a step, and as those of the turn do once that has ended.
 */
export const createPlan: (turn: AnyTurn, steps: readonly PlanStep[], options?: PlanOptions) => Promise<TrackedPlan> =
  plan.createPlan;

/** A compaction of the context that was announced to the client. It ends once: after that, every method rejects. */
export interface Compaction extends shared.Compaction<ContentBlock> {}

/** Tells the client that the agent begins to shorten its context. Every client of version 2 takes this. */
export const startCompaction: (to: UpdateTarget) => Promise<Compaction> = shared.startCompaction;

/** A message that is written part by part. */
export interface OpenMessage extends messages.OpenMessage<ContentBlock> {}

/**
 * Opens a message, for code that gets a model's text by callbacks; a loop over an iterable needs only `turn.message`. Its parts
 * share an id, whatever else is sent meanwhile, and nothing joins it: several may be open at once.
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
 * Shows the user a notice that is not part of the conversation, that nothing depends on, and that is not replayed. Every
 * client of version 2 takes notices.
 */
export function sendNotice(to: Target, notice: Notice): Promise<void> {
  return to.update({ sessionUpdate: "notice", ...notice });
}

/** What changes in a tool call. Members that are left out are unchanged, `null` clears. */
export type ToolCallReport = ToolCallChange & {
  /** Your id for it, unique in the session. */
  readonly toolCallId: string;
};

/**
 * Reports a tool call under your own id: a new one if the session does not know the id, else a change. For agents that pass
 * on what a model or another agent does, from beginning to end with this one function, in a turn or between turns. For the
 * agent's own tool calls there is `turn.toolCall`.
 *
 * The client may cancel a call that was reported with `capabilities: { cancel: {} }`: for that, the agent has a handler for
 * `tool_call/cancel`.
 */
export function sendToolCall(to: Target, { content, ...report }: ToolCallReport): Promise<void> {
  return to.update({ sessionUpdate: "tool_call_update", ...report, ...shownOutput(content) });
}

/** Options of {@link userMessage}. */
export interface UserMessageOptions extends MetaOptions {
  /**
   * The id of the message. A client that knows this id replaces the content of that message. Default: a random UUID, which
   * is a new message to every client.
   */
  readonly messageId?: string | undefined;
}

/**
 * Sends a message of the user, as a `session/resume` handler does when it replays a conversation from the agent's own
 * storage. Turns send the prompts of this connection themselves.
 *
 * ```ts
 * "session/resume": async ({ replayFrom }, { session }) => {
 *   if (replayFrom?.type !== "start") return;
 *   for (const { id, text } of saved) await userMessage(session, text, { messageId: id });
 * },
 * ```
 */
export function userMessage(to: Target, content: Blocks<ContentBlock>, options?: UserMessageOptions): Promise<void> {
  const messageId = options?.messageId ?? crypto.randomUUID();
  return to.update({ sessionUpdate: "user_message", messageId, content: toBlocks(content), ...pickMeta(options) });
}
