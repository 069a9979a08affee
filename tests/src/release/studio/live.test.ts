// The page of a running connection, in a real browser, and messages that it sends to fresh agents.
import { join } from "node:path";

import { createClient } from "@acp/core";
import { spawnAgent } from "@acp/node";
import { expect, test } from "vitest";

import { clientProgram, referenceAgent, sampleProject } from "../../support/main-job-programs.ts";
import { findProblems } from "../browser/axe.ts";
import { filterBy, rows, StudioPages } from "./studio-pages.ts";

const pages = new StudioPages();

test("a page shows the messages of a running agent as they come, also after a reload", async () => {
  using project = sampleProject();
  let printed: (line: string) => void = () => {};
  const address = new Promise<string>((resolve) => (printed = resolve));
  const [, command = "", ...args] = referenceAgent;
  const connected = await spawnAgent(createClient({ info: { name: "editor", version: "1" } }), {
    command: process.execPath,
    args: [clientProgram, "inspect", "--web", "--log", join(pages.folder, "live.log"), "--", command, ...args],
    onStderr: printed,
  });
  const context = await pages.browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  pages.watch(page);
  await page.goto((await address).replace(/^.* at /u, ""));
  const summary = page.locator("#summary");
  await expect.poll(() => summary.textContent()).toBe("2 messages · 0 sessions · nothing wrong · live");
  expect(page.url()).not.toContain("token");
  const session = await connected.newSession({ cwd: project.path });
  await session.prompt("What do you do?").response;
  await filterBy(page, "kind:result method:prompt");
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.reload();
  await expect.poll(() => rows(page).count()).toBe(1);
  await session.prompt("And now?").response;
  await expect.poll(() => rows(page).count()).toBe(2);
  await rows(page).last().click();
  await expect.poll(() => page.locator("#detail .content").textContent()).toContain("stopReason");
  // An edited message goes to another process of the agent, once for each click.
  await filterBy(page, "kind:request method:prompt");
  await expect.poll(() => rows(page).last().textContent()).toContain("And now?");
  await rows(page).last().click();
  await page.keyboard.press("e");
  const field = page.locator(".resend textarea");
  await expect.poll(() => field.inputValue()).toContain("And now?");
  expect(await page.locator(".resend pre").textContent()).toContain(args.at(-1));
  expect(await page.locator(".resend fieldset label").allTextContents()).toEqual([
    " message 1, initialize",
    " message 3, session/new",
    expect.stringMatching(/^ message \d+, session\/prompt$/u),
  ]);
  const before = await summary.textContent();
  await field.fill((await field.inputValue()).replace("And now?", "Something else?"));
  await page.locator(".resend button", { hasText: "Send to a fresh agent" }).click();
  const status = page.locator(".resend [role=status]");
  await expect.poll(() => status.textContent()).toBe("It is over: it was answered.");
  const [then, now] = await page.locator(".resend .sides section").allTextContents();
  expect(then).toContain("session/prompt result");
  expect(now).toMatch(/initialize.*session\/new.*session\/prompt.*session\/prompt result/u);
  // The connection that is inspected goes on without it.
  expect(await summary.textContent()).toBe(before);
  expect(await findProblems(page, "send again")).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  const shots = process.env["STUDIO_SHOTS"];
  if (shots !== undefined) await page.screenshot({ path: join(shots, "send-again.png") });
  await connected.close();
  await expect.poll(() => summary.textContent()).toContain("the connection has ended");
});
