import { expect, it, vi } from "vitest";
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

it("UnopenedSessionBuffer keeps what nobody opens for 30 seconds, again while a session opens, and then reports it", () => {
  vi.useFakeTimers();
  try {
    const lanes = new Lanes({
      handlers: { handle: () => expect.unreachable(), start: () => {} },
      calls: { isWaitingSince: () => false },
      dispatcher: { isOpen: () => false },
      updateThrottle: () => {},
    });
    const diagnostics: Diagnostic[] = [];
    let isOpening = true;
    const buffer = new UnopenedSessionBuffer(
      lanes,
      (diagnostic) => diagnostics.push(diagnostic),
      () => isOpening,
    );
    const params = { sessionId: "s" };
    lanes.notify({ method: "session/update", params, size: 10, isChecked: false });
    buffer.onQueued("s");
    vi.advanceTimersByTime(30_000);
    isOpening = false;
    vi.advanceTimersByTime(29_999);
    expect([buffer.ids(), diagnostics]).toEqual([["s"], []]);
    vi.advanceTimersByTime(1);
    expect(buffer.ids()).toEqual([]);
    expect(diagnostics).toMatchObject([{ type: "unclaimed-session", sessionId: "s", received: [params] }]);
  } finally {
    vi.useRealTimers();
  }
});
