// Pages of traces in a real browser, opened as files, without a network.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { RecordedMessage } from "@acp/record";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

import { clientProgram, referenceAgent, run, sampleProject } from "../../support/main-job-programs.ts";
import { launchChromium } from "../browser/chromium.ts";
import { linesOf } from "./make-recording.ts";

/** A folder, and a browser whose pages must not complain, and must not ask anything of a network. */
export class StudioPages {
  readonly folder: string = mkdtempSync(join(tmpdir(), "acp-studio-"));
  /** What went wrong in a page, and what it asked of a network. */
  complaints: string[] = [];
  #browser: Browser | undefined;

  constructor() {
    beforeAll(async () => {
      this.#browser = await launchChromium();
    });
    afterAll(async () => {
      await this.#browser?.close();
      rmSync(this.folder, { recursive: true });
    });
    afterEach(async () => {
      await Promise.all((this.#browser?.contexts() ?? []).map((context) => context.close()));
      const told = this.complaints;
      this.complaints = [];
      expect(told).toEqual([]);
    });
  }

  get browser(): Browser {
    if (this.#browser === undefined) throw new Error("The browser starts before the first test");
    return this.#browser;
  }

  /** Writes a recording to a file. */
  write(recording: readonly RecordedMessage[], name: string): string {
    const file = join(this.folder, name);
    writeFileSync(file, linesOf(recording));
    return file;
  }

  /** Runs the reference agent with its client; returns the recording of it. */
  async record(name: string, prompt: string): Promise<string> {
    using project = sampleProject();
    const file = join(this.folder, name);
    const options = ["--cwd", project.path, "--allow", "--trace", file];
    const ended = await run([clientProgram, "exec", ...options, prompt, ...referenceAgent]);
    expect(ended).toMatchObject({ code: 0 });
    return file;
  }

  /** Makes a page of a recording by the program. */
  async pageOf(recording: string, ...options: string[]): Promise<string> {
    const out = `${recording}.html`;
    const ended = await run([clientProgram, "inspect", recording, "--out", out, ...options]);
    expect(ended).toMatchObject({ stdout: "", stderr: "" });
    return out;
  }

  async open(file: string, hash = "", options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({
      offline: true,
      viewport: { width: 1280, height: 800 },
      ...options,
    });
    const page = await context.newPage();
    this.watch(page);
    page.on("request", (request) => {
      if (!/^(?:file|data):/u.test(request.url())) this.complaints.push(request.url());
    });
    await page.goto(`${pathToFileURL(file).href}${hash}`);
    await page.waitForSelector("body[data-ready]");
    return page;
  }

  /** Keeps what a page complains about. */
  watch(page: Page): void {
    page.on("console", (message) => this.complaints.push(message.text()));
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.on("dialog", (dialog) => this.complaints.push(dialog.message()));
  }
}

/** The rows of the list that are drawn. */
export const rows = (page: Page): ReturnType<Page["locator"]> => page.locator("#list .row");

/** Types a filter, and waits until the list shows what fits: the page waits a moment for more to be typed. */
export async function filterBy(page: Page, query: string): Promise<void> {
  await page.locator("#filter").fill(query);
  const shown = (): Promise<string | null> => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("q"));
  await expect.poll(shown).toBe(query === "" ? null : query);
  await expect.poll(() => page.locator("#stop").isHidden()).toBe(true);
}
