import { expect, test } from "vitest";

import { createConversation, recordUpdate } from "./conversation.ts";

test("recordUpdate() takes what was said into the history, and no notice: they are not replayed (NOTC-04)", () => {
  const conversation = createConversation("s", "/project");
  const said = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } } as const;
  recordUpdate(conversation, { sessionUpdate: "notice", severity: "info", title: "Slow" });
  recordUpdate(conversation, said);
  expect(conversation.history).toEqual([said]);
});
