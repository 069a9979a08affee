// What an agent asks, in the page: permission, forms and URLs, one and several, by mouse and by keys.
import { expect, test } from "vitest";

import { pageAgent, servePage, useBrowser } from "./page/open-page.ts";

const browser = useBrowser();

test("a form is sent only when it fits, with the values of its fields", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, begin, say, idle, question, lookAt, overflow, complaints } = await browser.visit();
  await begin(url);
  await say("form");
  const form = question("1 of 1");
  await form.getByLabel("Name (required, text)").fill("ab");
  await form.getByLabel("Count").fill("zero");
  await form.getByRole("button", { name: "Send" }).click();
  await form.getByText("It has fewer than 3 characters").waitFor();
  await form.getByText("It should be a number").waitFor();
  await lookAt("form");
  expect(await overflow()).toBe(0);
  await form.getByLabel("Name").fill("abc");
  await form.getByLabel("Count").fill("2");
  await form.getByLabel("Colour").selectOption("blue");
  await form.getByLabel("Sure").selectOption("no");
  await form.getByLabel("docs").check();
  await form.getByRole("button", { name: "Send" }).click();
  await idle();
  expect(JSON.parse(await page.locator(".agent .markdown").innerText())).toEqual({
    action: "accept",
    content: { name: "abc", count: 2, colour: "blue", sure: false, parts: ["docs"] },
  });
  expect(complaints).toEqual([]);
});

test("a URL is shown whole, with its host and its dangers; only a page of the web can be opened", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, context, begin, say, idle, question, complaints } = await browser.visit();
  await begin(url);
  await say("open https://user:secret@login.example:8443/a?next=b");
  const asked = await question("1 of 1").innerText();
  expect(asked).toContain("https://user:secret@login.example:8443/a?next=b");
  expect(asked).toContain("Host: login.example");
  expect(asked).toContain("! The URL holds a password");
  await context.route("**/*", (route) => route.abort());
  const opened = context.waitForEvent("page");
  await question("1 of 1").getByRole("button", { name: "Open it" }).click();
  expect(await (await opened).evaluate(() => window.opener)).toBe(null);
  await context.unroute("**/*");
  await idle();
  expect(await page.locator(".agent .markdown").innerText()).toBe('{"action":"accept"}');
  await say("open javascript:alert(1)");
  const buttons = question("1 of 1").getByRole("button");
  await expect.poll(() => buttons.allInnerTexts()).toEqual(["Decline", "No answer"]);
  await question("1 of 1").getByRole("button", { name: "Decline" }).click();
  await idle();
  expect(complaints).toEqual([]);
});

test("two questions at once have their places, and the keys 1 to 9 answer the first, unless the user writes", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, begin, say, idle, question, lookAt, complaints } = await browser.visit();
  await begin(url);
  await say("two");
  await question("2 of 2").waitFor();
  await lookAt("two-questions");
  expect(await question("1 of 2").innerText()).toContain("$ first");
  expect(await page.title()).toBe("(1) acp");
  await page.getByLabel("Prompt").pressSequentially("1");
  expect(await question("1 of 2").count()).toBe(1);
  await page.getByRole("log").focus();
  // Keys do not count at first: they may be meant for something else.
  await expect.poll(() => page.keyboard.press("1").then(() => question("1 of 1").count())).toBe(1);
  await expect.poll(() => page.keyboard.press("2").then(() => question("1 of 1").count())).toBe(0);
  await idle();
  expect(JSON.parse(await page.locator(".agent .markdown").innerText())).toEqual([
    { outcome: { outcome: "selected", optionId: "yes" } },
    { outcome: { outcome: "selected", optionId: "no" } },
  ]);
  expect(await page.title()).toBe("acp");
  expect(await page.getByLabel("Prompt").inputValue()).toBe("1");
  expect(complaints).toEqual([]);
});

test("a question that the agent withdraws is gone", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, begin, say, idle, question } = await browser.visit();
  await begin(url);
  await say("withdraw");
  await question("1 of 2").getByText("gone soon").first().waitFor();
  await question("2 of 2").getByRole("button", { name: "Allow once" }).click();
  await expect.poll(() => page.getByLabel("Question ").count()).toBe(0);
  await page.getByRole("log").getByText("withdrawn").waitFor();
  await idle();
});

test("a question shows its variables, and hides the secrets in them", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { begin, say, idle, question } = await browser.visit();
  await begin(url);
  await say("variables");
  await question("1 of 1").getByRole("button", { name: "Allow once" }).waitFor();
  const asked = await question("1 of 1").innerText();
  expect(asked).toContain("variable PLACE=berlin");
  expect(asked).toContain("variable API_KEY=[redacted]");
  await question("1 of 1").getByRole("button", { name: "Reject once" }).click();
  await idle();
});

test("a hidden page notifies its user of a question, if they have allowed it", async () => {
  const { url } = await servePage(["serve"], pageAgent);
  const { page, context, begin, say, question } = await browser.visit();
  await context.grantPermissions(["notifications"], { origin: new URL(url).origin });
  await page.addInitScript(() => {
    const told: string[] = [];
    class Told extends EventTarget {
      static permission = "default";
      static requestPermission(): Promise<string> {
        Told.permission = "granted";
        return Promise.resolve("granted");
      }
      constructor(title: string) {
        super();
        told.push(title);
      }
      close(): void {
        told.push("closed");
      }
    }
    Object.assign(window, { Notification: Told, told });
  });
  await begin(url);
  await page.getByRole("button", { name: "Notify me" }).click();
  await page.getByRole("button", { name: "Notify me" }).waitFor({ state: "detached" });
  await page.evaluate(() => Object.defineProperty(document, "hidden", { configurable: true, get: () => true }));
  await say("permission");
  const told = (): Promise<unknown> => page.evaluate(() => (window as unknown as { told: string[] }).told);
  await expect.poll(told).toEqual(["The agent asks something"]);
  await page.evaluate(() => Object.defineProperty(document, "hidden", { configurable: true, get: () => false }));
  await question("1 of 1").getByRole("button", { name: "Allow once" }).click();
  await expect.poll(told).toEqual(["The agent asks something", "closed"]);
});

test("an agent that wants a login: the page shows its methods, says what it cannot do, and goes on after one", async () => {
  const { url } = await servePage(["serve"], [...pageAgent, "login"]);
  const { page, say, idle, overflow, lookAt, complaints } = await browser.visit();
  await page.goto(url);
  const create = page.getByRole("button", { name: "New session" });
  const login = page.getByRole("region", { name: "Log in" });
  await create.click();
  await login.getByText("Page agent wants you to log in").waitFor();
  expect(await login.getByRole("button").allInnerTexts()).toEqual(["Log in with a <b>subscription</b>", "Not now"]);
  expect(await login.innerText()).toContain("Opens nothing <U+202E>here");
  expect(await login.innerText()).toContain("Open one on the agent's machine, start the agent there with --login");
  await lookAt("login");
  expect(await overflow()).toBe(0);
  await login.getByRole("button", { name: "Not now" }).click();
  await page.getByRole("alert").filter({ hasText: "session/new: Authentication required" }).waitFor();
  expect(await login.count()).toBe(0);
  await create.click();
  await login.getByRole("button", { name: "Log in with" }).click();
  await page.getByLabel("Prompt").waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  await say("permission");
  await page.getByRole("button", { name: "Allow once" }).click();
  await idle();
  expect(complaints).toEqual([]);
});
