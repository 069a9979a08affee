import type { MessageType } from "@acp/core/state";

import type { ShownCall, ShownItem, Speaker } from "./shown.ts";

/** Who speaks in a message of this type, in both versions. */
export const speakers: Readonly<Record<MessageType, Speaker>> = {
  user_message: "user",
  agent_message: "agent",
  agent_thought: "thought",
};

const items = new WeakMap<ShownCall, ShownItem & { readonly kind: "call" }>();

/** The item of a call: the same one for the same call. */
export function callItem(call: ShownCall, toolCallId: string): ShownItem & { readonly kind: "call" } {
  const item = items.get(call) ?? { kind: "call", toolCallId, call };
  items.set(call, item);
  return item;
}
