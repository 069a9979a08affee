// The page of `acp check` in a real browser, opened from a file and without a network, and its JUnit in that browser's parser of XML.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { type CheckReport, formatReport, judgeReport, reportPage } from "@acp/check";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { hostileReport } from "../check/hostile-report.ts";
import { clientProgram, run } from "../support/main-job-programs.ts";
import { findProblems } from "./browser/axe.ts";
import { launchChromium } from "./browser/chromium.ts";

const { report, verdict } = hostileReport();
const folder = mkdtempSync(join(tmpdir(), "acp-check-report-"));
const file = join(folder, "report.html");
let browser: Browser;
beforeAll(async () => {
  writeFileSync(file, formatReport("html", report, verdict));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

test.each([
  [390, "light"],
  [390, "dark"],
  [1280, "light"],
  [1280, "dark"],
] as const)("the page fits %i pixels in the %s theme, and nothing of a message runs", async (width, colorScheme) => {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, offline: true });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => complaints.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  for (const heading of await page.locator("summary").all()) await heading.click();
  const seen = await page.evaluate(() => {
    const lightness = (color: string): number => Math.max(...(color.match(/\d+/gu) ?? []).slice(0, 3).map(Number));
    const { color } = getComputedStyle(document.body);
    return {
      isHacked: "hacked" in globalThis,
      width: document.documentElement.scrollWidth,
      embedded: document.querySelectorAll("script, img, iframe, b").length,
      links: [...document.links].filter(({ href }) => href.includes("evil")).length,
      isTurned: document.body.textContent.includes("\u202E"),
      theme: lightness(color) > 127 ? "dark" : "light",
    };
  });
  expect(seen).toEqual({ isHacked: false, width, embedded: 0, links: 0, isTurned: false, theme: colorScheme });
  expect(complaints).toEqual([pathToFileURL(file).href]);
  await context.close();
});

test("its words for problems can be read in both themes", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await browser.newPage({ colorScheme });
    await page.goto(pathToFileURL(file).href);
    const worst = await page.evaluate(() => {
      const luminance = ([r = 0, g = 0, b = 0]: readonly number[]): number => {
        const part = (value: number): number =>
          value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
        return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
      };
      const numbers = (color: string): readonly number[] => (color.match(/[\d.]+/gu) ?? []).map(Number);
      const canvas = document.body.appendChild(document.createElement("div"));
      canvas.style.background = "Canvas";
      const empty = numbers(getComputedStyle(canvas).backgroundColor);
      const behind = (element: Element | null): readonly number[] => {
        if (element === null) return empty;
        const color = numbers(getComputedStyle(element).backgroundColor);
        return color[3] === 0 ? behind(element.parentElement) : color;
      };
      const contrasts = [...document.querySelectorAll("body *")]
        .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()))
        .map((element) => {
          const both = [luminance(numbers(getComputedStyle(element).color)), luminance(behind(element))];
          return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
        });
      return Math.min(...contrasts);
    });
    expect(worst, colorScheme).toBeGreaterThanOrEqual(4.5);
    await page.close();
  }
});

test("JUnit is well-formed XML", async () => {
  const page = await browser.newPage();
  const found = await page.evaluate(
    (xml) => {
      const parsed = new DOMParser().parseFromString(xml, "application/xml");
      return [parsed.querySelectorAll("parsererror").length, parsed.querySelectorAll("testcase").length];
    },
    formatReport("junit", report, verdict),
  );
  expect(found).toEqual([0, 10]);
});

/** Opens a page from a file, without a network; what it complains about fails the test. */
async function openFile(page: string, hash = ""): Promise<{ readonly page: Page; readonly complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, offline: true });
  const opened = await context.newPage();
  const complaints: string[] = [];
  opened.on("console", (message) => complaints.push(message.text()));
  opened.on("pageerror", (error) => complaints.push(error.message));
  opened.on("request", (request) => {
    if (!/^(?:file|data):/u.test(request.url())) complaints.push(request.url());
  });
  await opened.goto(`${pathToFileURL(page).href}${hash}`);
  await opened.waitForSelector("body[data-ready]");
  return { page: opened, complaints };
}

/** Takes a picture, for a person who sets the variable `STUDIO_SHOTS` to a folder. */
async function lookAt(page: Page, name: string): Promise<void> {
  const shots = process.env["STUDIO_SHOTS"];
  if (shots !== undefined) await page.screenshot({ path: join(shots, `check-${name}.png`) });
}

/** An agent that answers what it does not know, and ends its turns with a word of its own. */
const mistaken = `import { createInterface } from "node:readline";
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const results = { initialize: { protocolVersion: 1 }, "session/new": { sessionId: "s" }, "session/prompt": { stopReason: "done" } };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (method === "session/prompt")
    send({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "tool_call", toolCallId: "t", title: "T", status: "running" } } });
  if (id !== undefined && method !== undefined) send({ id, result: results[method] ?? {} });
}`;

test("acp check --out report.html opens the messages of a failed check in the studio, and comes back", async () => {
  const program = join(folder, "agent.mjs");
  writeFileSync(program, mistaken);
  const out = join(folder, "check.html");
  const only = ["--only", "answers-initialize,unknown-method,messages-are-valid,turn-ends-with-a-reason"];
  const options = [...only, "--out", out, "--format", "json"];
  const ended = await run([clientProgram, "check", ...options, "--", process.execPath, program]);
  expect(ended.code).toBe(1);
  const { results } = JSON.parse(ended.stdout) as CheckReport;
  const failed = results.filter(({ status, exchanged }) => /fail|flaky|error/u.test(status) && exchanged.length > 0);
  expect(failed.length).toBeGreaterThan(1);
  const { page, complaints } = await openFile(out);
  const links = page.locator("#front a", { hasText: "open them in the studio" });
  expect(await links.count()).toBe(failed.length);
  expect(await page.locator("#list").isVisible()).toBe(false);
  await page.keyboard.press("j");
  expect(new URL(page.url()).hash).toBe("");
  await lookAt(page, "report");
  expect(await findProblems(page, "report")).toEqual([]);
  for (const place of [0, 1]) {
    const { id, exchanged } = failed[place]!;
    await links.nth(place).click();
    await expect.poll(() => page.locator("#title").textContent()).toContain(`${id}: `);
    await expect.poll(() => page.locator("#summary").textContent()).toContain(`${exchanged.length} message`);
    expect(await page.locator("#front").isVisible()).toBe(false);
    await page.locator("#list .row").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect.poll(() => page.url()).toContain(`#t=${encodeURIComponent(id)}&m=2`);
    await expect.poll(() => page.locator("#detail .content").textContent()).not.toBe("");
    await lookAt(page, `trace-${place}`);
    expect(await findProblems(page, "trace")).toEqual([]);
    await page.locator("#back").click();
    await expect.poll(() => page.locator("#front").isVisible()).toBe(true);
    expect(await page.locator("#list").isVisible()).toBe(false);
  }
  await page.goBack();
  await expect.poll(() => page.locator("#list").isVisible()).toBe(true);
  // A link that somebody was sent.
  const { id } = failed.at(-1)!;
  const sent = await openFile(out, `#t=${encodeURIComponent(id)}&m=1&q=wrong`);
  await expect.poll(() => sent.page.locator("#detail h2").textContent()).toContain("1 · initialize");
  expect(await sent.page.locator("#title").textContent()).toContain(`${id}: `);
  expect([...complaints, ...sent.complaints]).toEqual([]);
});

test("a report with a failure has the viewer once; one without is as small as before", async () => {
  const [, one] = report.results;
  const results = report.results.map((result) => ({ ...one!, id: result.id, status: "pass", exchanged: [] }) as const);
  const passed = { ...report, results };
  expect(await reportPage(passed, judgeReport(passed))).toBe(formatReport("html", passed, judgeReport(passed)));
  const page = await reportPage(report, verdict);
  expect(page.split("<title>")).toHaveLength(2);
  expect(page.length).toBeLessThan(250_000);
});

test("nothing of a hostile report runs in front of the studio or in it, in any view", async () => {
  const hostile = join(folder, "hostile.html");
  writeFileSync(hostile, await reportPage(report, verdict));
  const { page, complaints } = await openFile(hostile);
  const shown = await page.locator("#front a", { hasText: "open them in the studio" }).count();
  expect(shown).toBe(report.results.filter(({ status }) => /fail|flaky|error/u.test(status)).length);
  await page.locator("#front a", { hasText: "open them in the studio" }).first().click();
  await page.locator("#list .row").first().click();
  for (const view of ["Tree", "Raw", "Bytes", "Session"]) {
    await page.locator("#detail [role=tab]", { hasText: view }).click();
    await expect.poll(() => page.locator("#detail .content > *").count()).toBeGreaterThan(0);
  }
  const found = await page.evaluate(() => ({
    isHacked: "hacked" in globalThis,
    embedded: document.querySelectorAll("script:not([type]), img, iframe, b, svg").length,
    links: [...document.links].filter(({ href }) => href.includes("evil")).length,
    width: document.documentElement.scrollWidth,
  }));
  // The one script is the viewer's.
  expect(found).toEqual({ isHacked: false, embedded: 1, links: 0, width: 1280 });
  expect(complaints).toEqual([]);
});
