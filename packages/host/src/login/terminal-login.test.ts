import { afterEach, expect, test, vi } from "vitest";

import type { Runtime } from "../runtime/runtime.ts";
import { fileTable } from "../testing/file-table.ts";
import { createTerminalLogin } from "./terminal-login.ts";

const unused: Runtime = {
  platform: "posix",
  caseInsensitivePaths: false,
  environment: () => ({}),
  spawn: () => Promise.reject(new Error("Not used")),
  startInForeground: () => Promise.reject(new Error("Not used")),
  files: fileTable({}).files,
};
const method = { type: "terminal", id: "term", name: "Terminal" } as const;

afterEach(() => void vi.useRealTimers());

test("terminalLogin() rejects when it is cancelled, whether or not the program is ended", async () => {
  vi.useFakeTimers();
  const stop = new AbortController();
  const reason = new Error("given up");
  const options = { launch: () => new Promise<never>(() => {}), signal: stop.signal };
  const login = createTerminalLogin(unused)(method, { command: "agent" }, options);
  const rejection = expect(login).rejects.toBe(reason);
  stop.abort(reason);
  await vi.advanceTimersByTimeAsync(4_000);
  await rejection;
  expect(vi.getTimerCount()).toBe(0);
});

test("terminalLogin() waits for the end of a program after a cancel", async () => {
  const stop = new AbortController();
  const reason = new Error("given up");
  let end: (exit: { exitCode: number }) => void = () => {};
  const options = {
    launch: () => new Promise<{ exitCode: number }>((resolve) => (end = resolve)),
    signal: stop.signal,
  };
  let isOver = false;
  const login = createTerminalLogin(unused)(method, { command: "agent" }, options).finally(() => (isOver = true));
  const rejection = expect(login).rejects.toBe(reason);
  stop.abort(reason);
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(isOver).toBe(false);
  end({ exitCode: 0 });
  await rejection;
});
