import { describe, expect, test } from "vitest";

import { createTestHub } from "./support/hub-programs.ts";

const numbers = Array.from({ length: 150 }, (_, index) => `${index + 1} `).join("");
/** Where processes are found by `/proc`. */
describe.runIf(process.platform === "linux")("acp attach (Linux: processes are found in /proc)", () => {
  test("a hub that is killed in mid turn comes back: nothing is lost or doubled, and the agent goes on", async () => {
    const { attach, cwd, hubProcess, kill } = createTestHub();
    const editor = await attach();
    const session = await editor.agent.newSession({ cwd });
    const turn = session.prompt("count 150");
    await expect.poll(() => editor.text()).toContain("20 ");

    kill(hubProcess());

    expect(await turn.response).toEqual({ stopReason: "end_turn" });
    expect(editor.text()).toBe(numbers);
    await session.prompt("again").response;
    expect(editor.text()).toBe(`${numbers}echo again`);
  });

  test("an editor that is killed in mid turn leaves the turn to its end, for the next one to load", async () => {
    const { attach, cwd, kill } = createTestHub();
    const editor = await attach();
    const session = await editor.agent.newSession({ cwd });
    session.prompt("count 150").response.catch(() => {});
    await expect.poll(() => editor.text()).toContain("20 ");
    kill(editor.agent.process.pid);

    const next = await attach();
    await next.agent.loadSession({ sessionId: session.id, cwd });

    await expect.poll(() => next.text()).toBe(numbers);
  });

  test("an agent that is killed fails its turn, and the next prompt opens the session again", async () => {
    const { attach, cwd, kill } = createTestHub();
    const editor = await attach();
    const session = await editor.agent.newSession({ cwd });
    await session.prompt("pid").response;
    const pid = Number(editor.text());
    const turn = session.prompt("hold");
    await expect.poll(() => editor.text()).toContain("holding");

    kill(pid);

    await expect(turn.response).rejects.toThrow(/SIGKILL|ended/u);
    expect(await session.prompt("again").response).toEqual({ stopReason: "end_turn" });
    expect(editor.text()).toContain("echo again");
  });

  test("a keeper that is killed ends its agent, and the turn ends as unknown; the next prompt goes on", async () => {
    const { attach, cwd, keepers, kill } = createTestHub();
    const editor = await attach();
    const session = await editor.agent.newSession({ cwd });
    const turn = session.prompt("hold");
    await expect.poll(() => editor.text()).toContain("holding");
    const [keeper] = keepers();

    kill(keeper!);

    await expect(turn.response).rejects.toThrow("unknown");
    expect(await session.prompt("again").response).toEqual({ stopReason: "end_turn" });
    expect(editor.text()).toContain("echo again");
  });

  test("a question reaches both editors; the first answer counts, and the other dialog closes", async () => {
    const { attach, cwd } = createTestHub();
    let withdrawn = 0;
    const asked = { first: 0, second: 0 };
    const first = await attach({
      "session/request_permission": (_params, { signal }) =>
        new Promise((resolve) => {
          asked.first += 1;
          signal.addEventListener("abort", () => {
            withdrawn += 1;
            resolve({ outcome: { outcome: "cancelled" } });
          });
        }),
    });
    const session = await first.agent.newSession({ cwd });
    let answer = (): void => {};
    const second = await attach({
      "session/request_permission": () =>
        new Promise((resolve) => {
          asked.second += 1;
          answer = () => resolve({ outcome: { outcome: "selected", optionId: "allow" } });
        }),
    });
    await second.agent.loadSession({ sessionId: session.id, cwd });
    const turn = session.prompt("ask");
    await expect.poll(() => asked).toEqual({ first: 1, second: 1 });

    answer();

    await turn.response;
    expect(first.text()).toBe("allow");
    await expect.poll(() => withdrawn).toBe(1);
  });

  test("a question outlives the hub: it is asked again, and its first dialog closes", async () => {
    const { attach, cwd, hubProcess, kill } = createTestHub();
    let withdrawn = 0;
    const answers: (() => void)[] = [];
    const editor = await attach({
      "session/request_permission": (_params, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            withdrawn += 1;
            resolve({ outcome: { outcome: "cancelled" } });
          });
          answers.push(() => resolve({ outcome: { outcome: "selected", optionId: "allow" } }));
        }),
    });
    const session = await editor.agent.newSession({ cwd });
    const turn = session.prompt("ask");
    await expect.poll(() => answers.length).toBe(1);

    kill(hubProcess());
    await expect.poll(() => answers.length).toBe(2);
    expect(withdrawn).toBe(1);
    answers[1]!();

    await turn.response;
    expect(editor.text()).toBe("allow");
  });

  test("what a terminal prints is shown as text of its call, to clients that do not run it", async () => {
    const { attach, cwd } = createTestHub();
    const editor = await attach();
    const session = await editor.agent.newSession({ cwd });

    await session.prompt("run").response;

    await expect
      .poll(() => JSON.stringify(editor.shown))
      .toContain("````console\\n$ echo '```' hello\\n``` hello\\n````");
    expect(JSON.stringify(editor.shown)).not.toContain('"terminal"');
  });
});
