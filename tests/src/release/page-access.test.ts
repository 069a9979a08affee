// The page for everybody: by keyboard, with a screen reader, on a phone, in both themes.
import { expect, test } from "vitest";

import { findProblems } from "./browser/axe.ts";
import { pageAgent, servePage, useBrowser } from "./page/open-page.ts";

const browser = useBrowser();

test("axe finds nothing, on phone and desk, light and dark: a turn that runs, questions, a form, a conversation", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, begin, say, idle, question } = await browser.visit();
  await begin(url);
  const found: string[] = [];
  await say("markdown");
  await idle();
  await say("terminal");
  await idle();
  await say("settings");
  await idle();
  found.push(...(await findProblems(page, "conversation")));
  await say("wait");
  await page.getByRole("log").getByText("I wait.").waitFor();
  await say("next");
  found.push(...(await findProblems(page, "running")));
  await page.getByRole("button", { name: "Stop" }).click();
  await idle();
  await say("two");
  await question("2 of 2").waitFor();
  found.push(...(await findProblems(page, "questions")));
  await question("1 of 2").getByRole("button", { name: "Allow once" }).click();
  await question("1 of 1").getByRole("button", { name: "Allow once" }).click();
  await idle();
  await say("form");
  await question("1 of 1").getByRole("button", { name: "Send" }).click();
  found.push(...(await findProblems(page, "form")));
  expect(found).toEqual([]);
});

test("everything works by keyboard, the drawer closes with Escape, and a growing text is not announced piece by piece", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, context, lookAt } = await browser.visit();
  await page.goto(url);
  const drawer = page.getByRole("button", { name: "Sessions" });
  await page.getByRole("button", { name: "New session" }).waitFor();
  await drawer.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("navigation", { name: "Sessions" }).waitFor();
  await lookAt("drawer");
  await page.keyboard.press("Escape");
  await page.getByRole("navigation", { name: "Sessions" }).waitFor({ state: "hidden" });
  expect(await drawer.evaluate((button) => button === document.activeElement)).toBe(true);
  const begins = (): Promise<boolean> => page.evaluate(() => document.activeElement?.textContent === "New session");
  await expect.poll(() => page.keyboard.press("Tab").then(begins)).toBe(true);
  await page.keyboard.press("Enter");
  const prompt = page.getByLabel("Prompt");
  await prompt.waitFor();
  const focused = (name: string): Promise<boolean> =>
    page.evaluate((label) => document.activeElement?.getAttribute("aria-label") === label, name);
  await expect.poll(() => page.keyboard.press("Tab").then(() => focused("Prompt"))).toBe(true);
  await page.keyboard.type("permission");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  const said = page.locator("main [role=status]");
  await expect.poll(() => said.innerText()).toBe("The agent asks a question.");
  await expect
    .poll(() => page.keyboard.press("Shift+Tab").then(() => focused("What the agent asks for: 1 of 1")))
    .toBe(true);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => said.innerText()).toContain("The agent has finished.");
  expect(await page.getByRole("log").getAttribute("aria-live")).toBe("off");
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  await context.close();
});
