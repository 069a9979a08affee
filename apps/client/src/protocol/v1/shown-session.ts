import type { ClientSession } from "@acp/core";
import {
  createSessionState,
  describeOutput,
  describeQuestion,
  type SessionStore,
  type TerminalItem,
  type ToolCallItem,
} from "@acp/core/state";
import type { Received } from "@acp/schema/v1";

import type { PermissionQuestion } from "../permission/question.ts";
import type { ShownCall, ShownContent, ShownDiff, ShownSession, TerminalReport } from "../shown.ts";
import { diffLines } from "../../text/diff-lines.ts";
import { isNewFile } from "./new-files.ts";

/** Adapts the state of a session to the transcript. */
export function showSession(session: ClientSession): ShownSession {
  const store = storeOf(session);
  return {
    get turns() {
      return store.state.turns;
    },
    get plan() {
      return store.state.plan?.entries ?? [];
    },
    get commands() {
      return store.state.commands.map(({ name, input }) => ({ name, takesInput: input != null }));
    },
    get usage() {
      return store.state.usage;
    },
    call(toolCallId) {
      const { timeline, terminals } = store.state;
      const item = timeline.find("tool_call", toolCallId);
      return item && withTerminals(showCall(item), toolCallId, terminals);
    },
    subscribe: (listener) => void store.subscribe(listener),
  };
}

const stores = new WeakMap<ClientSession, SessionStore>();

function storeOf(session: ClientSession): SessionStore {
  const store = stores.get(session) ?? createSessionState(session);
  stores.set(session, store);
  return store;
}

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
    asked: { ...asked, title, content: asked.content.map(showContent) },
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

/** Adds the call's terminals that its content does not name. */
function withTerminals(call: ShownCall, toolCallId: string, terminals: Iterable<TerminalItem>): ShownCall {
  const more: ShownContent[] = [];
  for (const { toolCallId: owner, terminalId } of terminals) {
    const isNamed = call.content.some((item) => item.kind === "terminal" && item.terminalId === terminalId);
    if (owner === toolCallId && !isNamed) more.push({ kind: "terminal", terminalId });
  }
  return more.length === 0 ? call : { ...call, content: [...call.content, ...more] };
}

const shown = new WeakMap<ToolCallItem, ShownCall>();

function showCall(item: ToolCallItem): ShownCall {
  const call = shown.get(item) ?? {
    ...item,
    content: item.content.map(showContent),
    commands: describeQuestion({ toolCall: { toolCallId: item.toolCallId } }, item).commands,
    output: (hasTerminal) => describeOutput(item, { hasTerminal }),
  };
  shown.set(item, call);
  return call;
}

function showContent(item: Received.ToolCallContent): ShownContent {
  switch (item.type) {
    case "diff":
      return { kind: "diff", ...showDiff(item) };
    case "terminal":
      return { kind: "terminal", terminalId: item.terminalId };
    default:
      return { kind: "content", content: item.content };
  }
}

/** Version 1 sends the texts before and after the change. */
function showDiff({ path, oldText, newText }: Received.Diff): ShownDiff {
  const isNew = isNewFile(path, oldText);
  return {
    path,
    isNew,
    key: JSON.stringify([path, oldText, newText]),
    lines: () => diffLines(isNew ? undefined : (oldText ?? undefined), newText),
  };
}
