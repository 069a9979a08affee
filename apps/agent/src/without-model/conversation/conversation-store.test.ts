import { describe, expect, test } from "vitest";

import { updateSessionInfo } from "./conversation.ts";
import { ConversationStore } from "./conversation-store.ts";

describe("ConversationStore", () => {
  test("list() returns pages, the latest first, each conversation once", async () => {
    const store = new ConversationStore();
    for (let index = 0; index < 120; index++) {
      const conversation = store.create(`s${index}`, index % 2 === 0 ? "/even" : "/odd");
      updateSessionInfo(conversation, `prompt ${index}`);
      conversation.updatedAt = new Date(index * 1000);
    }
    store.create("without a prompt", "/even");
    const ids: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await store.list(undefined, cursor);
      ids.push(...page.sessions.map(({ sessionId }) => sessionId));
      cursor = page.nextCursor;
    } while (cursor !== undefined && cursor !== null);
    expect(ids).toEqual(Array.from({ length: 120 }, (_, index) => `s${119 - index}`));
    expect((await store.list("/odd", null)).sessions.every(({ cwd }) => cwd === "/odd")).toBe(true);
  });

  test.each(["x", "-1", "1.5"])("list() refuses the cursor %s", async (cursor) => {
    await expect(new ConversationStore().list(undefined, cursor)).rejects.toThrow("Not a cursor");
  });

  test("SESS-26: reopen() throws -32002 for an unknown session", () => {
    expect(() => new ConversationStore().reopen("s", "/")).toThrow(
      expect.objectContaining({ wire: expect.objectContaining({ code: -32002 }) }),
    );
  });
});
