// The session as its user saw it after a message, and two recordings beside each other, in a real browser.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { RecordedMessage } from "@acp/record";
import { expect, test } from "vitest";

import { clientProgram, run } from "../../support/main-job-programs.ts";
import { linesOf, makeRecording } from "./make-recording.ts";
import { filterBy, rows, StudioPages } from "./studio-pages.ts";

const pages = new StudioPages();

test("shows the session with calls, changes and questions as it was after each message", async () => {
  const page = await pages.open(
    await pages.pageOf(await pages.record("run.ndjson", "Fix the failing test")),
    "#d=session",
  );
  const content = page.locator("#detail .content");
  await filterBy(page, "session/request_permission");
  await rows(page).first().click();
  await expect.poll(() => content.textContent()).toContain("A question that waits for the user");
  expect(await content.textContent()).toContain("? The agent asks for permission");
  expect(await content.textContent()).toContain("Allow once");
  expect(await content.locator(".status").textContent()).toBe("The agent waits for an answer.");
  expect(await content.locator(".lines.diff, .question").first().textContent()).toMatch(/[+-]/u);
  await page.keyboard.press("p");
  await expect.poll(() => content.textContent()).toContain("A question, and its answer");
  await filterBy(page, "");
  await page.keyboard.press("Escape");
  await page.locator("#list").evaluate((list) => (list.scrollTop = list.scrollHeight));
  await filterBy(page, "kind:result method:prompt");
  await rows(page).last().click();
  await expect.poll(() => content.locator(".status").textContent()).toBe("The agent waits for a prompt.");
  const whole = await content.textContent();
  expect(whole).toContain("Fix the failing test");
  expect(await content.locator(".item.call").count()).toBeGreaterThan(2);
  expect(await content.locator(".item.agent").count()).toBeGreaterThan(0);
  // Back to the message, and to the session.
  await page.keyboard.press("s");
  await expect.poll(() => content.textContent()).toContain("stopReason");
  await page.keyboard.press("s");
  await expect.poll(() => content.textContent()).toBe(whole);
  expect(page.url()).toMatch(/d=session/u);
});

test("jumps to any message of a long recording, and shows the same wherever it came from", async () => {
  const file = join(pages.folder, "big.ndjson");
  writeFileSync(file, linesOf(makeRecording(40_000)));
  const page = await pages.open(await pages.pageOf(file), "#m=30000&d=session");
  const content = page.locator("#detail .content");
  await expect.poll(() => content.locator(".item.now").count()).toBe(1);
  const first = await content.textContent();
  const jump = (message: number): Promise<number> =>
    page.evaluate(async (m) => {
      const shown = (): boolean =>
        document.querySelector("#detail h2")?.textContent?.startsWith(`${m} `) === true &&
        document.querySelector("#detail .session") !== null;
      document.querySelector("#detail .content")?.replaceChildren();
      const began = performance.now();
      location.hash = `#m=${m}&d=session`;
      while (!shown()) await new Promise((resolve) => setTimeout(resolve, 2));
      return performance.now() - began;
    }, message);
  await jump(39_000);
  await jump(12_000);
  const back = await jump(30_000);
  expect(await content.textContent()).toBe(first);
  // A tenth of a second on an idle machine; without moments that are kept it would be a second each time.
  expect(back).toBeLessThan(5_000);
});

test("two recordings in one page: what is only in one, what changed, and what took longer", async () => {
  const entry = (direction: "sent" | "received", at: number, message: object): RecordedMessage => ({
    time: new Date(1_772_000_000_000 + at).toISOString(),
    direction,
    message: { jsonrpc: "2.0", ...message },
  });
  const update = (sessionId: string, of: object): object => ({
    method: "session/update",
    params: { sessionId, update: of },
  });
  const call = (id: string, title: string): object => ({
    sessionUpdate: "tool_call",
    toolCallId: id,
    title,
    kind: "edit",
    status: "pending",
  });
  const made = (session: string, titles: readonly string[], text: string, took: number): RecordedMessage[] => [
    entry("sent", 0, { id: 0, method: "initialize", params: { protocolVersion: 1 } }),
    entry("received", 5, { id: 0, result: { protocolVersion: 1 } }),
    entry("sent", 10, { id: 1, method: "session/new", params: { cwd: "/project", mcpServers: [] } }),
    entry("received", 15, { id: 1, result: { sessionId: session } }),
    entry("sent", 20, { id: 2, method: "session/prompt", params: { sessionId: session, prompt: [] } }),
    ...titles.map((title, at) => entry("received", 30 + at, update(session, call(`${session}-${at}`, title)))),
    entry("received", 40, update(session, { sessionUpdate: "agent_message_chunk", content: { type: "text", text } })),
    entry("received", 20 + took, { id: 2, result: { stopReason: "end_turn" } }),
  ];
  const left = pages.write(made("s-1", ["Read a.js", "Edit a.js"], "Done", 200), "left.ndjson");
  const right = pages.write(made("s-1", ["Edit a.js", "Run tests"], "All done", 600), "right.ndjson");
  const printed = await run([clientProgram, "inspect", left, "--compare", right]);
  expect(printed).toMatchObject({ code: 1, stderr: "" });
  expect(printed.stdout).toContain('- session/update agent_message_chunk "Done"\n');
  expect(printed.stdout).toContain('+ session/update agent_message_chunk "All done"\n');
  expect(printed.stdout).toContain("session/prompt answer took 200 ms, and 600 ms in the other\n");
  expect(await run([clientProgram, "inspect", left, "--compare", left])).toEqual({
    code: 0,
    stdout: "Both recordings say the same\n",
    stderr: "",
  });
  const page = await pages.open(await pages.pageOf(left, "--compare", right), "#q=differs");
  await expect
    .poll(() => page.locator("#summary").textContent())
    .toBe("1 changed · 1 only in the first · 1 only in the second");
  const marks = (): Promise<string[]> => page.locator("#list .row .mark").allTextContents();
  await expect.poll(marks).toEqual(["−", "+", "~"]);
  await page.keyboard.press("n");
  const content = page.locator("#detail .content");
  await expect.poll(() => content.textContent()).toContain("Only the first recording has it.");
  await page.keyboard.press("n");
  await expect.poll(() => content.textContent()).toContain("Only the second recording has it.");
  await page.keyboard.press("n");
  await expect.poll(() => content.locator(".changes tbody").textContent()).toBe('all of it"Done""All done"');
  await expect.poll(() => content.locator(".sides details").count()).toBeGreaterThan(1);
  await filterBy(page, "method:prompt kind:result");
  await rows(page).first().click();
  await expect
    .poll(() => content.textContent())
    .toContain("It took 200 ms, and 600 ms in the second: 3.0 times as long.");
  // Both sessions have the same id, and are two: one does not have the calls of the other.
  const session = async (q: string): Promise<string> => {
    await page.evaluate((of) => (location.hash = `#q=${of}&d=tree`), encodeURIComponent(q));
    await expect.poll(() => page.locator("#filter").inputValue()).toBe(q);
    await rows(page).first().click();
    await page.locator("#detail [role=tab]", { hasText: "Session" }).click();
    await expect.poll(() => content.locator(".session").count()).toBe(1);
    return (await content.textContent()) ?? "";
  };
  expect(await session("changed")).toMatch(/Read a\.js.*Done/u);
  expect(await session("right")).toMatch(/Edit a\.js.*Run tests/u);
  expect(await session("right")).not.toContain("Read a.js");
});
