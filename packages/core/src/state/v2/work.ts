import type { Received } from "@acp/schema/v2/types";
import type { Received as Unstable } from "@acp/schema/v2/unstable/types";
import { applyPatch } from "../shared/patch.ts";
import { Timeline } from "../shared/timeline.ts";
import { type AnyCall, type AnyState, unreported } from "./session-state.ts";
import type { TerminalItem, UnstableTimelineItem } from "./timeline-items.ts";
import { requireObject } from "../../base/require-argument.ts";

// An update does not name its work. A call that the agent reports while the session works belongs to that work, unless it
// is listed as work in the background, which goes on when the client cancels.

/** Applies a state of the session. The agent may report the same state again. */
export function updateForeground(state: AnyState, foreground: Unstable.StateUpdate): AnyState {
  const { foreground: before } = state;
  const background = ("background" in foreground ? foreground.background : undefined) ?? undefined;
  const isSame = before !== unreported && isEqual(before, foreground);
  const updated =
    isSame && background === state.background
      ? state
      : { ...state, foreground: isSame ? before : foreground, background };
  if (foreground.state !== "idle") return updated;
  const { stopReason } = foreground;
  // A session that was idle may repeat how its work has ended, as after a replay: that ends nothing. Work that ends in
  // another way may leave calls that go on: the agent reports how they end.
  const isCut = before.state !== "idle" && (stopReason === "cancelled" || stopReason === "error");
  return isCut ? cancelToolCalls(updated) : forgetToolCalls(updated);
}

/** Whether all members are the same. */
function isEqual(one: object, other: object): boolean {
  return applyPatch(one, other) === one && applyPatch(other, one) === other;
}

/** Notes an unfinished call as part of the current work. */
export function noteToolCall(state: AnyState, call: AnyCall): AnyState {
  const { foreground, continuation } = state;
  const { toolCallId } = call;
  if (isFinished(call) || (foreground.state === "idle" && foreground !== unreported)) return state;
  if (continuation.calls.position("call", toolCallId) !== undefined) return state;
  const calls = continuation.calls.put({ type: "call", toolCallId }, toolCallId);
  return { ...state, continuation: { ...continuation, calls } };
}

/** No call that was reported so far is part of the work from now on. */
function forgetToolCalls(state: AnyState): AnyState {
  const { continuation } = state;
  if (continuation.calls.length === 0) return state;
  return { ...state, continuation: { ...continuation, calls: Timeline.empty } };
}

/** Marks the unfinished calls of the current work as cancelled, as a client should. */
export function cancelToolCalls(state: AnyState): AnyState {
  const { timeline, background = [], continuation } = state;
  const spared = new Set(background.map((work) => (work.type === "tool_call" ? work.toolCallId : undefined)));
  const calls = continuation.calls.slice().filter(({ toolCallId }) => !spared.has(toolCallId));
  const items = calls.map(({ toolCallId }) => timeline.find("tool_call", toolCallId));
  return forgetToolCalls(cancelItems(state, items));
}

/** Marks all unfinished calls as cancelled: the agent does not report any more how they end, and takes no cancels. */
export function endWork(state: AnyState): AnyState {
  const ended = cancelItems(state, state.timeline);
  let { terminals } = state;
  for (const { capabilities, ...terminal } of terminals) {
    if (capabilities !== undefined) terminals = terminals.put(terminal, terminal.terminalId);
  }
  return forgetToolCalls(terminals === state.terminals ? ended : { ...ended, terminals });
}

function cancelItems(state: AnyState, items: Iterable<UnstableTimelineItem | undefined>): AnyState {
  let { timeline } = state;
  for (const item of items) {
    if (item?.type !== "tool_call" || isFinished(item)) continue;
    timeline = timeline.put({ ...item, status: "cancelled" }, item.toolCallId);
  }
  return timeline === state.timeline ? state : { ...state, timeline };
}

const final: ReadonlySet<Received.ToolCallStatus> = new Set(["completed", "failed", "cancelled"]);

/** Whether a tool call or the command in a terminal is finished. A call with an unknown status is not. */
function isFinished(item: AnyCall | TerminalItem): boolean {
  return item.type === "terminal" ? item.exitStatus !== undefined : final.has(item.status);
}

/** Whether the client may ask the agent to cancel this tool call, or the command in this terminal. */
export function isCancellable(item: AnyCall | TerminalItem): boolean {
  requireObject(item, "isCancellable() takes a tool call or a terminal of the state");
  return !isFinished(item) && (item.capabilities?.cancel ?? undefined) !== undefined;
}
