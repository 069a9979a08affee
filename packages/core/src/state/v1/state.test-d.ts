import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v1";
import type { Received as Unstable } from "@acp/schema/v1/unstable";
import type { ClientSession } from "../../v1/client-session.ts";
import type { ClientSession as UnstableSession } from "../../v1/unstable/types.ts";
import {
  createSessionState,
  describeOutput,
  describeQuestion,
  initialState,
  reduceSession,
  type SessionEvent,
  type SessionStore,
  terminalText,
  type UnstableTimelineItem,
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
      item.chunks.at(0) satisfies Received.ContentBlock | undefined;
      break;
    case "tool_call":
      item.status satisfies "pending" | "in_progress" | "completed" | "failed" | "cancelled";
      break;
    case "plan":
      item.entries satisfies readonly Received.PlanEntry[];
      break;
    case "notice":
      item.severity satisfies string;
      break;
    case "compaction":
      item.summary.length satisfies number;
      break;
    case "unknown":
      item.received satisfies object;
      break;
    default:
      item satisfies never;
  }
}

// What is found by an id has the type that it was looked for with.
state.timeline.find("tool_call", "c")?.content satisfies readonly Received.ToolCallContent[] | undefined;
state.timeline.find("agent_thought", "m")?.type satisfies "agent_thought" | undefined;
// @ts-expect-error notices have no ids
state.timeline.find("notice", "n");
// The unstable part of the protocol is not in the state of a session without it.
state.timeline.find("subagent", "s") satisfies undefined;

// How a turn stands decides what it has.
const turn = state.turns.at(-1);
if (turn?.status === "ended") turn.response.stopReason satisfies Received.StopReason;
// @ts-expect-error only an ended turn has a response
turn?.response;

// A session of the unstable entry has the items of its own, and what it is answered.
const unstable = createSessionState(unstableSession).state;
unstable.timeline.find("subagent", "s")?.state satisfies Unstable.StateUpdate | undefined;
unstable.timeline.find("identified_plan", "p")?.plan satisfies Unstable.PlanUpdateContent | undefined;
const last = unstable.turns.at(-1);
if (last?.status === "ended") last.response.usage satisfies Unstable.Usage | null | undefined;

// A session goes on from a state of its own vocabulary, or of the part of it that is stable.
createSessionState(session, { state });
createSessionState(session, { state: undefined }).state satisfies typeof state;
createSessionState(unstableSession, { state: unstable }).state satisfies typeof unstable;
createSessionState(unstableSession, { state }).state satisfies typeof unstable;
// @ts-expect-error a session of the stable protocol does not have what is in it
createSessionState(session, { state: unstable }) satisfies SessionStore;

// The state that saved events make is one of their vocabulary.
declare const saved: readonly SessionEvent[];
declare const unstableSaved: readonly SessionEvent<Unstable.SessionUpdate, Unstable.PromptResponse>[];
const goingOn = saved.reduce(reduceSession, initialState()) satisfies typeof state;
createSessionState(session, { state: goingOn, onEvent: (event) => event satisfies SessionEvent })
  .state satisfies typeof state;
const unstableGoingOn = unstableSaved.reduce(
  reduceSession,
  initialState<UnstableTimelineItem, Unstable.PromptResponse>(),
);
createSessionState(unstableSession, { state: unstableGoingOn }).state satisfies typeof unstable;
unstableSaved.reduce(reduceSession, unstable) satisfies typeof unstable;

// The reducer takes the events of its own vocabulary.
const update = { sessionUpdate: unknownVariant, received: {} } as const;
reduceSession(initialState(), { type: "update", update });
reduceSession(unstable, { type: "update", update: { sessionUpdate: "plan_removed", planId: "p" } });
// @ts-expect-error after an update of the unstable protocol it is not a state of the stable one
reduceSession(state, { type: "update", update: { sessionUpdate: "plan_removed", planId: "p" } }) satisfies typeof state;

// What is asked, and what came out, are functions of what the state has.
declare const question: Received.RequestPermissionRequest;
const call = state.timeline.find("tool_call", question.toolCall.toolCallId);
describeQuestion(question, call).content satisfies readonly Received.ToolCallContent[];
describeQuestion(question).commands satisfies readonly string[];
if (call !== undefined) describeOutput(call).text satisfies string | undefined;
const terminal = state.terminals.find("terminal", "t");
if (terminal !== undefined) terminalText(terminal.output) satisfies string;
terminal?.exitStatus?.exitCode satisfies number | null | undefined;

// No state can be changed by accident.
// @ts-expect-error read only
state.commands = [];
// @ts-expect-error read only
state.commands.push({ name: "a", description: "" });

// Lists read like arrays, with the types of arrays.
state.timeline.map((item) => item.type) satisfies string[];
state.timeline.filter((item) => item.type === "tool_call").map(({ toolCallId }) => toolCallId) satisfies string[];
state.timeline.find((item) => item.type === "plan")?.entries satisfies readonly Received.PlanEntry[] | undefined;
state.timeline.find("tool_call", "id")?.title satisfies string | undefined;
state.timeline.flatMap((item) => ("chunks" in item ? [...item.chunks] : [])) satisfies Received.ContentBlock[];
state.timeline.reduce((count, item) => count + (item.type === "tool_call" ? 1 : 0), 0) satisfies number;
state.timeline.some((item) => item.type === "notice") satisfies boolean;
for (const [index, item] of state.timeline.entries()) [index, item.type] satisfies [number, string];
// @ts-expect-error A list never changes.
state.timeline.push;
