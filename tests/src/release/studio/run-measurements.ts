// `npm run bench:studio`: how large a page of 100,000 messages is, how soon it shows them, how it scrolls, and what it keeps.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

import type { Browser, Page } from "playwright-core";

import { clientProgram } from "../../support/main-job-programs.ts";
import { launchChromium } from "../browser/chromium.ts";
import { linesOf, makeRecording } from "./make-recording.ts";

const count = 100_000;
const rounds = 5;
const folder = mkdtempSync(join(tmpdir(), "acp-studio-"));
const browser = await launchChromium();
try {
  const recording = join(folder, "recording.ndjson");
  writeFileSync(recording, linesOf(makeRecording(count)));
  const file = join(folder, "trace.html");
  const began = performance.now();
  execFileSync(process.execPath, [clientProgram, "inspect", recording, "--out", file]);
  const made = performance.now() - began;
  const opened: number[] = [];
  for (let round = 0; round < rounds; round++) opened.push(await openPage(browser, file, async () => {}));
  let figures: readonly string[] = [];
  await openPage(browser, file, async (page) => {
    const steady = await framesWhile(page, "steady");
    const jumping = await framesWhile(page, "jumping");
    const search = await searchTime(page);
    figures = [
      `scrolling: ${describe(steady)}`,
      `jumping over all of it: ${describe(jumping)}`,
      `searching all texts: ${search.toFixed(0)} ms`,
      `JavaScript heap: ${((await heapOf(page)) / 1e6).toFixed(0)} MB`,
    ];
  });
  const [json, html] = [recording, file].map((path) => statSync(path).size / 1e6);
  const lines = [
    `${count.toLocaleString("en")} messages, ${json?.toFixed(1)} MB: a page of ${html?.toFixed(1)} MB, made in ${(made / 1e3).toFixed(1)} s`,
    `first row after ${middle(opened).toFixed(0)} ms (best ${Math.min(...opened).toFixed(0)})`,
    ...figures,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

/** Opens the page; resolves with how long it took until rows with text were painted, in milliseconds. */
async function openPage(launched: Browser, path: string, use: (page: Page) => Promise<void>): Promise<number> {
  const context = await launched.newContext({ viewport: { width: 1280, height: 800 }, offline: true });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const look = (): void => {
      const text = document.querySelector("#list .row .text")?.textContent ?? "…";
      if (text === "…" || text === "") return void requestAnimationFrame(look);
      // The frame after this one is painted.
      requestAnimationFrame(() => performance.mark("painted"));
    };
    requestAnimationFrame(look);
  });
  await page.goto(pathToFileURL(path).href);
  await page.waitForFunction(() => performance.getEntriesByName("painted").length > 0);
  const painted = await page.evaluate(() => performance.getEntriesByName("painted")[0]?.startTime ?? 0);
  await use(page);
  await context.close();
  return painted;
}

/** The times between frames, in milliseconds, while the list scrolls for three seconds. */
function framesWhile(page: Page, way: "steady" | "jumping"): Promise<readonly number[]> {
  return page.evaluate(async (how) => {
    const list = document.querySelector("#list");
    const frames: number[] = [];
    let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    for (const start = last; last - start < 3_000;) {
      if (list === null) break;
      // A fast wheel; or the thumb dragged from the beginning to the end, which unpacks every chunk.
      if (how === "steady") list.scrollTop += 60;
      else list.scrollTop = (list.scrollHeight * (last - start)) / 3_000;
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      frames.push(now - last);
      last = now;
    }
    return frames;
  }, way);
}

function searchTime(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const field = document.querySelector<HTMLInputElement>("#filter");
    if (field === null) return 0;
    field.value = "no such text at all";
    field.dispatchEvent(new Event("input"));
    const wait = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 1));
    while (document.body.dataset["search"] !== "running") await wait();
    const start = performance.now();
    while (document.body.dataset["search"] === "running") await wait();
    return performance.now() - start;
  });
}

/** What is left of the heap after a collection, in bytes. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize;
}

function describe(frames: readonly number[]): string {
  const sorted = frames.toSorted((one, other) => one - other);
  const late = frames.filter((frame) => frame > 34).length;
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  return `median frame ${middle(frames).toFixed(1)} ms, 95 of 100 below ${p95.toFixed(1)} ms, ${late} of ${frames.length} late`;
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
