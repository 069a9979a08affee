import type { ClientSession } from "@acp/core/v2";
import {
  createSessionState,
  describeOutput,
  describeQuestion,
  type SessionStore,
  type ToolCallItem,
} from "@acp/core/v2/state";
import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2";

import type { PermissionQuestion } from "../permission/question.ts";
import type { PlanEntry, ShownCall, ShownContent, ShownSession } from "../shown.ts";
import { showDiff } from "./shown-diff.ts";

/** Adapts the state of a session to the transcript. */
export function showSession(session: ClientSession): ShownSession {
  const store = storeOf(session);
  return {
    get turns() {
      return store.state.turns;
    },
    get plan() {
      const plan = store.state.plan?.plan;
      return plan?.type === "items" ? plan.entries.map(showEntry) : [];
    },
    get commands() {
      return store.state.commands.flatMap((command) =>
        command.type === unknownVariant ? [] : [{ name: command.name, takesInput: command.input != null }],
      );
    },
    get usage() {
      return store.state.usage;
    },
    call(toolCallId) {
      const item = store.state.timeline.find("tool_call", toolCallId);
      return item && showCall(item);
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
  request: Received.RequestPermissionRequest,
  session: ClientSession | undefined,
): PermissionQuestion {
  const { sessionId, subject, options } = request;
  const toolCallId = subject?.type === "tool_call" ? subject.toolCall.toolCallId : undefined;
  const asked = describeQuestion(request, findCall(toolCallId, session));
  const isOfAgent = session?.unclaimed === true;
  const content = asked.content.flatMap(showContent);
  return { sessionId, isOfAgent, toolCallId, options, asked: { ...asked, content } };
}

const shown = new WeakMap<ToolCallItem, ShownCall>();

function showCall(item: ToolCallItem): ShownCall {
  const { toolCallId, title = toolCallId, kind, status, locations, content } = item;
  const call = shown.get(item) ?? {
    title,
    rawOutput: item.rawOutput,
    kind: String(kind),
    status: String(status),
    locations,
    content: content.slice().flatMap(showContent),
    commands: describeQuestion({ title, subject: { type: "tool_call", toolCall: { toolCallId } } }, item).commands,
    output: (hasTerminal) => describeOutput(item, { hasTerminal }),
  };
  shown.set(item, call);
  return call;
}

function showContent(item: Received.ToolCallContent): ShownContent[] {
  switch (item.type) {
    case "content":
      return [{ kind: "content", content: item.content }];
    case "terminal":
      return [{ kind: "terminal", terminalId: item.terminalId }];
    case "diff":
      return showDiff(item).map((diff) => ({ kind: "diff", ...diff }));
    default:
      return [{ kind: "content", content: item }];
  }
}

function showEntry({ content, status }: Received.PlanEntry): PlanEntry {
  return { content, status: String(status) };
}
