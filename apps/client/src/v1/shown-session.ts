import type { ClientSession } from "@acp/core";
import { createSessionState, type ToolCallItem } from "@acp/core/state";
import type { Received } from "@acp/schema/v1";

import type { ShownCall, ShownContent, ShownDiff, ShownSession } from "../shown.ts";
import { diffLines } from "../transcript/diff-lines.ts";

/** What there is to show of a session, from now on and with what it has told so far. */
export function showSession(session: ClientSession): ShownSession {
  const store = createSessionState(session);
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

const shown = new WeakMap<ToolCallItem, ShownCall>();

function showCall(item: ToolCallItem): ShownCall {
  const call = shown.get(item) ?? { ...item, content: item.content.map(showContent) };
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
  return {
    path,
    isNew: oldText === undefined || oldText === null,
    key: JSON.stringify([path, oldText, newText]),
    lines: () => diffLines(oldText ?? undefined, newText),
  };
}
