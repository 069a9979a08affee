import type { SessionUpdate } from "@acp/schema/v1";
import { expect, test } from "vitest";

import { createConversation } from "../conversation/conversation.ts";
import { recordPrompt, recordUpdate } from "./history.ts";

test("recordUpdate() takes what was said into the history, and no notice: they are not replayed (NOTC-04)", () => {
  const conversation = createConversation<SessionUpdate>("s", "/project");
  const said = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } } as const;
  recordUpdate(conversation, { sessionUpdate: "notice", severity: "info", title: "Slow" });
  recordUpdate(conversation, said);
  expect(conversation.history).toEqual([said]);
});

test("recordPrompt() keeps the blocks of a prompt together, and prompts apart", () => {
  const conversation = createConversation<SessionUpdate>("s", "/project");
  const text = (words: string) => ({ type: "text", text: words }) as const;
  recordPrompt(conversation, [text("one"), text("two")]);
  recordPrompt(conversation, [text("three")]);
  recordPrompt(conversation, [text("four"), text("five")]);
  const ids = conversation.history.map((update) => ("messageId" in update ? update.messageId : undefined));
  expect(new Set(ids).size).toBe(3);
  expect(ids.slice(0, 2)).toEqual([undefined, undefined]);
  expect(ids[3]).toBe(ids[4]);
});
