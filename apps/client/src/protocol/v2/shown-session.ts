import type { ClientSession } from "@acp/core/v2";
import {
  createSessionState,
  describeOutput,
  describeQuestion,
  type PlanItem,
  type SessionState,
  type SessionStore,
  type TimelineItem,
  type ToolCallItem,
} from "@acp/core/v2/state";
import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2";

import { currentCommands, type PermissionQuestion, withShownContent } from "../permission/question.ts";
import { speakers } from "../report.ts";
import { toChoices, callItem, unknownContent, remember, showStore } from "../shown-items.ts";
import type {
  Command,
  PlanEntry,
  SessionOption,
  ShownCall,
  ShownContent,
  ShownItem,
  ShownSession,
  ShownTimeline,
} from "../shown.ts";
import { showDiff } from "./shown-diff.ts";

/** Adapts the state of a session to the transcript. */
export function showSession(session: ClientSession): ShownSession {
  return showStore(storeOf(session), {
    timeline: ({ timeline }) => showTimeline(timeline),
    isBusy: ({ foreground }) => foreground.state === "running",
    plan: ({ plan }) => (plan === undefined ? none : showPlan(plan)),
    commands: ({ commands }) => showCommands(commands),
    options: ({ configOptions }) => showConfig(configOptions),
    call({ timeline }, toolCallId) {
      const item = timeline.find("tool_call", toolCallId);
      return item && showCall(item);
    },
  });
}

const none: readonly never[] = [];

const showPlan = remember(({ plan }: PlanItem): readonly PlanEntry[] =>
  plan.type === "items" ? plan.entries.map(showEntry) : none,
);

const showTimeline = remember((timeline: SessionState["timeline"]): ShownTimeline => ({
  length: timeline.length,
  at(index) {
    const item = timeline.at(index);
    return item && showItem(item);
  },
}));

const showItem = remember((item: TimelineItem): ShownItem => {
  switch (item.type) {
    case "user_message":
    case "agent_message":
    case "agent_thought":
      return { kind: "message", speaker: speakers[item.type], chunks: item.chunks };
    case "tool_call":
      return callItem(showCall(item), item.toolCallId);
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

const showCommands = remember((commands: readonly Received.AvailableCommand[]): readonly Command[] =>
  commands.flatMap((command) => {
    if (command.type === unknownVariant) return [];
    const { name, description, input } = command;
    const hint = input?.type === "text" ? input.hint : undefined;
    return [{ name, description, takesInput: input != null, hint }];
  }),
);

const showConfig = remember((options: readonly Received.SessionConfigOption[]): readonly SessionOption[] =>
  options.flatMap((option) => {
    if (option.type === unknownVariant) return [];
    const { configId: id, name, description, category, currentValue: value } = option;
    const choices = option.type === "select" ? toChoices(option.options) : [];
    return [{ id, name, description: description ?? undefined, category: category ?? undefined, value, choices }];
  }),
);

const storeOf = remember((session: ClientSession): SessionStore => createSessionState(session));

/** Finds a tool call as updates have described it. */
export function findCall(toolCallId: string | undefined, session: ClientSession | undefined): ToolCallItem | undefined {
  if (toolCallId === undefined || session === undefined) return undefined;
  return storeOf(session).state.timeline.find("tool_call", toolCallId);
}

/** Converts a permission request; `session` is undefined if the client has not opened it. */
export function toQuestion(
  request: Received.RequestPermissionRequest,
  session: ClientSession | undefined,
): PermissionQuestion {
  const { sessionId, subject, options } = request;
  const toolCallId = subject?.type === "tool_call" ? subject.toolCall.toolCallId : undefined;
  const asked = describeQuestion(request, findCall(toolCallId, session));
  const isOfAgent = session?.unclaimed === true;
  return { sessionId, isOfAgent, toolCallId, options, asked: withShownContent(asked, showContent) };
}

const showCall = remember((item: ToolCallItem): ShownCall => {
  const { toolCallId, title = toolCallId, kind, status, locations, content } = item;
  return {
    title,
    rawInput: item.rawInput,
    rawOutput: item.rawOutput,
    kind: String(kind),
    status: String(status),
    locations,
    content: content.slice().flatMap(showContent),
    commands: currentCommands(
      describeQuestion({ title, subject: { type: "tool_call", toolCall: { toolCallId } } }, item),
    ),
    output: (hasTerminal) => describeOutput(item, { hasTerminal }),
  };
});

function showContent(item: Received.ToolCallContent): ShownContent[] {
  switch (item.type) {
    case "content":
      return [{ kind: "content", content: item.content }];
    case "terminal":
      return [{ kind: "terminal", terminalId: item.terminalId }];
    case "diff":
      return showDiff(item).map((diff) => ({ kind: "diff", ...diff }));
    case unknownVariant:
      return [{ kind: "content", content: item }];
    default:
      return [unknownContent(item)];
  }
}

function showEntry({ content, status }: Received.PlanEntry): PlanEntry {
  return { content, status: String(status) };
}
