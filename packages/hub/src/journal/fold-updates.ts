import { isObject } from "@acp/core/internal";

import type { ProtocolVersion } from "./entry.ts";

/** What an update is about: two updates of one thing may become one. */
export interface UpdatedThing {
  readonly name: string;
  /** Whether it has its place in the conversation, where it began. Otherwise only what was said last counts. */
  readonly hasPlace: boolean;
  readonly isPlan?: boolean;
}

type Update = { readonly [name: string]: unknown };

/** What an update is about; `undefined` for what is kept as it is. */
export function thingOf(update: unknown): UpdatedThing | undefined {
  if (!isObject(update)) return undefined;
  const kind = update["sessionUpdate"];
  switch (kind) {
    case "tool_call":
    case "tool_call_update":
    case "tool_call_content_chunk":
      return named("call", update["toolCallId"]);
    case "plan":
      return { name: "plan", hasPlace: true, isPlan: true };
    case "plan_update":
      return named("plan", isObject(update["plan"]) ? update["plan"]["planId"] : undefined, { isPlan: true });
    case "plan_removed":
      return named("plan", update["planId"], { isPlan: true });
    case "terminal_update":
    case "terminal_output_chunk":
      return named("terminal", update["terminalId"]);
    case "usage_update":
    case "available_commands_update":
    case "current_mode_update":
    case "config_option_update":
    case "session_info_update":
      return { name: kind, hasPlace: false };
    default:
      return undefined;
  }
}

function named(kind: string, id: unknown, more: { readonly isPlan?: boolean } = {}): UpdatedThing | undefined {
  return typeof id === "string" ? { name: `${kind} ${id}`, hasPlace: true, ...more } : undefined;
}

/** One update that does what two of the same thing do; `undefined` if that cannot be said in one. */
export function foldUpdates(v: ProtocolVersion, first: unknown, second: unknown): unknown {
  if (!isObject(first) || !isObject(second)) return undefined;
  switch (second["sessionUpdate"]) {
    case "tool_call_update":
      return isOneOf(first, "tool_call", "tool_call_update") ? foldCalls(v, first, second) : undefined;
    case "tool_call_content_chunk":
      return addContent(first, second);
    case "plan":
    case "plan_update":
    case "available_commands_update":
    case "current_mode_update":
    case "config_option_update":
      return isOneOf(first, second["sessionUpdate"]) ? second : undefined;
    case "terminal_update":
      return isOneOf(first, "terminal_update") && !hasMeta(first, second) ? { ...first, ...second } : undefined;
    case "session_info_update":
      return v === 2 && hasMeta(first, second) ? undefined : { ...first, ...second };
    case "usage_update":
      return v === 1 ? second : { ...withoutMeta(first), ...second };
    default:
      return undefined;
  }
}

function foldCalls(v: ProtocolVersion, first: Update, second: Update): Update | undefined {
  // Clients see more in it than that the last one counts, such as the output of a terminal.
  if (hasMeta(first, second)) return undefined;
  // In version 1 null leaves a member as it is, in version 2 it clears it.
  const change = v === 2 ? second : Object.fromEntries(Object.entries(second).filter(([, value]) => value !== null));
  return { ...first, ...change, sessionUpdate: first["sessionUpdate"] };
}

function addContent(first: Update, second: Update): Update | undefined {
  const { content } = first;
  if (!isOneOf(first, "tool_call_update") || !Array.isArray(content) || hasMeta(second)) return undefined;
  return { ...first, content: [...(content as unknown[]), second["content"]] };
}

function isOneOf(update: Update, ...kinds: readonly unknown[]): boolean {
  return kinds.includes(update["sessionUpdate"]);
}

function hasMeta(...updates: readonly Update[]): boolean {
  return updates.some((update) => "_meta" in update);
}

function withoutMeta({ _meta, ...rest }: Update): Update {
  return rest;
}
