// The studio for everybody: in each view, by keyboard, with a screen reader, on a phone, in both themes.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { findProblems } from "../browser/axe.ts";
import { hostileRecording } from "./hostile-recording.ts";
import { makeRecording } from "./make-recording.ts";
import { filterBy, rows, StudioPages } from "./studio-pages.ts";

const pages = new StudioPages();

/** Shows the selected message in a view. */
async function choose(page: Page, view: string): Promise<void> {
  await page.locator("#detail [role=tab]", { hasText: view }).click();
  await expect.poll(() => page.locator("#detail .content > *").count()).toBeGreaterThan(0);
}

test("axe finds nothing, on phone and desk, light and dark: list, tree, text, bytes, session, timeline, help", async () => {
  const page = await pages.open(await pages.pageOf(await pages.record("run.ndjson", "Fix the failing test")));
  const found: string[] = [];
  const look = async (what: string): Promise<void> => void found.push(...(await findProblems(page, what)));
  await expect.poll(() => rows(page).first().textContent()).toContain("initialize");
  await look("list");
  await rows(page).first().click();
  for (const view of ["Tree", "Raw", "Bytes"]) {
    await choose(page, view);
    await look(view);
  }
  await filterBy(page, "session/request_permission");
  await rows(page).last().click();
  await choose(page, "Session");
  await look("session with a question");
  await filterBy(page, "kind:result method:prompt");
  await rows(page).last().click();
  await expect.poll(() => page.locator("#detail .status").textContent()).toBe("The agent waits for a prompt.");
  await look("whole session");
  await page.keyboard.press("t");
  await look("timeline");
  await filterBy(page, "no such text");
  await expect.poll(() => page.locator("#list-empty").isVisible()).toBe(true);
  await look("empty list");
  await page.keyboard.press("Escape");
  await page.keyboard.press("m");
  await look("times");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.locator("#help summary").click();
  await look("help");
  expect(found).toEqual([]);
});

test("axe finds nothing in two compared recordings, in findings and in a page with bars", async () => {
  const found: string[] = [];
  const [left, right] = [1, 2].map((seed) => pages.write(makeRecording(600, seed), `${seed}.ndjson`));
  const page = await pages.open(await pages.pageOf(left!, "--compare", right!), "#q=differs");
  await rows(page).first().click();
  await choose(page, "Compare");
  found.push(...(await findProblems(page, "compare")));
  const hostile = pages.write(hostileRecording(), "hostile.ndjson");
  const findings = await pages.open(await pages.pageOf(hostile, "--with-secrets", "--without-text"), "#q=wrong");
  await rows(findings).first().click();
  await expect.poll(() => findings.locator("#detail .finding").count()).toBeGreaterThan(0);
  found.push(...(await findProblems(findings, "findings")));
  expect(found).toEqual([]);
});

test("everything works by keyboard, and the focus stays where it was", async () => {
  const page = await pages.open(await pages.pageOf(pages.write(makeRecording(600), "keys.ndjson")));
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const { id, role, className, textContent } = document.activeElement!;
      return id || (role === "tab" ? `tab ${textContent}` : className);
    });
  const tabTo = (name: string): Promise<void> => expect.poll(() => page.keyboard.press("Tab").then(focused)).toBe(name);
  const title = (): Promise<string | null> => page.locator("#detail h2").textContent();
  await page.keyboard.press("j");
  expect(await focused()).toBe("list");
  await expect.poll(() => page.locator("#list").getAttribute("aria-activedescendant")).toBe("row-0");
  await expect.poll(title).toContain("initialize");
  await tabTo("tab Tree");
  await page.keyboard.press("ArrowRight");
  await expect.poll(focused).toBe("tab Raw");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(focused).toBe("tab Session");
  await tabTo("content");
  // It scrolls there.
  await page.keyboard.press("ArrowDown");
  expect(await title()).toContain("1 · initialize");
  await page.keyboard.press("p");
  await expect.poll(title).toContain("2 · initialize");
  expect(await focused()).toBe("content");
  await expect.poll(() => page.keyboard.press("Shift+Tab").then(focused)).toBe("place");
  await page.keyboard.press("Enter");
  await expect.poll(title).toContain("1 · initialize");
  expect(await focused()).toBe("content");
  await page.keyboard.press("?");
  expect(await page.locator("#help :focus").count()).toBe(1);
  await page.keyboard.press("Escape");
  expect(await focused()).toBe("content");
  await page.keyboard.press("Escape");
  expect(await focused()).toBe("list");
  const drawn = (): Promise<string> =>
    page.locator("#timeline-canvas").evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  const blank = await drawn();
  await page.keyboard.press("t");
  await expect.poll(() => page.keyboard.press("Shift+Tab").then(focused)).toBe("timeline");
  await expect.poll(drawn).not.toBe(blank);
  const whole = await drawn();
  for (const key of ["+", "ArrowRight", "-"]) {
    const before = await drawn();
    await page.keyboard.press(key);
    await expect.poll(drawn).not.toBe(before);
  }
  await page.keyboard.press("0");
  await expect.poll(drawn).toBe(whole);
});
