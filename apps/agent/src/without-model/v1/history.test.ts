import type { SessionUpdate } from "@acp/schema/v1";
import { expect, test } from "vitest";

import { createConversation } from "../conversation/conversation.ts";
import { recordPrompt, recordUpdate } from "./history.ts";

test("recordUpdate() records messages, but no notices, which are not replayed (NOTC-04)", () => {
  const conversation = createConversation<SessionUpdate>("s", "/project");
  const message = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } } as const;
  recordUpdate(conversation, { sessionUpdate: "notice", severity: "info", title: "Slow" });
  recordUpdate(conversation, message);
  expect(conversation.history).toEqual([message]);
});

test("recordPrompt() keeps the blocks of a prompt together, and prompts apart", () => {
  const conversation = createConversation<SessionUpdate>("s", "/project");
  const block = (text: string) => ({ type: "text", text }) as const;
  recordPrompt(conversation, [block("one"), block("two")]);
  recordPrompt(conversation, [block("three")]);
  recordPrompt(conversation, [block("four"), block("five")]);
  const ids = conversation.history.map((update) => ("messageId" in update ? update.messageId : undefined));
  expect(new Set(ids).size).toBe(3);
  expect(ids.slice(0, 2)).toEqual([undefined, undefined]);
  expect(ids[3]).toBe(ids[4]);
});
