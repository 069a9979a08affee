import type { ClientSession } from "@acp/core";
import {
  createSessionState,
  describeOutput,
  describeQuestion,
  type SessionStore,
  type ToolCallItem,
} from "@acp/core/state";
import type { Received } from "@acp/schema/v1";

import type { PermissionQuestion } from "../permission/question.ts";
import type { ShownCall, ShownContent, ShownDiff, ShownSession } from "../shown.ts";
import { diffLines } from "../transcript/diff-lines.ts";
import { isNewFile } from "./new-files.ts";

/** What there is to show of a session, from now on and with what it has told so far. */
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

/** What a permission request asks for; `session` is undefined if the client has not opened it. */
export function toQuestion(
  { sessionId, toolCall, options }: Received.RequestPermissionRequest,
  session: ClientSession | undefined,
): PermissionQuestion {
  const { toolCallId } = toolCall;
  const known = session && storeOf(session).state.timeline.find("tool_call", toolCallId);
  const asked = describeQuestion({ toolCall }, known);
  const title = asked.title === "" ? toolCallId : asked.title;
  return { sessionId, toolCallId, options, asked: { ...asked, title, content: asked.content.map(showContent) } };
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

/** Version 1 has the texts before and after the change. */
function showDiff({ path, oldText, newText }: Received.Diff): ShownDiff {
  const isNew = isNewFile(path, oldText);
  return {
    path,
    isNew,
    key: JSON.stringify([path, oldText, newText]),
    lines: () => diffLines(isNew ? undefined : (oldText ?? undefined), newText),
  };
}
