import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2/types";
import type { Received as Unstable } from "@acp/schema/v2/unstable/types";
import type { ClientSession } from "../../v2/client-session.ts";
import type { ClientSession as UnstableSession } from "../../v2/unstable/types.ts";
import {
  createSessionState,
  initialState,
  joinText,
  optionsOf,
  reduceSession,
  type SessionEvent,
  type SessionStore,
  type UnstableStateTypes,
  waitingTurns,
} from "./entry.ts";

declare const session: ClientSession;
declare const unstableSession: UnstableSession;

// Each item narrows by its type, and the list of types is complete.
const { state } = createSessionState(session);
for (const item of state.timeline) {
  switch (item.type) {
    case "user_message":
    case "agent_message":
    case "agent_thought":
      item.messageId satisfies string;
      joinText(item.chunks) satisfies string;
      break;
    case "tool_call":
      item.status satisfies Received.ToolCallStatus;
      item.content.at(0) satisfies Received.ToolCallContent | undefined;
      break;
    case "plan":
      item.plan satisfies Received.PlanUpdateContent;
      break;
    case "notice":
      item.severity satisfies string;
      break;
    case "compaction":
      joinText(item.summary) satisfies string;
      break;
    case "unknown":
      item.received satisfies object;
      break;
    default:
      item satisfies never;
  }
}

// What is found by an id has the type that it was looked for with.
state.timeline.find("tool_call", "c")?.content.length satisfies number | undefined;
state.timeline.find("agent_thought", "m")?.type satisfies "agent_thought" | undefined;
state.terminals.find("terminal", "t")?.output.at(0) satisfies string | undefined;
// @ts-expect-error notices have no ids
state.timeline.find("notice", "n");
// @ts-expect-error terminals are not in the timeline
state.timeline.find("terminal", "t");
// The unstable part of the protocol is not in the state of a session without it.
state.timeline.find("subagent", "s") satisfies undefined;

// What the session does narrows by its state, and then by its stop reason.
if (state.foreground.state === "idle" && state.foreground.stopReason === "error") {
  state.foreground.error?.message satisfies string | undefined;
}
if (state.foreground.state === unknownVariant) state.foreground.received satisfies object;
state.background satisfies readonly Received.BackgroundWork[] | undefined;

// How a turn stands decides what it has.
const turn = state.turns.at(-1);
if (turn?.status === "ended") turn.idle satisfies Received.IdleStateUpdate;
// @ts-expect-error only an ended turn has it
turn?.idle;
waitingTurns(state) satisfies readonly { readonly turn: number }[];

// Options of unknown kinds are left out.
optionsOf(state, "model")[0]?.configId satisfies string | undefined;

// A session of the unstable entry has the items of its own, and what ends its turns.
const unstable = createSessionState(unstableSession).state;
unstable.timeline.find("subagent", "s")?.state satisfies Unstable.StateUpdate | undefined;
unstable.timeline.find("plan", "p")?.plan satisfies Unstable.PlanUpdateContent | undefined;
unstable.background satisfies readonly Unstable.BackgroundWork[] | undefined;
const last = waitingTurns(unstable).at(-1);
if (last?.status === "ended") last.idle satisfies Unstable.IdleStateUpdate;

// A session goes on from a state of its own vocabulary.
createSessionState(session, { state }).state satisfies typeof state;
createSessionState(session, { state: undefined }).state satisfies typeof state;
createSessionState(unstableSession, { state: unstable }).state satisfies typeof unstable;
// @ts-expect-error a session of the stable protocol does not have what is in it
createSessionState(session, { state: unstable }) satisfies SessionStore;

// The state that saved events make is one of their vocabulary.
declare const saved: readonly SessionEvent[];
createSessionState(session, { state: saved.reduce(reduceSession, initialState()) }).state satisfies typeof state;
declare const unstableSaved: readonly SessionEvent<UnstableStateTypes["update"], UnstableStateTypes["idle"]>[];
unstableSaved.reduce(reduceSession, initialState<UnstableStateTypes>()) satisfies typeof unstable;

// The reducer takes the events of its own vocabulary.
reduceSession(initialState(), { type: "update", update: { sessionUpdate: unknownVariant, received: {} } });
reduceSession(unstable, { type: "update", update: { sessionUpdate: "plan_removed", planId: "p" } });
// @ts-expect-error after an update of the unstable protocol it is not a state of the stable one
reduceSession(state, { type: "update", update: { sessionUpdate: "plan_removed", planId: "p" } }) satisfies typeof state;

// No state can be changed by accident.
// @ts-expect-error read only
state.commands = [];
// @ts-expect-error read only
state.commands.push({ type: "command", name: "a", description: "" });
