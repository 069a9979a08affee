// What the page makes of texts: Markdown while it streams, and what is written to attack its user.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { hostileQuestions, hostileTexts } from "./page/hostile-texts.ts";
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

test("a hostile question shows all that its user judges, as text, and its buttons say what they answer", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, begin, say, idle, question, overflow, lookAt, complaints } = await browser.visit();
  await begin(url);
  for (const [index, { seen }] of hostileQuestions.entries()) {
    await say(`ask ${index}`);
    const asked = question("1 of 1");
    await asked.getByRole("button", { name: "Always allow" }).waitFor();
    const facts = asked.getByRole("region", { name: "What the agent asks for" });
    // The text that is laid out, so nothing of it is hidden, in one line: long lines wrap.
    const shown = (await facts.innerText()).replaceAll(/\s+/gu, " ");
    for (const part of seen)
      expect([index, part.slice(0, 60), shown.includes(part.replaceAll(/\s+/gu, " "))]).toEqual([
        index,
        part.slice(0, 60),
        true,
      ]);
    expect(shown).not.toMatch(/\p{Cc}|\p{Cf}/u);
    // Nothing but texts, in view or in reach of scrolling.
    expect(await facts.locator("*:not(div)").count()).toBe(0);
    const place = await facts.evaluate(({ scrollWidth, clientWidth, clientHeight }) => ({
      beside: scrollWidth - clientWidth,
      isTall: clientHeight > 100,
    }));
    expect(place).toEqual({ beside: 0, isTall: true });
    const buttons = asked.locator(".answers").getByRole("button");
    expect(await buttons.allInnerTexts()).toEqual([
      "Reject once <U+202E>Allow<U+2066> <button>once</button>1",
      "Always allow Reject2",
      "No answer",
    ]);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 780 });
      if (index !== 1) await lookAt(`hostile-question-${index}-${width}`);
      expect([width, await overflow()]).toEqual([width, 0]);
      // They are never pushed out of view by what the agent wrote.
      expect(await buttons.first().evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight)).toBe(
        true,
      );
    }
    await buttons.first().click();
    await idle();
    expect(JSON.parse((await page.locator(".agent .markdown").last().textContent()) ?? "")).toEqual({
      outcome: { outcome: "selected", optionId: "<b>no</b>" },
    });
  }
  expect(await page.evaluate(() => "ran" in window)).toBe(false);
  expect(await page.title()).toBe("acp");
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

test("a command in a terminal that the server lends shows what it prints while it runs, and how it ended", async () => {
  const { url, cwd } = await servePage(["serve", "--terminals"], pageAgent);
  const { page, begin, say, idle, question, lookAt, complaints } = await browser.visit();
  await begin(url);
  await say("lent echo started; while [ ! -e go ]; do sleep 0.1; done; printf '\\033[32mgone\\033[0m\\n'; exit 3");
  await question("1 of 1").getByRole("button", { name: "Allow once" }).click();
  const call = page.locator(".call", { hasText: "Run it" });
  await call.locator(".terminal", { hasText: "started" }).waitFor();
  expect(await call.innerText()).not.toContain("gone");
  writeFileSync(join(cwd, "go"), "");
  await idle();
  await call.locator("summary", { hasText: "completed" }).filter({ hasText: "exit code 3" }).waitFor();
  await call.evaluate((details) => details.setAttribute("open", ""));
  expect((await call.locator(".terminal").innerText()).trim()).toBe("started\ngone");
  await lookAt("lent-terminal");
  expect(complaints).toEqual([]);
});

test("a command that prints without end does not fill the page: it says that some of it is left out", async () => {
  const { url } = await servePage(["serve", "--terminals", "--yes"], pageAgent);
  const { page, begin, say, idle, complaints } = await browser.visit();
  await begin(url);
  await say("lent yes 'a line of it' | head -c 30000000");
  const call = page.locator(".call", { hasText: "Run it" });
  await call.locator("summary", { hasText: "completed" }).waitFor();
  await idle();
  await call.evaluate((details) => details.setAttribute("open", ""));
  await call.locator(".terminal", { hasText: "More output is not shown here." }).waitFor();
  expect((await call.locator(".terminal").innerText()).length).toBeLessThan(40_000);
  expect(complaints).toEqual([]);
});
