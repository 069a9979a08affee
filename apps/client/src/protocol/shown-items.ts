import type { MessageType } from "@acp/core/state";
import { unknownVariant } from "@acp/schema";

import type { ShownCall, ShownContent, ShownItem, Speaker } from "./shown.ts";

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

/** An item of a call's content of a kind that this client does not know. */
export function unknownContent(item: object): ShownContent {
  return { kind: "content", content: { type: unknownVariant, received: { ...item } } };
}
