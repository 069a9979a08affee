// The page with a session of 50,000 updates.
import { expect, test } from "vitest";

import { pageAgent, servePage, useBrowser } from "./page/open-page.ts";

const browser = useBrowser();
const updates = 50_000;
/** Each tenth update is a call; the nine that follow are one message. */
const items = 1 + updates / 5;

test("50,000 updates come to their end, a part of them is drawn, and earlier ones come when they are asked for", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, begin, say, idle, overflow, complaints } = await browser.visit();
  await begin(url);
  await say(`flood ${updates}`);
  await page
    .getByRole("log")
    .getByText(`word ${updates - 1} of a`)
    .waitFor({ timeout: 0 });
  await idle();
  const drawn = page.getByRole("log").locator(".item");
  const count = await drawn.count();
  expect(count).toBeLessThanOrEqual(120);
  await page.getByRole("button", { name: `Show earlier: ${(items - count).toLocaleString("en")} more` }).click();
  await expect.poll(() => drawn.count()).toBe(count + 60);
  // What the user reads stays in view.
  expect(await page.getByRole("log").evaluate((log) => log.scrollTop)).toBeGreaterThan(100);
  expect(await overflow()).toBe(0);
  expect(complaints).toEqual([]);
});

test("what comes while the page is hidden is there when its user comes back", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, begin, say, idle } = await browser.visit();
  await begin(url);
  const hide = (isHidden: boolean): Promise<void> =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  await say("wait");
  await page.getByRole("log").getByText("I wait.").waitFor();
  await hide(true);
  await say("markdown");
  await page.getByRole("button", { name: "Stop" }).click();
  await hide(false);
  await page.getByRole("log").getByText("The end.").waitFor();
  await idle();
});
