import { expect, test } from "vitest";
import { ShownTerminals } from "./shown-terminals.ts";

const show = (terminals: ShownTerminals, id: number): number =>
  terminals.receive({
    toolCallId: `call ${id}`,
    status: "completed",
    content: [{ type: "terminal", terminalId: `terminal ${id}` }],
  });

test("remembers 10,000 terminals of a session, and drops more silently", () => {
  const terminals = new ShownTerminals();
  for (let id = 0; id < 9_999; id++) terminals.add(`terminal ${id}`);
  expect([show(terminals, 9_998), show(terminals, 9_999), show(terminals, 9_999)]).toEqual([0, 1, 0]);
  for (let id = 10_000; id < 10_005; id++) expect(show(terminals, id)).toBe(0);
});
