// The site as it is built: links, search, text for programs, the playground, and how pages look in a real browser.
import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, type TestContext } from "vitest";

import { kinds } from "../../../site/kinds.ts";
import { type Entry, type Section } from "../../../site/sidebar.ts";
import { allSections } from "../../../site/api-groups.ts";
import { pageOf } from "../../../site/pages.ts";
import type { Listener } from "../support/http/listen.ts";
import { repositoryUrl, root, run } from "../support/packages.ts";
import { launchChromium } from "./browser/chromium.ts";
import { questions } from "./site/questions.ts";
import { serveFolder } from "./site/serve-folder.ts";

const site = join(root, "site");
const dist = join(site, "dist");

let server: (Listener & { readonly origin: string }) | undefined;
let browser: Browser | undefined;
let context: BrowserContext;
let page: Page;
/** What the developer tools would show in red, and requests to other hosts. */
let complaints: string[];
let sections: readonly Section[] = [];
/** Why the site could not be built. */
let unreachable: string | undefined;

/** Builds the site, unless somebody who works on these tests sets the variable. */
async function build(): Promise<void> {
  if (process.env["SITE_BUILT"] !== undefined) return;
  rmSync(dist, { recursive: true, force: true });
  await run(process.execPath, [join(site, "docs.mjs"), "build"], site);
}

beforeAll(async () => {
  try {
    await build();
  } catch (error) {
    const silent = /ERR_PNPM_META_FETCH_FAIL|E(?:NOTFOUND|AI_AGAIN|CONN\w+|TIMEDOUT|NETUNREACH)/u.exec(
      String(error),
    )?.[0];
    if (silent === undefined || existsSync(join(site, "node_modules/vitepress"))) throw error;
    unreachable = `Skipped: no registry has answered the installation of the site's generator (${silent})`;
    return;
  }
  sections = allSections();
  server = await serveFolder(dist);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});
beforeEach(async ({ skip }: TestContext) => {
  if (unreachable !== undefined) skip(unreachable);
  complaints = [];
  context = await browser!.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    const url = request.url();
    if (/^https?:/u.test(url) && !url.startsWith(server!.origin)) complaints.push(`Request to ${url}`);
  });
});
afterEach(async () => await context?.close());

const open = async (path: string): Promise<void> => void (await page.goto(`${server!.origin}/${path}`));
const htmlPages = (): readonly string[] =>
  globSync("**/*.html", { cwd: dist }).map((file) => file.replaceAll("\\", "/"));
const listed = (): readonly Entry[] => sections.flatMap(({ groups }) => groups.flatMap(({ items }) => items));
const htmlOf = (file: string): string => `${pageOf(file)?.replace(/\.md$/u, "")}.html`;

interface HtmlPage {
  readonly ids: ReadonlySet<string>;
  readonly links: readonly string[];
}

function readPage(file: string): HtmlPage {
  const html = readFileSync(join(dist, file), "utf8");
  const attributes = (pattern: RegExp): readonly string[] =>
    [...html.matchAll(pattern)].map(([, value = ""]) => value.replaceAll("&amp;", "&"));
  return { ids: new Set(attributes(/ id="([^"]*)"/gu)), links: attributes(/ (?:href|src)="([^"]*)"/gu) };
}

test("no page has a dead link or anchor, and other files are linked in the repository", () => {
  const pages = new Map(htmlPages().map((file) => [file, readPage(file)]));
  expect(pages.size).toBeGreaterThan(150);
  const dead: string[] = [];
  let anchors = 0;
  for (const [file, { links }] of pages) {
    for (const link of new Set(links)) {
      const url = new URL(link, `http://site/${file}`);
      if (url.host !== "site") {
        const path = url.href.startsWith(`${repositoryUrl}/`)
          ? /\/(?:blob|tree)\/main\/([^?#]*)/u.exec(url.href)?.[1]
          : "";
        if (path !== undefined && path !== "" && !existsSync(join(root, decodeURI(path))))
          dead.push(`${file}: ${link}`);
        continue;
      }
      const path = decodeURIComponent(url.pathname.slice(1)).replace(/(^|\/)$/u, "$1index.html");
      if (!existsSync(join(dist, path))) dead.push(`${file}: ${link}`);
      const id = decodeURIComponent(url.hash.slice(1));
      if (id === "" || !path.endsWith(".html")) continue;
      anchors++;
      if (pages.get(path)?.ids.has(id) !== true) dead.push(`${file}: ${link}`);
    }
  }
  expect(anchors).toBeGreaterThan(6000);
  expect(dead).toEqual([]);
});

test("every page of the table of contents is there, as HTML, as Markdown and in llms.txt", () => {
  const entries = listed();
  expect(entries.length).toBeGreaterThan(150);
  expect(entries.filter(({ file }) => !existsSync(join(dist, htmlOf(file)))).map(({ file }) => file)).toEqual([]);
  const text = readFileSync(join(dist, "llms.txt"), "utf8");
  const named = [...text.matchAll(/^- \[.+?\]\(\/(\S+?\.md)\)/gmu)].map(([, name = ""]) => name);
  expect(named).toEqual(entries.map(({ file }) => pageOf(file)));
  expect(named.filter((name) => !existsSync(join(dist, name)))).toEqual([]);
  const markdown = readFileSync(join(dist, "guide/node.md"), "utf8");
  expect(markdown).toMatch(/^# Node\.js\n/u);
  expect(markdown).toContain("](/guide/");
  const whole = readFileSync(join(dist, "llms-full.txt"), "utf8");
  expect(whole).toContain("# Ask for permission");
  expect(whole.length).toBeLessThan(1_000_000);
});

test("each page of the guide has its own description for search engines", () => {
  const described = (file: string): string =>
    /<meta name="description" content="([^"]*)">/u.exec(readFileSync(join(dist, file), "utf8"))?.[1] ?? "";
  const pages = htmlPages().filter((file) => file.startsWith("guide/"));
  expect(pages.length).toBeGreaterThan(30);
  expect(new Set(pages.map(described)).size).toBe(pages.length);
  expect(described("guide/your-first-agent.html")).toContain("In ten minutes you write an agent");
});

test("the search puts the right page among its first three results", async () => {
  await open("guide/limits.html");
  await page.keyboard.press("Control+k");
  const box = page.locator("#localsearch-input");
  await box.waitFor();
  const wrong: string[] = [];
  for (const [question, ...pages] of questions) {
    await box.fill("");
    await page.locator(".results .result").first().waitFor({ state: "detached" });
    await box.fill(question);
    await page.locator(".results .result").first().waitFor();
    const found = await page
      .locator(".results .result")
      .evaluateAll((results) => results.map((each) => each.getAttribute("href") ?? ""));
    const first = [...new Set(found.map((href) => href.replace(/^\/|\.html.*$/gu, "")))].slice(0, 3);
    if (!pages.some((right) => first.includes(right))) wrong.push(`${question}: ${first.join(", ")}`);
  }
  expect(questions.length).toBeGreaterThanOrEqual(30);
  expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(2);
  expect(complaints).toEqual([]);
});

const axe = (): string => readFileSync(join(site, "node_modules/axe-core/axe.min.js"), "utf8");

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

test.each(kinds)("%s: no error of accessibility, no overflow, and no request to elsewhere", async (kind) => {
  for (const width of [390, 1280])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await open(`${kind}.html`);
      await page.locator("h1").first().waitFor();
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      await page.evaluate(axe());
      const { violations } = await page.evaluate<AxeResult>("axe.run()");
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`,
      );
      expect([width, colorScheme, overflow, found]).toEqual([width, colorScheme, 0, []]);
    }
  expect(complaints).toEqual([]);
});

test.each([390, 1280])(
  "the picture of the first page covers neither its title nor the menu: %i pixels",
  async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await open("index.html");
    const boxOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
    const picture = await boxOf(".VPHero img.terminal");
    for (const other of [await boxOf("h1"), await boxOf(".VPNav")]) {
      const isBeside = picture.x >= other.x + other.width || other.x >= picture.x + picture.width;
      const isApart = picture.y >= other.y + other.height || other.y >= picture.y + picture.height;
      expect([picture, other, isBeside || isApart]).toEqual([picture, other, true]);
    }
  },
);

test("the playground uses the width of a large screen", async () => {
  await open("playground.html");
  const { width } = (await page.locator(".playground").boundingBox())!;
  expect(width).toBeGreaterThan(1000);
});

test("a page of the guide needs less than 150 kB on the way", async () => {
  let bytes = 0;
  page.on("response", async (response) => {
    const path = join(dist, new URL(response.url()).pathname);
    if (existsSync(path)) bytes += gzipSync(readFileSync(path)).length;
  });
  await page.goto(`${server!.origin}/guide/stream-from-a-model.html`, { waitUntil: "load" });
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThan(150_000);
});

test("a sample has a button that copies it", async () => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open("guide/install.html");
  const block = page.locator("div[class*=language-]").first();
  await block.hover();
  await block.locator("button.copy").click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("npm install ../acp/dist/");
});

const session = (): ReturnType<Page["locator"]> => page.getByRole("region", { name: "The session" });

async function choose(name: string): Promise<void> {
  await open("playground.html");
  await page.getByLabel("Start from").selectOption(name);
}

test("playground: an agent answers, its messages are shown, and a changed agent says something else", async () => {
  await choose("Say hello");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("The turn ended: end_turn").waitFor();
  expect(await session().innerText()).toContain("You said: Hello");
  const trace = page.getByRole("region", { name: "The messages" });
  expect(await trace.locator("summary").allInnerTexts()).toEqual(
    expect.arrayContaining([
      expect.stringContaining("initialize"),
      expect.stringContaining("session/update agent_message_chunk"),
    ]),
  );
  expect(await page.locator("iframe").isVisible()).toBe(false);
  const code = page.getByLabel("The agent", { exact: true });
  await code.fill((await code.inputValue()).replace("You said: ", "Heard: "));
  await page.getByRole("button", { name: "Run" }).click();
  await session().getByText("Heard: Hello").waitFor();
  expect(complaints).toEqual([]);
});

test("playground: a question is answered, and the change is shown", async () => {
  await choose("Edit a file");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("group", { name: "Edit settings.json" }).getByRole("button", { name: "Allow" }).first().click();
  await page.getByText("The turn ended: end_turn").waitFor();
  expect(await session().innerText()).toContain('+   "strict": true,');
  expect(await session().innerText()).toContain("tool call, completed");
  expect(complaints).toEqual([]);
});

test("playground: Stop cancels, and the same session goes on with the next prompt", async () => {
  await choose("Count until it is stopped");
  await page.getByRole("button", { name: "Run" }).click();
  await session().getByText("1 2 3").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("The turn ended: cancelled").waitFor();
  await page.getByRole("button", { name: "Run" }).click();
  await expect.poll(() => session().locator(".item").count()).toBeGreaterThan(4);
  await page.getByRole("button", { name: "Stop" }).click();
  await session().getByText("That was turn 2.").waitFor();
});

/** Agents of people who try what the frame allows. */
const tricks: readonly (readonly [string, string, string])[] = [
  ["a syntax error is shown", "const = 1;", "SyntaxError"],
  ["a module without an agent is shown", "export const other = 1;", "exports no agent"],
  ["an unknown package is shown", 'import "left-pad"; export const agent = 1;', "left-pad"],
  ["the network is closed", 'await fetch("https://example.com/");', "Failed to fetch"],
  ["the page is another origin", "parent.document.body.remove();", "SecurityError"],
  ["storage is closed", "localStorage.clear();", "SecurityError"],
  ["eval is closed", 'eval("1");', "EvalError"],
];

test.each(tricks)("playground: %s", async (_name, code, said) => {
  await open("playground.html");
  await page.getByLabel("The agent", { exact: true }).fill(code);
  await page.getByRole("button", { name: "Run" }).click();
  expect(await page.getByRole("alert").innerText()).toContain(said);
  expect(complaints.filter((text) => text.startsWith("Request to"))).toEqual([]);
});

test("playground: works without a network once the page is loaded", async () => {
  await choose("Say hello");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("The turn ended: end_turn").waitFor();
  await context.setOffline(true);
  await page.getByLabel("Prompt").fill("still here");
  await page.getByRole("button", { name: "Run" }).click();
  await session().getByText("You said: still here").waitFor();
});
