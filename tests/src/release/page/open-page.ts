import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, onTestFinished } from "vitest";
import { expect } from "vitest";

import { clientProgram, Program, sampleProject, temporaryDirectory } from "../../support/main-job-programs.ts";
import { homeOf } from "../../support/terminal/chat-screen.ts";
import { launchChromium } from "../browser/chromium.ts";

/** A server of the page. */
export interface ServedPage {
  readonly program: Program;
  readonly cwd: string;
  /** With the token, if nobody has chosen it. */
  readonly url: string;
  /** Its home, for another one that goes on with its sessions. */
  readonly home: string;
}

/** Of a server that is started. */
export interface ServeOptions {
  /** A command that runs before. */
  readonly setUp?: readonly string[];
  readonly port?: string;
  readonly home?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `acp` with arguments in a copy of the sample project, and waits for the address of its page. */
export async function servePage(
  args: readonly string[],
  ending: readonly string[],
  { setUp, port = "0", home, cwd, env: more }: ServeOptions = {},
): Promise<ServedPage> {
  const project = sampleProject();
  const own = temporaryDirectory();
  const env = { ...homeOf(home ?? own.path), ...more };
  const before = process.cwd();
  process.chdir(cwd ?? project.path);
  if (setUp !== undefined) expect((await new Program([clientProgram, ...setUp], "", env).ended).code).toBe(0);
  const program = new Program([clientProgram, ...args, "--port", port, ...ending], "", env);
  process.chdir(before);
  onTestFinished(async () => {
    program.child.kill("SIGTERM");
    await program.ended;
    project[Symbol.dispose]();
    own[Symbol.dispose]();
  });
  let printed = "";
  const url = await new Promise<string>((resolve, reject) => {
    program.child.stderr?.on("data", (text: string) => {
      printed += text;
      const found = /^Page: +(\S+)$/mu.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    void program.ended.then(({ stderr }) => reject(new Error(`It does not serve: ${stderr}`)));
  });
  return { program, cwd: cwd ?? project.path, url, home: home ?? own.path };
}

const programs = fileURLToPath(new URL("programs/", import.meta.url));

/** The agent of these tests as the end of a command line: what it does, a prompt says. */
export const pageAgent: readonly string[] = ["--", process.execPath, join(programs, "page-agent.ts")];

/** A page in a browser, as a user has it. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What a person would see in red in the developer tools. */
  readonly complaints: string[];
  /** Opens a session. */
  begin(url: string): Promise<void>;
  say(text: string): Promise<void>;
  question(place: string): Locator;
  /** Waits for the end of the turn. */
  idle(): Promise<void>;
  /** How many pixels the page is wider than the screen. */
  overflow(): Promise<number>;
  /** Takes pictures in both themes, for a person who sets the variable `PAGE_PICTURES` to a folder. */
  lookAt(name: string): Promise<void>;
}

/** A browser for the tests of a file. */
export function useBrowser(): { visit(options?: BrowserContextOptions): Promise<Visitor> } {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  return {
    async visit(options = {}) {
      const context = await browser.newContext({ viewport: { width: 390, height: 780 }, ...options });
      return visitorOf(context, await context.newPage());
    },
  };
}

function visitorOf(context: BrowserContext, page: Page): Visitor {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  const pictures = process.env["PAGE_PICTURES"];
  const prompts = page.locator(".timeline .user");
  let before = 0;
  return {
    page,
    context,
    complaints,
    async begin(url) {
      await page.goto(url);
      await page.getByRole("button", { name: "New session" }).click();
      await page.getByLabel("Prompt").waitFor();
    },
    async say(text) {
      before = await prompts.count();
      await page.getByLabel("Prompt").fill(text);
      await page.getByLabel("Prompt").press("Enter");
    },
    question: (place) => page.getByLabel(`Question ${place}`),
    async idle() {
      // A prompt with files is made before it is sent. One that is shown has begun its turn.
      await page.locator(".timeline .item").first().waitFor({ state: "attached" });
      if (before > 0) await expect.poll(() => prompts.count()).toBeGreaterThan(before);
      await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    },
    overflow: () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    async lookAt(name) {
      if (pictures === undefined) return;
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: join(pictures, `${name}-${colorScheme}.png`) });
      }
      await page.emulateMedia({ colorScheme: null });
    },
  };
}
