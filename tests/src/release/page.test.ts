// The page of `acp serve` and `acp hub`, as a user opens it, in a real browser.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { agentProgram } from "../support/main-job-programs.ts";
import { servePage, useBrowser } from "./page/open-page.ts";

const browser = useBrowser();

const agentWith = (pace: number): readonly string[] => ["--", process.execPath, agentProgram, "--pace", String(pace)];

test("acp serve: a prompt streams, its question is complete, and the answer changes the file", async () => {
  const { url, cwd } = await servePage(["serve"], agentWith(5));
  const { page, begin, say, question: questionAt, idle, overflow, lookAt, complaints } = await browser.visit();
  await begin(url);
  await expect.poll(() => page.url()).not.toContain("token");
  await say("Fix the failing test");
  const question = questionAt("1 of 1");
  await question.waitFor();
  const facts = await question.innerText();
  expect(facts).toContain("The agent asks for permission: edit");
  expect(facts).toContain(`change of ${join(cwd, "src/total.js")}`);
  expect(facts).toMatch(/^│ \+.*index = 0/mu);
  await lookAt("question");
  await question.getByRole("button", { name: "Allow once" }).click();
  await page.getByRole("log").getByText("all tests pass now").waitFor();
  await idle();
  expect(readFileSync(join(cwd, "src/total.js"), "utf8")).toContain("index = 0");
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 780 });
    await lookAt(`done-${width}`);
    expect([width, await overflow()]).toEqual([width, 0]);
  }
  expect(complaints).toEqual([]);
});

test("acp serve: Stop cancels a turn that goes on for long", async () => {
  const { url } = await servePage(["serve"], agentWith(60_000));
  const { page, begin, say, complaints } = await browser.visit();
  await begin(url);
  await say("Fix the failing test");
  const stop = page.getByRole("button", { name: "Stop" });
  await stop.click();
  await stop.waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});

test("acp serve: a page without the token says so, and a server that comes back is reached again", async () => {
  const { url, program } = await servePage(["serve"], agentWith(0));
  const { page } = await browser.visit();
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
  const again = await servePage(["serve", "--token", token], agentWith(0), { port: plain.port });
  expect(again.url).toBe(plain.href);
  await page.getByRole("status").filter({ hasText: "is back" }).waitFor();
});

test("acp serve: the page comes with the headers that keep it closed, and only as files of it", async () => {
  const { url } = await servePage(["serve"], agentWith(0));
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
  const { url } = await servePage(["hub"], [], { setUp: ["agents", "add", "sample", ...agent] });
  const { page, begin, say, question, complaints } = await browser.visit();
  const address = new URL(url);
  address.hash += "&agent=sample";
  await begin(address.href);
  await say("Fix the failing test");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await question("1 of 1").getByRole("button", { name: "Allow once" }).click();
  await page.getByRole("log").getByText("all tests pass now").waitFor();
  expect(await page.locator(".user > div").allInnerTexts()).toEqual(["Fix the failing test"]);
  expect(complaints).toEqual([]);
});
