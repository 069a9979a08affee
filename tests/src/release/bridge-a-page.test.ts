// The page of "Bridge a page to an agent", in a real browser.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { launchChromium } from "./browser/chromium.ts";
import { GuidePage } from "./guide-page.ts";
import { freePort } from "../support/free-port.ts";

const guide = new GuidePage("bridge-a-page-to-an-agent");
const project = join(guide.base, "my-page");
const [, prepare = "", servePage = "", serveAgent = "", printAddress = "", ownServer = ""] = guide.commands;

beforeAll(async () => {
  await guide.pack(prepare);
  await guide.run(prepare, guide.base);
  for (const name of ["index.html", "page.js", "server.mjs"]) writeFileSync(join(project, name), guide.file(name));
});
afterAll(() => guide.remove());

/** Starts a server of the page as a user would, on free ports; its whole process group ends with the test. */
function serve(lines: string): ChildProcess {
  const { command, args } = guide.shell(lines);
  const child = spawn(command, args, { cwd: project, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const ended = once(child, "close");
  onTestFinished(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    await ended;
  });
  return child;
}

/** Waits until a server has printed where it is; returns what it has printed at any time. */
async function printed(child: ChildProcess, text: string): Promise<() => string> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (output += String(chunk)));
  await expect.poll(() => output).toContain(text);
  return () => output;
}

test("the page talks to the agent, asks for permission, and learns why a connection is refused", async () => {
  const ports = { 8000: await freePort(), 8001: await freePort(), 8002: await freePort() };
  const onFreePorts = (text: string): string => text.replaceAll(/800[012]/gu, (port) => String(ports[port as "8000"]));
  expect(servePage).toContain("8000");
  await printed(serve(onFreePorts(servePage)), String(ports[8000]));
  const served = await printed(serve(onFreePorts(serveAgent)), String(ports[8001]));

  const address = await guide.run(onFreePorts(printAddress), project);

  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  const log = page.locator("#log");
  const send = async (prompt: string): Promise<void> => {
    await page.locator("input").fill(prompt);
    await page.getByRole("button", { name: "Send" }).click();
  };

  await page.goto(address.trim());
  await expect.poll(() => log.textContent()).toContain(guide.file("output").split("\n")[0]);
  await send("Hello");
  await expect.poll(() => log.textContent()).toMatch(/\n\(end_turn\)/u);
  expect(await log.textContent()).toContain(guide.file("output"));

  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.message());
    void dialog.accept();
  });
  await send(/`(\/write [^`]+)`/u.exec(guide.text)?.[1] ?? "");
  await expect.poll(() => log.textContent()).toMatch(/\(end_turn\)[^(]+\(end_turn\)/u);
  expect(questions).toEqual(["Create hello.txt", `Write ${join(project, "hello.txt")}`]);
  expect(readFileSync(join(project, "hello.txt"), "utf8").trim()).toBe("Hello");

  await page.goto("about:blank");
  await page.goto(address.trim().replace("secret-of-this-page", "another-secret"));
  await expect.poll(() => log.textContent()).toContain("The WebSocket could not be opened");
  expect(await log.textContent()).not.toContain("Connected");
  expect(served()).toContain("! Refused with 401: The token is missing or wrong");

  writeFileSync(join(project, "server.mjs"), onFreePorts(guide.file("server.mjs")));
  serve(ownServer);
  const own = address
    .trim()
    .replace(`:${ports[8001]}`, `:${ports[8002]}`)
    .replace("secret-of-this-page", "token-of-ada");
  await expect
    .poll(
      async () => {
        await page.goto("about:blank");
        await page.goto(own);
        await expect.poll(() => log.textContent()).not.toBe("");
        return await log.textContent();
      },
      { interval: 500 },
    )
    .toContain("Connected to reference-agent");
  expect(complaints).toEqual([]);
});
