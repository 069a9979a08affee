// Commands that make a page: `acp doctor --html` and `acp hub logs --html`, opened in a real browser without a network.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { crash, say, update } from "@acp/testing";
import { describe, expect, test } from "vitest";

import { createTestHub } from "../../hub/support/hub-programs.ts";
import { clientProgram, referenceAgent, run, sampleProject } from "../../support/main-job-programs.ts";
import { scripted } from "../../support/scripted.ts";
import { filterBy, rows, StudioPages } from "./studio-pages.ts";

const pages = new StudioPages();
const markup = '</script><img src=x onerror="window.hit = 1"> \u202Eabc';

test("acp doctor --html makes a page of its messages, which only its user can read", async () => {
  using project = sampleProject();
  const out = join(pages.folder, "doctor.html");
  const options = ["--cwd", project.path, "--prompt", "Say hello", "--html", out];
  expect(await run([clientProgram, "doctor", ...options, ...referenceAgent])).toMatchObject({ code: 0 });
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const page = await pages.open(out);
  expect(await page.locator("#title").textContent()).toBe("doctor.html");
  await expect.poll(() => page.locator("#summary").textContent()).toMatch(/^\d+ messages · 1 session · nothing wrong/u);
  await filterBy(page, "method:prompt kind:result");
  await rows(page).first().click();
  await page.locator("#detail [role=tab]", { hasText: "Session" }).click();
  await expect.poll(() => page.locator("#detail .content").textContent()).toContain("Say hello");
});

test("acp doctor --html shows what an agent did before it crashed, its mistakes, and none of its secrets", async () => {
  const script = [update({ sessionUpdate: "tool_call", toolCallId: "t", title: markup, status: "running" }), crash()];
  const { words } = await scripted(script);
  const out = join(pages.folder, "crashed.html");
  const prompt = "Log in with Authorization: Bearer sk-ant-api03-abcdefghijklmnopqrstuvwxyz012345";
  const { code } = await run([clientProgram, "doctor", "--prompt", prompt, "--html", out, ...words]);
  expect(code).toBe(6);
  const page = await pages.open(out, "#q=wrong");
  await expect.poll(() => page.locator("#summary").textContent()).toMatch(/1 wrong · 1 never answered$/u);
  await rows(page).first().click();
  await expect.poll(() => page.locator("#detail .finding").textContent()).toContain("/update/status: expected one of");
  await filterBy(page, "open");
  await rows(page).first().click();
  await expect.poll(() => page.locator("#detail .content").textContent()).toContain("[redacted]");
  expect(await page.locator("#detail .content").textContent()).not.toContain("sk-ant-api03");
  expect(await page.evaluate(() => "hit" in window)).toBe(false);
  const whole = await run([clientProgram, "doctor", "--prompt", prompt, "--with-secrets", "--html", out, ...words]);
  expect(whole.code).toBe(6);
  const open = await pages.open(out, "#q=sk-ant-api03");
  await expect.poll(() => rows(open).count()).toBe(1);
  expect(await open.locator("#secrets").isVisible()).toBe(true);
});

test("a page that cannot be written is reported before an agent starts", async () => {
  const { agent, words } = await scripted([say("Hello")]);
  const { code, stderr } = await run([
    clientProgram,
    "doctor",
    "--html",
    join(pages.folder, "no/such/a.html"),
    ...words,
  ]);
  expect(code).toBe(2);
  expect(stderr).toContain("Give --html a file in a folder that you can write to");
  expect(agent.connections).toHaveLength(0);
});

describe.runIf(process.platform === "linux")("a session of a hub (Linux: processes are found in /proc)", () => {
  test("acp hub logs --html makes a page of the journal, also during a turn", async () => {
    const hub = createTestHub();
    let answer = (): void => {};
    const editor = await hub.attach({
      "session/request_permission": () =>
        new Promise((resolve) => {
          answer = () => resolve({ outcome: { outcome: "selected", optionId: "allow" } });
        }),
    });
    const session = await editor.agent.newSession({ cwd: hub.cwd });
    await session.prompt(markup).response;
    const turn = session.prompt("ask");
    const out = join(pages.folder, "hub.html");
    await expect
      .poll(async () => JSON.parse(await hub.acp("hub", "show", session.id, "--json")) as object)
      .toMatchObject({ questions: ["Delete everything"] });
    expect(await hub.acp("hub", "logs", session.id, "--html", out)).toBe("");
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const page = await pages.open(out, "#q=session/request_permission&d=session");
    await expect.poll(() => page.locator("#summary").textContent()).toContain(" 1 session · nothing wrong · ");
    await rows(page).first().click();
    const content = page.locator("#detail .content");
    await expect.poll(() => content.textContent()).toContain("A question that waits for the user");
    expect(await content.textContent()).toContain("Delete everything");
    expect(await content.textContent()).toContain("<img src=x");
    expect(await page.evaluate(() => "hit" in window)).toBe(false);
    answer();
    await turn.response;
    await hub.acp("hub", "stop", session.id);
    await hub.acp("hub", "logs", session.id, "--html", out);
    expect(readFileSync(out, "utf8")).not.toContain("<img src=x");
    const ended = await pages.open(out, "#q=open");
    await expect.poll(() => ended.locator("#summary").textContent()).toMatch(/ 1 session · nothing wrong$/u);
    const missing: unknown = await hub
      .acp("hub", "logs", session.id, "--html", join(hub.folder, "no/such/a.html"))
      .catch((error: unknown) => error);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("Give --html a file") });
  });
});
