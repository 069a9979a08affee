// The example of a chat in React: built as its user builds it, in a browser, with an agent that `acp serve` serves.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { agentProgram } from "../support/main-job-programs.ts";
import { root, run } from "../support/packages.ts";
import { pageAgent, servePage, useBrowser } from "./page/open-page.ts";
import { serveFolder } from "./site/serve-folder.ts";

const browser = useBrowser();
const folder = mkdtempSync(join(tmpdir(), "acp-react-chat-"));
let site: Awaited<ReturnType<typeof serveFolder>>;
beforeAll(async () => {
  await run(
    process.execPath,
    ["tools/pnpm.mjs", "--dir", "examples/react-chat", "exec", "vite", "build", "--outDir", folder, "--emptyOutDir"],
    root,
  );
  site = await serveFolder(folder);
});
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true });
});

/** Serves an agent to the page, and opens it. */
async function visit(agent: readonly string[]) {
  const { url, cwd } = await servePage(["serve", "--origin", site.origin], agent);
  const visitor = await browser.visit();
  const { host, hash } = new URL(url);
  const address = new URLSearchParams(hash.slice(1));
  address.set("agent", `ws://${host}/acp`);
  address.set("cwd", cwd);
  await visitor.page.goto(`${site.origin}/#${address.toString()}`);
  await visitor.page.getByRole("button", { name: "New session" }).click();
  await visitor.page.getByLabel("Prompt").waitFor();
  return { ...visitor, cwd, items: visitor.page.getByLabel("Conversation").getByRole("listitem") };
}

test("the example of React: a task with a question, and what follows from its answer", async () => {
  const { page, say, items, cwd, overflow, lookAt, complaints } = await visit(["--", process.execPath, agentProgram]);
  await say("Fix the failing test");
  await page.getByRole("group", { name: "The agent asks for permission" }).waitFor();
  await lookAt("react-chat");
  expect(await page.locator("pre").innerText()).toContain("src/total.js");
  expect(await overflow()).toBe(0);
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await items.filter({ hasText: "all tests pass now" }).waitFor();
  await page.getByRole("button", { name: "Send" }).waitFor();
  expect(readFileSync(join(cwd, "src/total.js"), "utf8")).toContain("index = 0");
  expect(complaints).toEqual([]);
});

test("the example of React: a turn is cancelled, and what an agent writes stays text", async () => {
  const { page, say, items, complaints } = await visit(pageAgent);
  await say("wait");
  await items.filter({ hasText: "I wait." }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Send" }).waitFor();
  await say("hostile 0 29");
  await items.filter({ hasText: "hidden" }).first().waitFor();
  await page.getByRole("button", { name: "Send" }).waitFor();
  await say("ask 0");
  await page.getByRole("group", { name: "The agent asks for permission" }).waitFor();
  expect(await page.locator("pre").innerText()).toContain("<U+202E> && rm -rf ~");
  expect(await page.locator("ol img, ol script, ol svg, ol a, pre *").count()).toBe(0);
  expect(await page.evaluate(() => "ran" in window)).toBe(false);
  expect(complaints).toEqual([]);
});
