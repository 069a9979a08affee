import { existsSync } from "node:fs";

import type { ClientSession } from "@acp/core";
import {
  createSessionState,
  describeOutput,
  describeQuestion,
  type SessionState,
  type SessionStore,
  type TerminalItem,
  type TimelineItem,
  type ToolCallItem,
} from "@acp/core/state";
import type { Received } from "@acp/schema/v1";

import { currentCommands, type PermissionQuestion, withShownContent } from "../permission/question.ts";
import { speakers } from "../report.ts";
import { remember, showStore, callItem, unknownContent } from "../shown-items.ts";
import type {
  Command,
  ShownCall,
  ShownContent,
  ShownDiff,
  ShownItem,
  ShownSession,
  ShownTimeline,
  TerminalReport,
} from "../shown.ts";
import { diffLines } from "../../text/diff-lines.ts";
import { showOptions } from "./shown-options.ts";

/** Adapts the state of a session to the transcript. */
export function showSession(session: ClientSession): ShownSession {
  return showStore(storeOf(session), {
    timeline: (state) => showTimeline(state),
    isBusy: ({ runningTurn }) => runningTurn !== undefined,
    plan: ({ plan }) => plan?.entries ?? none,
    commands: ({ commands }) => showCommands(commands),
    options: (state) => showOptions(state),
    call({ timeline, terminals }, toolCallId) {
      const item = timeline.find("tool_call", toolCallId);
      return item && withTerminals(showCall(item), toolCallId, terminals);
    },
  });
}

const none: readonly never[] = [];

const showTimeline = remember(
  ({ timeline, terminals }: Pick<SessionState, "timeline" | "terminals">): ShownTimeline => ({
    length: timeline.length,
    at(index) {
      const item = timeline.at(index);
      if (item?.type !== "tool_call") return item && showItem(item);
      const { toolCallId } = item;
      return callItem(withTerminals(showCall(item), toolCallId, terminals), toolCallId);
    },
  }),
);

const showItem = remember((item: Exclude<TimelineItem, ToolCallItem>): ShownItem => {
  switch (item.type) {
    case "user_message":
    case "agent_message":
    case "agent_thought":
      return { kind: "message", speaker: speakers[item.type], chunks: item.chunks };
    case "plan":
      return { kind: "plan", entries: item.entries };
    case "notice":
      return { kind: "notice", severity: item.severity, title: item.title, description: item.description };
    case "compaction":
      return { kind: "compaction", status: String(item.status), error: item.error };
    default:
      return { kind: "unknown" };
  }
});

const showCommands = remember((commands: readonly Received.AvailableCommand[]): readonly Command[] =>
  commands.map(({ name, description, input }) => ({
    name,
    description,
    takesInput: input != null,
    hint: input?.hint,
  })),
);

const storeOf = remember((session: ClientSession): SessionStore => createSessionState(session));

/** Finds a tool call as updates have described it. */
export function findCall(toolCallId: string | undefined, session: ClientSession | undefined): ToolCallItem | undefined {
  if (toolCallId === undefined || session === undefined) return undefined;
  return storeOf(session).state.timeline.find("tool_call", toolCallId);
}

/** Converts a permission request; `session` is undefined if the client has not opened it. */
export function toQuestion(
  { sessionId, toolCall, options }: Received.RequestPermissionRequest,
  session: ClientSession | undefined,
): PermissionQuestion {
  const { toolCallId } = toolCall;
  const asked = describeQuestion({ toolCall }, findCall(toolCallId, session));
  const title = asked.title === "" ? toolCallId : asked.title;
  const isOfAgent = session?.unclaimed === true;
  return {
    sessionId,
    isOfAgent,
    toolCallId,
    options,
    asked: withShownContent({ ...asked, title }, (item) => [showContent(item)]),
  };
}

/** The agent's own terminals at the last call of {@link reportTerminals}. */
const seen = new WeakMap<ClientSession, Map<string, TerminalItem>>();

/** Reports the changes of the agent's own terminals, which the state already has. */
export function reportTerminals(update: Received.SessionUpdate, session: ClientSession): readonly TerminalReport[] {
  const isOfCall = update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update";
  if (!isOfCall || update._meta == null) return [];
  const known = seen.get(session) ?? new Map<string, TerminalItem>();
  seen.set(session, known);
  const reports: TerminalReport[] = [];
  for (const terminal of storeOf(session).state.terminals) {
    const { terminalId, output, exitStatus } = terminal;
    const before = known.get(terminalId);
    if (before === terminal) continue;
    known.set(terminalId, terminal);
    const text = output.slice(before?.output.length ?? 0).join("");
    const exit = before?.exitStatus === exitStatus ? undefined : exitStatus;
    reports.push({ kind: "terminal", terminalId, output: new TextEncoder().encode(text), exit });
  }
  return reports;
}

/** The call with its terminals that its content does not name, as it was made last. */
const completed = new WeakMap<ShownCall, ShownCall>();

/** Adds the call's terminals that its content does not name. */
function withTerminals(call: ShownCall, toolCallId: string, terminals: Iterable<TerminalItem>): ShownCall {
  const more: ShownContent[] = [];
  for (const { toolCallId: owner, terminalId } of terminals) {
    const isNamed = call.content.some((item) => item.kind === "terminal" && item.terminalId === terminalId);
    if (owner === toolCallId && !isNamed) more.push({ kind: "terminal", terminalId });
  }
  if (more.length === 0) return call;
  const before = completed.get(call);
  if (before?.content.length === call.content.length + more.length) return before;
  const complete = { ...call, content: [...call.content, ...more] };
  completed.set(call, complete);
  return complete;
}

const showCall = remember((item: ToolCallItem): ShownCall => ({
  ...item,
  content: item.content.map(showContent),
  commands: currentCommands(describeQuestion({ toolCall: { toolCallId: item.toolCallId } }, item)),
  output: (hasTerminal) => describeOutput(item, { hasTerminal }),
}));

export function showContent(item: Received.ToolCallContent): ShownContent {
  switch (item.type) {
    case "diff":
      return { kind: "diff", ...showDiff(item) };
    case "terminal":
      return { kind: "terminal", terminalId: item.terminalId };
    case "content":
      return { kind: "content", content: item.content };
    default:
      return unknownContent(item);
  }
}

/** Version 1 sends the texts before and after the change. */
function showDiff({ path, oldText, newText }: Received.Diff): ShownDiff {
  const isNew = isNewFile(path, oldText);
  return {
    path,
    isNew,
    key: JSON.stringify([path, oldText, newText]),
    texts: isNew || oldText == null ? undefined : { before: oldText, after: newText },
    lines: () => diffLines(isNew ? undefined : (oldText ?? undefined), newText),
  };
}

/** Files that did not exist when an agent read them, and read as empty. */
const readAsEmpty = new Set<string>();

/**
 * Returns an empty text for a file that does not exist, since Gemini CLI reads a file before it creates it, and gives up on
 * any error. Returns `undefined` if the file exists.
 */
export function readNewFile(path: string, realPath: string): string | undefined {
  if (existsSync(realPath)) return undefined;
  readAsEmpty.add(path);
  return "";
}

/** Whether a change creates a file. An agent that read a missing file as empty does not know that it is new. */
function isNewFile(path: string, oldText: string | null | undefined): boolean {
  return oldText === undefined || oldText === null || (oldText === "" && readAsEmpty.has(path));
}
