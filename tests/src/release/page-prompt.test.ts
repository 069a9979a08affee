// Where the user writes: commands, files, pictures, settings, and prompts while a turn runs.
import { pathToFileURL } from "node:url";
import { join } from "node:path";

import { expect, test } from "vitest";

import { pageAgent, servePage, useBrowser } from "./page/open-page.ts";

const browser = useBrowser();
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("commands complete behind /, files behind @, and a file goes along as a link", async () => {
  const { url, cwd } = await servePage(["serve"], pageAgent);
  const { page, begin, idle, lookAt, complaints } = await browser.visit();
  await begin(url);
  const prompt = page.getByLabel("Prompt");
  const options = page.getByRole("listbox", { name: "Completions" }).getByRole("option");
  await prompt.pressSequentially("/");
  await expect.poll(() => options.allInnerTexts()).toEqual(["/review Reviews the change", "/plan what · Makes a plan"]);
  await prompt.press("ArrowDown");
  await lookAt("commands");
  await prompt.press("Tab");
  expect(await prompt.inputValue()).toBe("/plan ");
  await prompt.pressSequentially("@total");
  await expect.poll(() => options.allInnerTexts()).toContain("src/total.js");
  await prompt.press("Enter");
  await prompt.press("Enter");
  await idle();
  const [said] = await page.locator(".agent .markdown").allInnerTexts();
  expect(JSON.parse(said ?? "")).toEqual([
    { type: "text", text: "/plan @src/total.js" },
    { type: "resource_link", uri: pathToFileURL(join(cwd, "src/total.js")).href, name: "total.js" },
  ]);
  expect(complaints).toEqual([]);
});

test("the files of the project are only for whoever has the token", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const address = new URL("acp/files?query=total", url);
  const token = new URL(url).hash.slice("#token=".length);
  expect((await fetch(address)).status).toBe(401);
  const found = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
  expect(await found.text()).toContain("src/total.js");
  for (const query of ["../../../etc", "%00", "x".repeat(5000)]) {
    address.searchParams.set("query", query);
    const answer = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
    expect([query, await answer.json()]).toEqual([query, { files: [] }]);
  }
});

test("pictures come by paste and drop, up to a limit, and can be removed", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, begin, idle, lookAt, complaints } = await browser.visit();
  await begin(url);
  const give = (event: "paste" | "drop", type: string, size: number): Promise<void> =>
    page.evaluate(
      ([kind, mime, bytes, data]) => {
        const content = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
        const file = new File([content, new Uint8Array(Math.max(0, bytes - content.length))], "shot", { type: mime });
        const transfer = new DataTransfer();
        transfer.items.add(file);
        const options = { bubbles: true, cancelable: true };
        document
          .querySelector("textarea")
          ?.dispatchEvent(
            kind === "paste"
              ? new ClipboardEvent("paste", { ...options, clipboardData: transfer })
              : new DragEvent("drop", { ...options, dataTransfer: transfer }),
          );
      },
      [event, type, size, pixel] as const,
    );
  await give("paste", "image/png", 0);
  await give("drop", "image/png", 0);
  const pictures = page.getByRole("list", { name: "Pictures" }).locator("img");
  await expect.poll(() => pictures.count()).toBe(2);
  await lookAt("pictures");
  await page.getByRole("button", { name: "Remove shot" }).first().click();
  await give("drop", "image/svg+xml", 0);
  await page.getByText("shot is no PNG, JPEG, GIF or WebP picture").waitFor();
  await give("paste", "image/png", 9 * 1024 * 1024);
  await page.getByText("8 MB together").waitFor();
  expect(await pictures.count()).toBe(1);
  await page.getByRole("button", { name: "Send" }).click();
  await idle();
  const [said] = await page.locator(".agent .markdown").allInnerTexts();
  expect(JSON.parse(said ?? "")).toEqual([{ type: "image", mimeType: "image/png", data: pixel }]);
  expect(complaints).toEqual([]);
});

test("options change what the agent does, and plan and usage are shown", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, begin, say, idle, overflow, lookAt, complaints } = await browser.visit();
  await begin(url);
  await page.getByLabel("Model").selectOption("large");
  await expect.poll(() => page.getByLabel("Model").inputValue()).toBe("large");
  const right = (): Promise<number> => page.getByLabel("Model").evaluate((one) => one.getBoundingClientRect().right);
  expect(await right()).toBeLessThanOrEqual(390);
  await say("settings");
  await idle();
  await page.getByText("12,000 of 200,000 tokens (6 %)").waitFor();
  expect(await page.getByRole("list", { name: "Plan" }).innerText()).toContain("Change in progress");
  await say("terminal");
  await idle();
  const call = page.locator(".call").last();
  expect(await call.innerText()).toMatch(/failed npm test exit code 3/u);
  expect(await call.locator("pre").innerText()).toBe("one\ntwo\n");
  expect(await call.locator(".green").innerText()).toBe("two");
  await lookAt("settings");
  expect(await overflow()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a prompt that is typed while a turn runs waits for its end, and can be taken back", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, begin, say, idle, complaints } = await browser.visit();
  await begin(url);
  await say("wait");
  await page.getByRole("log").getByText("I wait.").waitFor();
  await say("first");
  await say("second");
  const waiting = page.getByRole("list", { name: "Waiting" }).getByRole("listitem");
  expect(await waiting.locator("span").allInnerTexts()).toEqual(["first", "second"]);
  await waiting.first().getByRole("button", { name: "Take back" }).click();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect.poll(() => page.locator(".user > div").allInnerTexts()).toEqual(["wait", "second"]);
  await idle();
  expect(complaints).toEqual([]);
});

test("Enter sends, Shift and Enter begins a line, and an input method keeps its Enter", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, context, begin, idle } = await browser.visit();
  await begin(url);
  const prompt = page.getByLabel("Prompt");
  await prompt.focus();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
  await prompt.evaluate((field) =>
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, isComposing: true })),
  );
  expect(await page.locator(".user").count()).toBe(0);
  await devtools.send("Input.insertText", { text: "日本" });
  await prompt.press("Shift+Enter");
  await prompt.pressSequentially("語");
  await prompt.press("Enter");
  await idle();
  expect(await page.locator(".user > div").allInnerTexts()).toEqual(["日本\n語"]);
});
