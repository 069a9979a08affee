// What the page makes of texts: Markdown while it streams, and what is written to attack its user.
import { expect, test } from "vitest";

import { hostileTexts } from "./page/hostile-texts.ts";
import { pageAgent, servePage, useBrowser } from "./page/open-page.ts";

const browser = useBrowser();

test("Markdown streams into headings, lists, tables and code, and a link leads only to a page", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, begin, say, idle, overflow, lookAt, complaints } = await browser.visit();
  await begin(url);
  await say("markdown");
  await page.getByRole("log").getByText("The end.").waitFor();
  await idle();
  const answer = page.locator(".agent").last();
  expect(await answer.getByRole("heading", { name: "The plan" }).count()).toBe(1);
  expect(await answer.locator("ol > li").count()).toBe(2);
  expect(await answer.locator("ol li ul li").innerText()).toBe("nested");
  expect(await answer.getByRole("columnheader").allInnerTexts()).toEqual(["file", "lines"]);
  expect(await answer.locator("blockquote").innerText()).toBe("quoted");
  const code = await answer.locator("pre").allTextContents();
  expect(code.join("\n")).toContain('const line0 = "<b>0</b>";\nconst line1');
  expect(code.join("\n").match(/const line/gu)).toHaveLength(12);
  expect(await answer.locator("a").evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual([
    "https://example.com/a",
  ]);
  expect(await answer.innerText()).toContain("link (example.com)");
  expect(await answer.innerText()).toContain("trap (javascript:alert(1))");
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 780 });
    await lookAt(`markdown-${width}`);
    expect([width, await overflow()]).toEqual([width, 0]);
  }
  expect(complaints).toEqual([]);
});

test("hostile texts stay texts: nothing runs or hangs, nothing is asked of others, and the policy has nothing to report", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, begin, say, idle, overflow, lookAt, complaints } = await browser.visit();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).host));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ blockedURI, violatedDirective }) =>
      console.error(`policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  await begin(url);
  await say("hostile");
  await idle();
  await expect.poll(() => page.locator(".call").count()).toBe(hostileTexts.length);
  await page.locator(".call").evaluateAll((calls) => {
    for (const call of calls) call.setAttribute("open", "");
  });
  await lookAt("hostile");
  const log = page.getByRole("log");
  expect(await log.locator("img, script, svg, iframe, style, base, meta, form, object, embed").count()).toBe(0);
  const links = await log
    .locator("a")
    .evaluateAll((all) => all.map((link) => [(link as HTMLAnchorElement).protocol, link.getAttribute("rel")]));
  for (const link of links) expect(link).toEqual(["https:", "noopener noreferrer"]);
  expect(links.length).toBeGreaterThan(2);
  expect(await log.getByText("https://good.example (evil.example)").count()).toBe(1);
  expect(await log.innerText()).not.toMatch(/[\u202E\u2066]/u);
  expect(await page.evaluate(() => "ran" in window)).toBe(false);
  expect(await page.title()).toBe("acp");
  expect([...new Set(asked)]).toEqual([new URL(url).host]);
  expect(await overflow()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a picture of the agent is drawn only after a click, and never an SVG", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, begin, say, idle, complaints } = await browser.visit();
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  await begin(url);
  await say(`picture image/svg+xml ${Buffer.from("<svg onload='x'/>").toString("base64")}`);
  await idle();
  await say(`picture image/png ${pixel}`);
  await idle();
  expect(await page.locator(".timeline img").count()).toBe(0);
  await page.getByRole("button", { name: "Show the picture" }).click();
  expect(await page.locator(".timeline img").count()).toBe(1);
  expect(complaints).toEqual([]);
});
