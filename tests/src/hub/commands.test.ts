// `acp hub show`, `logs` and `compact`, beside a hub that works.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { createFileJournal, decodeEntry } from "@acp/hub";
import { describe, expect, onTestFinished, test } from "vitest";

import { clientProgram } from "../support/main-job-programs.ts";
import { createTestHub, type TestHub } from "./support/hub-programs.ts";

/** The exit code of a command that fails, and what it says. */
async function failing(hub: TestHub, ...args: readonly string[]): Promise<{ code: number; stderr: string }> {
  const refused: unknown = await hub.acp("hub", ...args).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Error);
  return refused as { code: number; stderr: string };
}

describe.runIf(process.platform === "linux")("a session of a hub (Linux: processes are found in /proc)", () => {
  test("is shown by acp hub show, with the question that waits", async () => {
    const hub = createTestHub();
    let answer = (): void => {};
    const editor = await hub.attach({
      "session/request_permission": () =>
        new Promise((resolve) => {
          answer = () => resolve({ outcome: { outcome: "selected", optionId: "allow" } });
        }),
    });
    const session = await editor.agent.newSession({ cwd: hub.cwd });
    await session.prompt("one").response;
    const turn = session.prompt("ask");
    const show = async (): Promise<object> => JSON.parse(await hub.acp("hub", "show", session.id, "--json")) as object;
    await expect.poll(show).toMatchObject({
      session: session.id,
      folder: hub.cwd,
      keeper: "runs",
      state: "requires_action",
      questions: ["Delete everything"],
      prompts: 2,
    });
    expect(await hub.acp("hub", "show", session.id)).toMatch(/^Questions\s+Delete everything$/mu);

    answer();
    await turn.response;
    await hub.acp("hub", "stop", session.id);
    expect(await show()).toMatchObject({
      keeper: "does not run on this machine",
      state: "idle, end_turn",
      questions: [],
    });
  });

  test("is printed by acp hub logs, as lines and as the entries of its journal", async () => {
    const hub = createTestHub();
    const editor = await hub.attach();
    const session = await editor.agent.newSession({ cwd: hub.cwd });
    await session.prompt("one\u001B[2Jtwo").response;

    const lines = (await hub.acp("hub", "logs", session.id)).trimEnd().split("\n");
    const words = lines.map((line) => line.slice(21).trimEnd());
    expect(words).toEqual([
      "opened    counting-agent 1.0.0",
      "prompt    onetwo (by test-editor)",
      "state     running (by test-editor)",
      expect.stringMatching(/^agent {5}echo one/u),
      "state     idle, end_turn (by test-editor)",
    ]);
    const json = (await hub.acp("hub", "logs", session.id, "--json")).trimEnd().split("\n");
    expect(json.map((line) => decodeEntry(line)?.t)).toEqual(["keeper", "message", "state", "update", "state"]);
    expect(json.join("")).not.toContain("\u001B");
  });

  test("is followed by acp hub logs --follow: each entry once, also over a compaction, until it is deleted", async () => {
    const hub = createTestHub();
    const editor = await hub.attach();
    const session = await editor.agent.newSession({ cwd: hub.cwd });
    await session.prompt("count 20").response;
    const words = [clientProgram, "hub", "logs", session.id, "--follow", "--json", "--folder", hub.folder];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill());
    const numbers: (number | undefined)[] = [];
    const texts: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => {
      numbers.push(decodeEntry(line)?.n);
      texts.push(line);
    });
    await expect.poll(() => texts.join("")).toContain('"end_turn"');

    await session.prompt("second").response;
    await expect.poll(() => texts.join("")).toContain("echo second");
    await hub.acp("hub", "stop", session.id);
    await hub.acp("hub", "compact", session.id);
    await session.prompt("third").response;
    await expect.poll(() => texts.join("")).toContain("echo third");
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));

    const ended = once(child, "exit");
    await hub.acp("hub", "delete", session.id);
    expect(await ended).toEqual([0, null]);
  });

  test("is shortened by acp hub compact once its keeper has ended, and shows the same", async () => {
    const hub = createTestHub();
    const editor = await hub.attach();
    const session = await editor.agent.newSession({ cwd: hub.cwd });
    await session.prompt("count 50").response;
    await session.prompt("last").response;
    const before = editor.text();
    const refused = await failing(hub, "compact", session.id);
    expect(refused.stderr).toContain(`acp hub stop ${session.id} ends its agent first`);
    await hub.acp("hub", "stop", session.id);

    const said = await hub.acp("hub", "compact", session.id);

    const [, entries, now] = /^(\d+) entries, now (\d+)$/mu.exec(said) ?? [];
    expect(Number(now)).toBeLessThan(Number(entries));
    expect(await hub.acp("hub", "compact", session.id)).toBe(`${now} entries, now ${now}\n`);
    const next = await hub.attach();
    const again = await next.agent.loadSession({ sessionId: session.id, cwd: hub.cwd });
    expect(next.text()).toBe(before);
    await again.prompt("more").response;
    expect(next.text()).toBe(`${before}echo more`);
  });
});

test.each(["show", "logs", "compact"])("acp hub %s says that there is no such session", async (command) => {
  const hub = createTestHub();
  for (const id of ["nobody", "../../etc"]) {
    const { code, stderr } = await failing(hub, command, id);
    expect(stderr).toContain(`The hub has no session ${id}`);
    expect(code).toBe(10);
  }
  expect((await failing(hub, command)).stderr).toContain("Name one session; acp hub ls lists them");
});

test("acp hub logs prints what it does not understand, and goes on behind it", async () => {
  const hub = createTestHub();
  const journal = createFileJournal(join(hub.folder, "sessions"));
  await journal.create("later", { agent: "counting", cwd: "/project" });
  const claim = await journal.claim("later", "test", 1000);
  if (claim === undefined || "heldBy" in claim) throw new Error("The session cannot be taken");
  const at = Date.UTC(2026, 0, 2, 3, 4, 5);
  const entries = [
    JSON.stringify({ n: 1, epoch: claim.epoch, at, t: "novelty", say: "\u202Ewhat" }),
    JSON.stringify({ n: 2, epoch: claim.epoch, at, t: "message", key: "k", prompt: [{ type: "image" }] }),
    JSON.stringify({ n: 3, epoch: claim.epoch, at: "no time", t: "notice", text: "never" }),
    JSON.stringify({ n: 4, epoch: claim.epoch, at, t: "notice", text: "on\nthe way" }),
  ];
  await journal.append([{ claim, from: 1, entries }]);
  await journal.close();

  const [first = "", broken, timeless, last] = (await hub.acp("hub", "logs", "later")).split("\n");
  expect(first).toMatch(/^ {21}\? {9}\{.*novelty.*what/u);
  expect(first).not.toContain("\u202E");
  expect(broken).toMatch(/^ {21}\? {9}\{"n":2,/u);
  expect(timeless).toMatch(/^ {21}\? {9}\{"n":3,/u);
  expect(last).toBe("2026-01-02 03:04:05  notice    on the way");
});
