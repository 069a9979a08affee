import { runsElsewhere } from "@acp/core/internal";
import { describeOutput, describeQuestion } from "@acp/core/state";
import type * as V1State from "@acp/core/state";
import type * as V2State from "@acp/core/v2/state";
import { unknownVariant } from "@acp/schema";
import type { Received as V1 } from "@acp/schema/v1";
import type { Received as V2 } from "@acp/schema/v2";

import { remember } from "../text/remember.ts";
import { currentCommands } from "../question/permission-question.ts";
import { speakers } from "./report.ts";
import { showContent, type ShownFiles } from "./shown-content.ts";
import type {
  Choice,
  Command,
  PlanEntry,
  SessionOption,
  ShownCall,
  ShownContent,
  ShownItem,
  ShownSession,
  ShownTimeline,
} from "../shown.ts";

type CallItem = V1State.ToolCallItem | V2State.ToolCallItem;
type Item = V1State.TimelineItem | V2State.TimelineItem;

/** A store of the state of a session, such as `createSessionState` of `@acp/core/state` or `@acp/core/v2/state` makes. */
export interface ShownStore {
  readonly state: State;
  subscribe(listener: () => void): () => void;
}

/** What the states of both versions have, as far as it is shown; and what only one of them has. */
interface State extends Pick<ShownSession, "turns" | "usage"> {
  readonly timeline: {
    readonly length: number;
    at(index: number): Item | undefined;
    find(type: "tool_call", id: string): Item | undefined;
  };
  readonly plan: V1State.PlanItem | V2State.PlanItem | undefined;
  readonly commands: readonly (V1.AvailableCommand | V2.AvailableCommand)[];
  readonly configOptions: readonly (V1.SessionConfigOption | V2.SessionConfigOption)[] | undefined;
  readonly info: { readonly title?: string | undefined };
  readonly terminals: Iterable<{ readonly terminalId: string; readonly toolCallId?: string }>;
  /** In version 1. */
  readonly modes?: V1.SessionModeState | undefined;
  readonly runningTurn?: number | undefined;
  /** In version 2. */
  readonly foreground?: { readonly state: unknown };
}

/** Adapts the state of a session of either version to the transcript. `files` finds the places of changes. */
export function showSession(store: ShownStore, files?: ShownFiles): ShownSession {
  const showCall = remember((item: CallItem) => toCall(item, files));
  let known: { readonly state: State; readonly timeline: ShownTimeline } | undefined;
  return {
    get turns() {
      return store.state.turns;
    },
    get timeline() {
      const { state } = store;
      if (known?.state !== state) known = { state, timeline: toTimeline(state, showCall) };
      return known.timeline;
    },
    get isBusy() {
      const { foreground, runningTurn, info } = store.state;
      if (foreground !== undefined) return foreground.state === "running";
      return runningTurn !== undefined || runsElsewhere(info);
    },
    get plan() {
      const { plan } = store.state;
      return plan === undefined ? none : showPlan(plan);
    },
    get commands() {
      return showCommands(store.state.commands);
    },
    get options() {
      const { configOptions = none, modes } = store.state;
      // If an agent has both, options take precedence over modes (CONF-02).
      return modes !== undefined && configOptions.length === 0 ? showModes(modes) : showConfig(configOptions);
    },
    get usage() {
      return store.state.usage;
    },
    get title() {
      return store.state.info.title;
    },
    call(toolCallId) {
      const { timeline, terminals } = store.state;
      const item = timeline.find("tool_call", toolCallId);
      return item?.type === "tool_call" ? withTerminals(showCall(item), terminals) : undefined;
    },
    subscribe: (listener) => store.subscribe(listener),
  };
}

const none: readonly never[] = [];

function toTimeline({ timeline, terminals }: State, showCall: (item: CallItem) => IdentifiedCall): ShownTimeline {
  return {
    length: timeline.length,
    at(index) {
      const item = timeline.at(index);
      return item?.type === "tool_call" ? callItem(withTerminals(showCall(item), terminals)) : item && showItem(item);
    },
  };
}

const showItem = remember((item: Exclude<Item, CallItem>): ShownItem => {
  switch (item.type) {
    case "user_message":
    case "agent_message":
    case "agent_thought":
      return { kind: "message", speaker: speakers[item.type], messageId: item.messageId, chunks: item.chunks };
    case "plan":
      return { kind: "plan", entries: showPlan(item) };
    case "notice":
      return { kind: "notice", severity: String(item.severity), title: item.title, description: item.description };
    case "compaction":
      return { kind: "compaction", status: String(item.status), error: item.error };
    default:
      return { kind: "unknown" };
  }
});

const showPlan = remember((item: NonNullable<State["plan"]>): readonly PlanEntry[] => {
  const entries = "entries" in item ? item.entries : item.plan.type === "items" ? item.plan.entries : none;
  return entries.map(({ content, status }) => ({ content, status: String(status) }));
});

const showCommands = remember((commands: State["commands"]): readonly Command[] =>
  commands.flatMap((command) => {
    if ("type" in command && command.type === unknownVariant) return [];
    const { name, description, input } = command;
    const hint = input != null && "hint" in input ? input.hint : undefined;
    return [{ name, description, takesInput: input != null, hint }];
  }),
);

const showModes = remember(
  ({ availableModes, currentModeId: value }: V1.SessionModeState): readonly SessionOption[] => {
    const choices = toChoices(availableModes.map(({ id, ...mode }) => ({ value: id, ...mode })));
    return [{ id: undefined, name: "Mode", category: "mode", value, choices }];
  },
);

const showConfig = remember((options: NonNullable<State["configOptions"]>): readonly SessionOption[] =>
  options.flatMap((option) => {
    if (option.type === unknownVariant) return [];
    const { name, description, category, currentValue: value } = option;
    const id = "configId" in option ? option.configId : option.id;
    const choices = option.type === "select" ? toChoices(option.options) : [];
    return [{ id, name, description: description ?? undefined, category: category ?? undefined, value, choices }];
  }),
);

interface NamedValue {
  readonly value: string;
  readonly name: string;
  readonly description?: string | null;
}

/** The values of an option, which may stand in groups. */
function toChoices(
  entries: readonly (NamedValue | { readonly name: string; readonly options: readonly NamedValue[] })[],
): Choice[] {
  const toChoice = ({ value, name, description }: NamedValue, group: string | undefined): Choice => {
    return { value, name, description: description ?? undefined, group };
  };
  return entries.flatMap((entry) =>
    "options" in entry ? entry.options.map((value) => toChoice(value, entry.name)) : [toChoice(entry, undefined)],
  );
}

type IdentifiedCall = ShownCall & { readonly toolCallId: string };

function toCall(item: CallItem, files: ShownFiles | undefined): IdentifiedCall {
  const { toolCallId, title = toolCallId, kind, status, locations, rawInput, rawOutput } = item;
  return {
    toolCallId,
    title,
    kind: String(kind),
    status: String(status),
    locations,
    content: [...item.content].flatMap((one) => showContent(one, files)),
    rawInput,
    rawOutput,
    // What is read of an item is the same in both versions.
    commands: currentCommands(describeQuestion({ toolCall: { toolCallId } }, item as V1State.ToolCallItem)),
    output: (hasTerminal) => describeOutput(item, { hasTerminal }),
  };
}

/** The item of a call: the same one for the same call. */
const callItem = remember((call: IdentifiedCall): ShownItem => ({ kind: "call", toolCallId: call.toolCallId, call }));

/** The call with its terminals that its content does not name, as it was made last. */
const completed = new WeakMap<ShownCall, IdentifiedCall>();

/** Adds the call's terminals that its content does not name. */
function withTerminals(call: IdentifiedCall, terminals: State["terminals"]): IdentifiedCall {
  const more: ShownContent[] = [];
  for (const { toolCallId: owner, terminalId } of terminals) {
    const isNamed = call.content.some((item) => item.kind === "terminal" && item.terminalId === terminalId);
    if (owner === call.toolCallId && !isNamed) more.push({ kind: "terminal", terminalId });
  }
  if (more.length === 0) return call;
  const before = completed.get(call);
  if (before?.content.length === call.content.length + more.length) return before;
  const complete = { ...call, content: [...call.content, ...more] };
  completed.set(call, complete);
  return complete;
}
