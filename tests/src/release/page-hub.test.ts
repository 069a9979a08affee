// The page with a hub: several people in one session, and a hub that dies in mid turn.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { agentProgram } from "../support/main-job-programs.ts";
import { servePage, useBrowser } from "./page/open-page.ts";

const browser = useBrowser();
const token = "a-token-that-nobody-guesses";
const hub = ["hub", "--token", token, "--idle", "0.1"];
const setUp = ["agents", "add", "sample", "--", process.execPath, agentProgram, "--pace", "20"];

test("two browsers in one session both see it, and either answers its question", async () => {
  const { url, cwd } = await servePage(hub, [], { setUp });
  const [ada, bob] = await Promise.all([browser.visit(), browser.visit({ viewport: { width: 1280, height: 780 } })]);
  await ada.begin(`${url}#token=${token}&agent=sample`);
  const session = new URLSearchParams(new URL(ada.page.url()).hash.slice(1)).get("session");
  await bob.page.goto(`${url}#token=${token}&agent=sample&session=${session}`);
  await bob.page.getByLabel("Prompt").waitFor();
  await ada.say("Fix the failing test");
  await ada.question("1 of 1").waitFor();
  await bob.lookAt("hub-second-browser");
  await bob.question("1 of 1").getByRole("button", { name: "Allow once" }).click();
  await ada.question("1 of 1").waitFor({ state: "detached" });
  for (const { page, idle } of [ada, bob]) {
    await page.getByRole("log").getByText("all tests pass now").waitFor();
    await idle();
    expect(await page.locator(".user > div").allInnerTexts()).toEqual(["Fix the failing test"]);
  }
  const texts = ({ page }: typeof ada): Promise<string[]> => page.locator(".agent .markdown").allInnerTexts();
  expect(await texts(bob)).toEqual(await texts(ada));
  expect(readFileSync(join(cwd, "src/total.js"), "utf8")).toContain("index = 0");
  expect([...ada.complaints, ...bob.complaints]).toEqual([]);
});

test("a hub that is killed in mid turn and comes back loses nothing, and what was there stays on the page", async () => {
  const first = await servePage(hub, [], { setUp });
  const { page, begin, say, question, idle } = await browser.visit();
  await begin(`${first.url}#token=${token}&agent=sample`);
  await say("Fix the failing test");
  await page.locator(".call").first().waitFor();
  const item = await page.locator(".user").elementHandle();
  first.program.child.kill("SIGKILL");
  const { port } = new URL(first.url);
  await servePage(hub, [], { port, home: first.home, cwd: first.cwd });
  await question("1 of 1").getByRole("button", { name: "Allow once" }).click();
  await page.getByRole("log").getByText("all tests pass now").waitFor();
  await idle();
  expect(await page.locator(".user > div").allInnerTexts()).toEqual(["Fix the failing test"]);
  expect(await item?.evaluate((element) => element.isConnected)).toBe(true);
  await expect.poll(() => readFileSync(join(first.cwd, "src/total.js"), "utf8")).toContain("index = 0");
});
