import type { RecordedMessage } from "@acp/record";
import { expect, test } from "vitest";

import { compareAgents } from "./compare-agents.ts";

const entry = (direction: "sent" | "received", message: object): RecordedMessage => ({
  time: "2026-03-01T10:00:00.000Z",
  direction,
  message: { jsonrpc: "2.0", ...message },
});
const opening = entry("sent", { id: 0, method: "initialize", params: {} });
const chunk = (text: string, sessionId = "a"): RecordedMessage =>
  entry("received", {
    method: "session/update",
    params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
  });
const answer = (id: number, result: object): RecordedMessage => entry("received", { id, result });

test("compareAgents() takes ids, times and the borders of chunks for no difference", () => {
  const recorded = [
    opening,
    answer(0, { sessionId: "a" }),
    chunk("Hel"),
    chunk("lo"),
    answer(1, { updatedAt: "2026-03-01T10:00:00Z" }),
  ];
  const said = [answer(7, { sessionId: "b" }), chunk("Hello", "b"), answer(8, { updatedAt: "2027-03-01T10:00:00Z" })];
  expect(compareAgents(recorded, said)).toEqual({ lines: [], differences: 0 });
});

test("compareAgents() shows the differences, with a little context", () => {
  const same = Array.from({ length: 5 }, (_, index) => answer(index, { index }));
  const recorded = [opening, ...same, chunk("red"), answer(9, { stopReason: "end_turn" })];
  const said = [...same, chunk("blue"), answer(9, { stopReason: "end_turn" })];
  expect(compareAgents(recorded, said)).toEqual({
    lines: [
      "  … 3 the same",
      '  answer {"index":3}',
      '  answer {"index":4}',
      '- session/update agent_message_chunk "red"',
      '+ session/update agent_message_chunk "blue"',
      '  answer {"stopReason":"end_turn"}',
    ],
    differences: 2,
  });
  expect(compareAgents(recorded, said, { onlyKinds: true })).toEqual({ lines: [], differences: 0 });
});
