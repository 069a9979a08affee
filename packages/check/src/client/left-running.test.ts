import { spawn } from "node:child_process";
import process from "node:process";

import { fakeAgent } from "@acp/testing";
import { agentCommand, type FakeProcess } from "@acp/testing/process";
import { describe, expect, onTestFinished, test } from "vitest";

import { isLeftRunning } from "./left-running.ts";

/** Starts an agent that stays when its stdin ends. */
async function startAgent(ignoresSignals = false): Promise<FakeProcess> {
  const command = await agentCommand(fakeAgent([], { onInputEnd: "stay" }), { ignoresSignals });
  const child = spawn(command.command, command.args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await command.close();
  });
  return command.started();
}

/** Sends a signal, and sees that it is delivered before anything is told of it. */
function signal({ pid }: FakeProcess, name: "SIGTERM" | "SIGKILL"): void {
  process.kill(pid, name);
  // Nothing is read meanwhile.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
}

describe("an agent whose client has just ended", () => {
  test("is left running if nothing has told it to end", async () => {
    expect(await isLeftRunning(await startAgent(), false)).toBe(true);
  });

  test("is not, if it got a signal of which it has not told yet", async () => {
    const agent = await startAgent();
    signal(agent, "SIGTERM");
    expect(agent.signals).toEqual([]);
    expect(await isLeftRunning(agent, false)).toBe(false);
  });

  test("is left running if it ignores the signal, and not if it was killed", async () => {
    const agent = await startAgent(true);
    signal(agent, "SIGTERM");
    expect(await isLeftRunning(agent, true)).toBe(true);
    signal(agent, "SIGKILL");
    expect(await isLeftRunning(agent, true)).toBe(false);
  });
});
