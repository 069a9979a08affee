import { expect, it } from "vitest";
import { Lanes } from "../../rpc/lanes.ts";
import type { Diagnostic } from "../../base/diagnostics.ts";
import { UnopenedSessionBuffer } from "./unopened-session-buffer.ts";

it("UnopenedSessionBuffer reports nothing that came for a session which had ended before it was delivered to", async () => {
  const handled: string[] = [];
  const lanes = new Lanes({
    handlers: { handle: ({ method }) => void handled.push(method), start: () => {} },
    calls: { isWaitingSince: () => false },
    dispatcher: {},
    updateThrottle: () => {},
  });
  const diagnostics: Diagnostic[] = [];
  const buffer = new UnopenedSessionBuffer(
    lanes,
    (diagnostic) => diagnostics.push(diagnostic),
    () => false,
  );
  await new Promise<void>((resolve) => {
    buffer.releaseSoon("s", resolve);
    lanes.notify({ method: "session/update", params: { sessionId: "s" }, size: 10, isChecked: false });
    buffer.onQueued("s");
  });
  buffer.end();
  expect(handled).toEqual(["session/update"]);
  expect(diagnostics).toEqual([]);
});
