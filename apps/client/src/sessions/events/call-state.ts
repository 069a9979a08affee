import type { ShownCall, ShownContent } from "@acp/render";

import type { CallContent, CallState, ToolCallEvent, ToolCallUpdateEvent } from "./exec-event.ts";

/** The tool calls of a session as the events have told them so far. */
export class CallStates {
  /** The members of each call, as JSON. */
  readonly #told = new Map<string, Readonly<Record<string, string>>>();

  get ids(): readonly string[] {
    return [...this.#told.keys()];
  }

  /** The event for a call as it is now; `undefined` if nothing has changed. */
  update(toolCallId: string, call: ShownCall, hasFailed: boolean): ToolCallEvent | ToolCallUpdateEvent | undefined {
    const state = { ...stateOf(call), ...(hasFailed ? { hasFailed } : {}) };
    const told = this.#told.get(toolCallId);
    const members = Object.fromEntries(Object.entries(state).map(([name, value]) => [name, JSON.stringify(value)]));
    this.#told.set(toolCallId, members);
    if (told === undefined) return { type: "tool_call", toolCallId, ...state };
    const changed = Object.entries(state).filter(([name]) => members[name] !== told[name]);
    return changed.length === 0 ? undefined : { type: "tool_call_update", toolCallId, ...Object.fromEntries(changed) };
  }
}

function stateOf({ title, kind, status, locations, content, commands, rawInput, rawOutput }: ShownCall): CallState {
  return {
    title,
    kind,
    status,
    locations: locations.map(({ path, line }) => (line == null ? { path } : { path, line })),
    content: content.map(toContent),
    commands,
    rawInput,
    rawOutput,
  };
}

/** Content as events have it. */
export function toContent(item: ShownContent): CallContent {
  switch (item.kind) {
    case "terminal":
      return { type: "terminal", terminalId: item.terminalId };
    case "diff": {
      const { path, isNew, lines } = item;
      return { type: "diff", path, isNew, lines: lines() };
    }
    default:
      return { type: "content", content: item.content };
  }
}
