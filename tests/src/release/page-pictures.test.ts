// The pictures of the page in the README and the guide. `npm run pictures` takes them.
import { statSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { agentProgram, temporaryDirectory } from "../support/main-job-programs.ts";
import { servePage, useBrowser } from "./page/open-page.ts";

const browser = useBrowser();
const pictures = [
  { name: "page-phone", colorScheme: "light", width: 390, height: 780 },
  { name: "page", colorScheme: "light", width: 1100, height: 900 },
] as const;

test("the page is shown with a session that asks before it changes a file, in pictures of less than 150 kB", async () => {
  using scratch = temporaryDirectory();
  const folder = process.env["PAGE_PICTURES"] ?? scratch.path;
  const agent = ["agents", "add", "sample", "--", process.execPath, agentProgram];
  const { url } = await servePage(["hub"], [], { setUp: agent });
  for (const { name, colorScheme, width, height } of pictures) {
    const { page, begin, say, question, complaints } = await browser.visit({
      colorScheme,
      viewport: { width, height },
    });
    const address = new URL(url);
    address.hash += "&agent=sample";
    await begin(address.href);
    await say("Fix the failing test");
    const asked = question("1 of 1");
    await asked.getByRole("button", { name: "Allow once" }).waitFor();
    // The prompt is the name of a session until the agent has one.
    expect(await page.locator("#sessions [aria-current=true]").textContent()).toBe("? Fix the failing test");
    // What it judges is in the picture.
    await asked.getByText("src/total.js").first().waitFor();
    // The end of the conversation is in view, and nothing moves any more.
    await page.locator(".call").last().scrollIntoViewIfNeeded();
    const path = join(folder, `${name}.png`);
    await page.screenshot({ path, animations: "disabled", caret: "hide" });
    expect([name, statSync(path).size < 150_000]).toEqual([name, true]);
    await asked.getByRole("button", { name: "Reject once" }).click();
    expect(complaints).toEqual([]);
  }
});
