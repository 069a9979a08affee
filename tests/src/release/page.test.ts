// The page of `acp serve` and `acp hub`, as a user opens it, in a real browser.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";

import { launchChromium } from "./browser/chromium.ts";
import { homeOf } from "../support/terminal/chat-screen.ts";
import {
  agentProgram,
  clientProgram,
  Program,
  sampleProject,
  temporaryDirectory,
} from "../support/main-job-programs.ts";

let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What a person would see in red in the developer tools. */
let complaints: string[];
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  complaints = [];
  context = await browser.newContext({ viewport: { width: 390, height: 780 } });
  page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
});
afterEach(() => context.close());

interface Started {
  readonly program: Program;
  readonly cwd: string;
  readonly url: string;
}

/** Starts a server in a copy of the sample project, and waits for the address of its page. */
async function start(
  args: readonly string[],
  ending: readonly string[],
  setUp?: readonly string[],
  port = "0",
): Promise<Started> {
  const directory = sampleProject();
  const before = process.cwd();
  process.chdir(directory.path);
  const home = temporaryDirectory();
  const env = homeOf(home.path);
  if (setUp !== undefined) expect((await new Program([clientProgram, ...setUp], "", env).ended).code).toBe(0);
  const program = new Program([clientProgram, ...args, "--port", port, ...ending], "", env);
  process.chdir(before);
  onTestFinished(async () => {
    program.child.kill("SIGTERM");
    await program.ended;
    directory[Symbol.dispose]();
    home[Symbol.dispose]();
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
  return { program, cwd: directory.path, url };
}

const agentWith = (pace: number): readonly string[] => ["--", process.execPath, agentProgram, "--pace", String(pace)];

async function say(text: string): Promise<void> {
  await page.getByLabel("Prompt").fill(text);
  await page.getByLabel("Prompt").press("Enter");
}

/** Where to put pictures of what the page shows; nowhere by default. */
const pictures = process.env["PAGE_PICTURES"];

/** Takes pictures in both themes, for a person who sets the variable. */
async function lookAt(name: string): Promise<void> {
  if (pictures === undefined) return;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(pictures, `${name}-${colorScheme}.png`) });
  }
}

const overflow = (): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("acp serve: a prompt streams, its question is complete, and the answer changes the file", async () => {
  const { url, cwd } = await start(["serve"], agentWith(5));
  await page.goto(url);
  await expect.poll(() => page.url()).not.toContain("token");
  await page.getByRole("button", { name: "New session" }).click();
  await say("Fix the failing test");
  const question = page.getByRole("group", { name: "Question 1 of 1" });
  await question.waitFor();
  const facts = await question.innerText();
  expect(facts).toContain("The agent asks for permission: edit");
  expect(facts).toContain(`change of ${join(cwd, "src/total.js")}`);
  expect(facts).toMatch(/^│ \+.*index = 0/mu);
  await lookAt("question");
  await question.getByRole("button", { name: "Allow once" }).click();
  await page.getByText("all tests pass now").waitFor();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  expect(readFileSync(join(cwd, "src/total.js"), "utf8")).toContain("index = 0");
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 780 });
    await lookAt(`done-${width}`);
    expect([width, await overflow()]).toEqual([width, 0]);
  }
  expect(complaints).toEqual([]);
});

test("acp serve: Stop cancels a turn that goes on for long", async () => {
  const { url } = await start(["serve"], agentWith(60_000));
  await page.goto(url);
  await page.getByRole("button", { name: "New session" }).click();
  await say("Fix the failing test");
  const stop = page.getByRole("button", { name: "Stop" });
  await stop.click();
  await stop.waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});

test("acp serve: a page without the token says so, and a server that comes back is reached again", async () => {
  const { url, program } = await start(["serve"], agentWith(0));
  const plain = new URL(url);
  const token = plain.hash.slice("#token=".length);
  plain.hash = "";
  await page.goto(plain.href);
  await page.getByText("The token is missing or wrong").waitFor();
  await page.goto(url);
  await page.reload();
  await page.getByRole("button", { name: "New session" }).click();
  await page.getByLabel("Prompt").waitFor();
  program.child.kill("SIGTERM");
  await page.getByRole("status").filter({ hasText: "lost" }).waitFor();
  // Nothing but the announcement has it.
  const lines = (await program.ended).stderr.split("\n").filter((line) => line.includes(token));
  expect(lines.map((line) => line.split(":")[0])).toEqual(["Page", "Token", "With it"]);
  const again = await start(["serve", "--token", token], agentWith(0), undefined, plain.port);
  expect(again.url).toBe(plain.href);
  await page.getByRole("status").filter({ hasText: "open" }).waitFor();
});

test("acp serve: the page comes with the headers that keep it closed, and only as files of it", async () => {
  const { url } = await start(["serve"], agentWith(0));
  const response = await fetch(url);
  const { headers } = response;
  expect(headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
  expect(headers.get("content-security-policy")).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
  expect(["referrer-policy", "x-content-type-options"].map((name) => headers.get(name))).toEqual([
    "no-referrer",
    "nosniff",
  ]);
  const [, script = ""] = /src="\.(\/\S+?\.js)"/u.exec(await response.text()) ?? [];
  const code = new Uint8Array(await (await fetch(new URL(script, url))).arrayBuffer());
  expect(gzipSync(code).length).toBeLessThan(66_000);
  expect(gzipSync(code).length).toBeGreaterThan(40_000);
  const etag = headers.get("etag") ?? "";
  expect((await fetch(url, { headers: { "If-None-Match": etag } })).status).toBe(304);
  const statusOf = async (path: string, method = "GET"): Promise<number> =>
    (await fetch(new URL(path, url), { method })).status;
  expect(await statusOf("favicon.svg")).toBe(200);
  expect(await statusOf("main.js")).toBe(404);
  expect(await statusOf("%2e%2e/main.js")).toBe(404);
  expect(await statusOf("/", "POST")).toBe(404);
  expect(await statusOf("acp/hello")).toBe(401);
});

test("acp hub: a reload in mid turn loses nothing", async () => {
  const agent = ["--", process.execPath, agentProgram, "--pace", "20"];
  const { url } = await start(["hub"], [], ["agents", "add", "sample", ...agent]);
  const address = new URL(url);
  address.hash += "&agent=sample";
  await page.goto(address.href);
  await page.getByRole("button", { name: "New session" }).click();
  await say("Fix the failing test");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await page.getByRole("group", { name: "Question 1 of 1" }).getByRole("button", { name: "Allow once" }).click();
  await page.getByText("all tests pass now").waitFor();
  expect(await page.locator(".user").allInnerTexts()).toEqual(["Fix the failing test"]);
  expect(complaints).toEqual([]);
});

test("hostile text stays text: nothing runs, and the policy has nothing to report", async () => {
  const agent = `import { createInterface } from "node:readline";
    const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    const texts = ["<img src=x onerror=document.title='ran'>", "<script>document.title='ran'</scr" + "ipt>",
      "<svg onload=document.title='ran'>", "[x](javascript:document.title='ran')", "\\u202Etxt.exe", "long ".repeat(100000)];
    const say = (sessionId, update) => send({ method: "session/update", params: { sessionId, update } });
    for await (const line of createInterface({ input: process.stdin })) {
      const { id, method, params } = JSON.parse(line);
      if (method === "initialize") send({ id, result: { protocolVersion: 1, agentInfo: { name: texts[0], version: "1" } } });
      else if (method === "session/new") send({ id, result: { sessionId: "s" } });
      else if (method === "session/prompt") {
        for (const text of texts) {
          say("s", { sessionUpdate: "agent_message_chunk", messageId: text.slice(0, 9), content: { type: "text", text } });
          say("s", { sessionUpdate: "tool_call", toolCallId: text.slice(0, 9), title: text, content: [{ type: "content", content: { type: "text", text } }, { type: "diff", path: text, newText: text }] });
        }
        send({ id: "q", method: "session/request_permission", params: { sessionId: "s", toolCall: { toolCallId: "t", title: texts.join(" ").slice(0, 900), rawInput: { command: texts[0] } }, options: texts.slice(0, 5).map((name, at) => ({ optionId: String(at), name, kind: "allow_once" })) } });
        await new Promise((resolve) => setTimeout(resolve, 100));
        send({ id, result: { stopReason: "end_turn" } });
      }
    }`;
  const { url } = await start(["serve"], ["--", process.execPath, "--input-type=module", "--eval", agent]);
  await page.goto(url);
  await page.getByRole("button", { name: "New session" }).click();
  await say("go");
  await page.getByRole("group", { name: "Question 1 of 1" }).waitFor();
  await lookAt("hostile");
  expect(await page.getByRole("group", { name: "Question 1 of 1" }).innerText()).toMatch(
    /^\$ <img src=x onerror=.*\nin \//mu,
  );
  expect(await page.locator(".call summary").nth(4).textContent()).toContain("<U+202E>txt.exe");
  expect(await page.title()).toBe("acp");
  expect(await page.locator("main :is(img, script, svg, a)").count()).toBe(0);
  expect(await overflow()).toBe(0);
  expect(complaints).toEqual([]);
});
