// Two user interfaces on one session of the hub.
import { describe, expect, onTestFinished, test } from "vitest";

import { ChatScreen, homeOf, ready } from "../support/terminal/chat-screen.ts";
import { countingAgent, createTestHub } from "./support/hub-programs.ts";

/** A terminal in which a call runs, and a way to open others in its session. */
async function startWork() {
  const hub = createTestHub({}, "node24", "state/acp/hub");
  const open = (...args: readonly string[]): ChatScreen => {
    const chat = new ChatScreen(args, { cwd: hub.cwd, env: homeOf(hub.cwd) });
    onTestFinished(() => chat.close());
    return chat;
  };
  const first = open("--hub", "--", process.execPath, countingAgent);
  await first.shows(ready);
  await first.say("work");
  await first.shows(/Work for ever[^]*Esc cancels/u);
  return { hub, first, join: () => open("--continue", "--", process.execPath, countingAgent) };
}

describe.runIf(process.platform === "linux")("a second terminal in a session of the hub (Linux: /proc)", () => {
  test("shows that a call runs, and cancels the turn of the first one by Esc", async () => {
    const { first, join } = await startWork();
    const second = join();
    expect(await second.shows(/Work for ever[^]*Esc cancels/u)).not.toMatch(/cancelled/iu);
    second.type("\u001B");
    await first.shows(/■ cancelled/iu);
    expect(await second.shows(ready)).toMatch(/■ Work for ever .*cancelled/u);
  });

  test("cancels the turn of the first one by Ctrl-C, and does not quit", async () => {
    const { first, join } = await startWork();
    const second = join();
    await second.shows(/Work for ever[^]*Esc cancels/u);
    second.type("\u0003");
    await first.shows(/■ cancelled/iu);
    await second.say("hello");
    await first.shows(/echo hello/u);
  });

  test("shows that a call never ended whose agent was killed", async () => {
    const { hub, first, join } = await startWork();
    for (const keeper of hub.keepers()) hub.kill(keeper);
    await first.shows(/keeper has died/u);
    const second = join();
    await second.shows(/✗ Work for ever .*failed[^]*Type a prompt/u);
  });
});
