import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createFileJournal } from "@acp/hub";
import { describe, expect, onTestFinished, test } from "vitest";

import { createTestHub } from "./support/hub-programs.ts";

const countTo = (end: number): string => Array.from({ length: end }, (_, index) => `${index + 1} `).join("");
const isThorough = process.env["THOROUGH"] !== undefined;
const forgetfulAgent = fileURLToPath(new URL("../../dist/hub/support/forgetful-agent.js", import.meta.url));

/** Where processes are found by `/proc`. */
describe.runIf(process.platform === "linux")("a hub (Linux: processes are found in /proc)", () => {
  test("that is ended in order in mid turn leaves the turn to the next one, for both of its clients", async () => {
    const { attach, cwd, hubProcess, hubProcesses, kill } = createTestHub();
    const first = await attach();
    const session = await first.agent.newSession({ cwd });
    const second = await attach();
    await second.agent.loadSession({ sessionId: session.id, cwd });
    const turn = session.prompt("count 150");
    await expect.poll(() => first.text()).toContain("20 ");
    const before = hubProcess();

    kill(before, "SIGTERM");

    expect(await turn.response).toEqual({ stopReason: "end_turn" });
    expect(first.text()).toBe(countTo(150));
    await expect.poll(() => second.text()).toBe(countTo(150));
    expect(hubProcesses()).not.toContain(before);
  });

  test("is started once, however many clients come at the same moment", async () => {
    for (let time = 0; time < (isThorough ? 20 : 3); time++) {
      const { attach, cwd, hubProcesses } = createTestHub();
      const clients = await Promise.all([attach(), attach()]);
      const [first, second] = await Promise.all(clients.map(({ agent }) => agent.newSession({ cwd })));
      await Promise.all([first!.prompt("one").response, second!.prompt("two").response]);
      expect(clients.map((client) => client.text())).toEqual(["echo one", "echo two"]);
      await expect.poll(() => hubProcesses().length).toBe(1);
    }
  });
});

describe.runIf(process.platform === "linux")("a keeper (Linux: processes are found in /proc)", () => {
  test("that is frozen and woken goes on where it was: nothing is lost or doubled", async () => {
    const { attach, cwd, keepers, kill } = createTestHub();
    const editor = await attach();
    const session = await editor.agent.newSession({ cwd });
    const [keeper] = keepers();
    for (const end of [800, 820]) {
      const before = editor.text();
      const turn = session.prompt(`count ${end}`);
      await expect.poll(() => editor.text().slice(before.length)).toContain("20 ");
      kill(keeper!, "SIGSTOP");
      // The agent goes on, into its pipe.
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect(editor.text().slice(before.length)).not.toContain(`${end} `);
      kill(keeper!, "SIGCONT");
      expect(await turn.response).toEqual({ stopReason: "end_turn" });
      expect(editor.text().slice(before.length)).toBe(countTo(end));
    }
  });

  test("that stays frozen is ended by acp hub stop --force, with its agent, and the next prompt goes on", async () => {
    const { acp, attach, cwd, keepers, kill } = createTestHub();
    const editor = await attach();
    const session = await editor.agent.newSession({ cwd });
    await session.prompt("pid").response;
    const agent = Number(editor.text());
    const turn = session.prompt("hold");
    await expect.poll(() => editor.text()).toContain("holding");
    kill(keepers()[0]!, "SIGSTOP");

    await acp("hub", "stop", session.id, "--force");

    await expect(turn.response).rejects.toThrow("unknown");
    await expect.poll(() => isAlive(agent)).toBe(false);
    expect(await session.prompt("again").response).toEqual({ stopReason: "end_turn" });
    expect(editor.text()).toContain("echo again");
  });

  test("whose disk is full pauses the turn, and goes on when there is room (needs the right to mount)", async ({
    skip,
  }) => {
    const { attach, cwd, folder } = createTestHub();
    const sessions = join(folder, "sessions");
    mkdirSync(sessions, { recursive: true });
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", sessions], { stdio: "ignore" });
    } catch {
      skip("This machine does not let the test mount a file system");
    }
    onTestFinished(() => void execFileSync("umount", ["-l", sessions]));
    const editor = await attach();
    const session = await editor.agent.newSession({ cwd });
    const turn = session.prompt("count 300");
    await expect.poll(() => editor.text()).toContain("20 ");

    fill(join(sessions, "filler"));
    const entries = (): number => sizeOf(sessions);
    await expect.poll(async () => await isStill(entries)).toBe(true);
    expect(editor.text()).not.toContain("300 ");
    rmSync(join(sessions, "filler"));

    expect(await turn.response).toEqual({ stopReason: "end_turn" });
    expect(editor.text()).toBe(countTo(300));
  });
});

describe.runIf(process.platform === "linux")("an agent (Linux: processes are found in /proc)", () => {
  test("that cannot open a session again: a prompt fails and says so, and the history can be read", async () => {
    const { acp, attach, cwd } = createTestHub();
    const command = [process.execPath, forgetfulAgent];
    const editor = await attach({}, command);
    const session = await editor.agent.newSession({ cwd });
    await session.prompt("this").response;

    await acp("hub", "stop", session.id);

    await expect(session.prompt("more").response).rejects.toThrow(
      "cannot open its earlier sessions again: start a new session",
    );
    const next = await attach({}, command);
    await next.agent.loadSession({ sessionId: session.id, cwd });
    expect(next.text()).toBe("heard this");
  });
});

describe.runIf(process.platform === "linux")("a question (Linux: processes are found in /proc)", () => {
  test("that two answer at the same moment has one answer, each time", { timeout: 900_000 }, async () => {
    const races = isThorough ? 10_000 : 300;
    const { attach, cwd } = createTestHub();
    const answering = (optionId: string) => ({
      "session/request_permission": () => ({ outcome: { outcome: "selected" as const, optionId } }),
    });
    const first = await attach(answering("allow"));
    const session = await first.agent.newSession({ cwd });
    const second = await attach(answering("reject"));
    await second.agent.loadSession({ sessionId: session.id, cwd });

    const response = await session.prompt(`races ${races}`).response;

    expect(response).toEqual({ stopReason: "end_turn" });
    const answers = first.text().trim().split(" ");
    expect(answers).toHaveLength(races);
    expect(new Set(answers)).toEqual(new Set(["allow", "reject"]));
    await expect.poll(() => second.text()).toBe(first.text());
  });
});

test("acp hub ls lists thousands of sessions", async () => {
  const { acp, folder } = createTestHub();
  const journal = createFileJournal(join(folder, "sessions"));
  const count = isThorough ? 10_000 : 2000;
  for (let number = 0; number < count; number++)
    await journal.create(`session-${number}`, { agent: "counting", cwd: "/project" });
  await journal.close();

  const { sessions } = JSON.parse(await acp("hub", "ls", "--json")) as { sessions: { session: string }[] };
  expect(new Set(sessions.map(({ session }) => session)).size).toBe(count);
  expect((await acp("hub", "ls")).trim().split("\n")).toHaveLength(count);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Writes until nothing fits any more. */
function fill(path: string): void {
  for (let size = 2 ** 20; size >= 1; size = Math.floor(size / 2)) {
    for (;;) {
      try {
        writeFileSync(path, "x".repeat(size), { flag: "a" });
      } catch {
        break;
      }
    }
  }
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => {
    return sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0);
  }, 0);
}

/** Whether a number stays the same for a second. */
async function isStill(measure: () => number): Promise<boolean> {
  const before = measure();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return measure() === before;
}
