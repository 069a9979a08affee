import { deepStrictEqual as equal } from "node:assert";

import { type InteropCase, test } from "../interop-case.ts";
import type { Json } from "../json.ts";
import { blobResource, contentBlocks, updates } from "../../support/samples.ts";

/** Sends an update in a turn; the client must see it as it was. */
export function arrives(name: string, update: Json, only?: InteropCase["only"]): InteropCase {
  return {
    name,
    only,
    async run({ client, newSession, play }) {
      const sessionId = await newSession();
      const turn = await play(sessionId, [{ update }]);
      equal(turn.updates, [update]);
      equal(client.record.updatesOf(sessionId), [update]);
    },
  };
}

/** Every variant of `session/update` and every kind of content. */
export const updateCases: readonly InteropCase[] = [
  ...Object.entries(updates).map(([sessionUpdate, members]) =>
    arrives(`UPD-02: ${sessionUpdate} arrives whole`, { sessionUpdate, ...members }),
  ),
  ...Object.entries(contentBlocks).map(([type, content]) =>
    arrives(`CONT-01: ${type} in a message of the agent arrives whole`, {
      sessionUpdate: "agent_message_chunk",
      content,
    }),
  ),
  arrives("LIST-13: session_info_update clears a title with null", {
    sessionUpdate: "session_info_update",
    title: null,
    updatedAt: null,
  }),
  arrives("TOOL-05: tool_call_update with nothing but its id", {
    sessionUpdate: "tool_call_update",
    toolCallId: "call-1",
  }),
  arrives("TOOL-02: tool_call with what is required", { sessionUpdate: "tool_call", toolCallId: "c", title: "T" }),
  arrives(
    "NOTC-05: a notice of an unknown severity",
    {
      sessionUpdate: "notice",
      severity: "catastrophe",
      title: "Odd",
    },
    { agent: "official" },
  ),
  arrives(
    "a compaction of an unknown status",
    {
      sessionUpdate: "compaction_update",
      compactionId: "c",
      status: "dreaming",
    },
    { agent: "official" },
  ),
  ...Object.entries({ ...contentBlocks, "resource with a blob": blobResource }).map(([kind, block]) =>
    test(`CONT-01: ${kind} in a prompt arrives whole`, async ({ agentLog, newSession, play }) => {
      const sessionId = await newSession();
      await agentLog();
      await play(sessionId, [], { content: [block, block] });
      const [entry] = await agentLog();
      equal(entry?.params, { sessionId, prompt: [{ type: "text", text: "[]" }, block, block] });
    }),
  ),
  test("UPD-08: 500 updates of a turn arrive in order, before its answer", async ({ newSession, play }) => {
    const steps = Array.from({ length: 500 }, (_, index) => ({
      update: {
        sessionUpdate: index % 2 === 0 ? "agent_message_chunk" : "agent_thought_chunk",
        content: { type: "text", text: String(index) },
      },
    }));
    const turn = await play(await newSession(), steps);
    equal(
      turn.updates,
      steps.map(({ update }) => update),
    );
  }),
];
