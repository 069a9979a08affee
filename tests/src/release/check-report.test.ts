// The page of `acp check` in a real browser, opened from a file and without a network, and its JUnit in that browser's parser of XML.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { formatReport } from "@acp/check";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { hostileReport } from "../check/hostile-report.ts";
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
