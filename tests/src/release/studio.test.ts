// The page of a trace, as `acp inspect --out` writes it, in a real browser: opened as a file, without a network.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { inspectRecording } from "@acp/inspect";
import type { RecordedMessage } from "@acp/record";
import { beforeAll, expect, test } from "vitest";

import { plantedSecrets, secretsIn } from "../../../packages/record/test/redaction/corpus.ts";
import { clientProgram, referenceAgent, run, sampleProject } from "../support/main-job-programs.ts";
import { hostileRecording } from "./studio/hostile-recording.ts";
import { linesOf, makeRecording } from "./studio/make-recording.ts";
import { rows, StudioPages } from "./studio/studio-pages.ts";

const pages = new StudioPages();
const base = pages.folder;
const many = 100_000;
const big = join(base, "big.ndjson");
let bigPage: string;

beforeAll(async () => {
  writeFileSync(big, linesOf(makeRecording(many)));
  bigPage = await pageOf(big);
});

const pageOf = (recording: string, ...options: string[]): Promise<string> => pages.pageOf(recording, ...options);
const write = (recording: readonly RecordedMessage[], name: string): string => pages.write(recording, name);
const open: StudioPages["open"] = (...given) => pages.open(...given);

/** All that a page has of its recording. */
function unpacked(file: string): string {
  const html = readFileSync(file, "utf8");
  const around = html.replaceAll(/<script[^]*?<\/script>/gu, "");
  const packed = [...html.matchAll(/<script type="text\/plain" id="(?:trace|chunk-\d+)">([^<]*)<\/script>/gu)];
  return [around, ...packed.map(([, base64 = ""]) => gunzipSync(Buffer.from(base64, "base64")).toString())].join("\n");
}

test("a page of 100,000 messages is small, opens without a request, and shows the first and the last row", async () => {
  const json = statSync(big).size;
  expect(statSync(bigPage).size / json).toBeLessThan(0.15);
  const page = await open(bigPage);
  await expect.poll(() => page.locator("#summary").textContent()).toContain("100,000 messages · 5 sessions");
  await expect.poll(() => rows(page).first().textContent()).toContain("initialize");
  await page.locator("#list").evaluate((list) => (list.scrollTop = list.scrollHeight));
  const last = await page.evaluate(() => Number(document.querySelector("#list .row")?.getAttribute("aria-setsize")));
  await expect.poll(() => rows(page).last().getAttribute("aria-posinset")).toBe(String(last));
  // Only what is seen is there.
  expect(await page.locator("*").count()).toBeLessThan(700);
});

test("a list that is higher than a browser scrolls has its last row, too", async () => {
  const recording = makeRecording(50);
  const [{ time, direction } = recording[0]!] = recording;
  const entry: RecordedMessage = { time, direction, message: { jsonrpc: "2.0", method: "_x" } };
  const count = 400_000;
  const page = await open(
    await pageOf(write([...recording, ...Array.from({ length: count }, () => entry)], "high.ndjson")),
  );
  await page.locator("#list").evaluate((list) => (list.scrollTop = list.scrollHeight));
  const size = Number(await rows(page).first().getAttribute("aria-setsize"));
  expect(size).toBeGreaterThan(count);
  await expect.poll(() => rows(page).last().getAttribute("aria-posinset")).toBe(String(size));
  await page.keyboard.press("Escape");
  await page.locator("#list").evaluate((list) => (list.scrollTop = 0));
  await expect.poll(() => rows(page).first().getAttribute("aria-posinset")).toBe("1");
});

test("a link opens a message, and the page writes links", async () => {
  const page = await open(bigPage, "#m=70000&q=session%3As-2&v=timeline");
  await expect.poll(() => page.locator("#detail h2").textContent()).toContain("70000 · ");
  expect(await page.locator("#timeline").isVisible()).toBe(true);
  expect(await page.locator("#filter").inputValue()).toBe("session:s-2");
  await expect.poll(() => page.locator("#count").textContent()).toMatch(/^[\d,]+ of [\d,]+ rows$/u);
  const sessions = await page.locator("#list .row .session").allTextContents();
  expect(new Set(sessions)).toEqual(new Set(["s-2"]));
  await page.locator("#filter").fill("");
  await page.keyboard.press("Escape");
  await page.keyboard.press("t");
  await expect.poll(() => new URL(page.url()).hash).toBe("#m=70000");
  await page.keyboard.press("j");
  await expect.poll(() => new URL(page.url()).hash).not.toBe("#m=70000");
  await page.keyboard.press("k");
  const [start] = [Number(/m=(\d+)/u.exec(page.url())?.[1])];
  expect(start).toBeLessThanOrEqual(70_000);
});

test("keys go to findings, turns, answers and the filter", async () => {
  const page = await open(bigPage);
  const title = (): Promise<string | null> => page.locator("#detail h2").textContent();
  await page.keyboard.press("n");
  await expect.poll(title).toContain("tool_call");
  await expect
    .poll(() => page.locator("#detail .finding").textContent())
    .toMatch(/^! \/update\/status: expected one of/u);
  await page.keyboard.press("]");
  await expect.poll(title).toContain("session/prompt · request of the client");
  const prompt = await title();
  await page.keyboard.press("p");
  await expect.poll(title).toContain("session/prompt · result of the agent");
  expect(await page.locator("#detail .facts").textContent()).toMatch(/answers message \d+took [\d.]+ m?s/u);
  await page.keyboard.press("p");
  await expect.poll(title).toBe(prompt);
  await page.keyboard.press("?");
  expect(await page.locator("#help").isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.keyboard.type("jnp");
  expect(await page.locator("#filter").inputValue()).toBe("jnp");
  expect(await title()).toBe(prompt);
});

test("a table has the times of each method, and filters the list", async () => {
  const page = await open(bigPage);
  await page.locator("#times-button").click();
  const row = page.locator("#times tbody tr", { hasText: "fs/read_text_file" });
  const answers = makeRecording(many).filter(({ message }) => JSON.stringify(message).includes('"result":{"content"'));
  expect(await row.locator("td").first().textContent()).toBe(String(answers.length));
  expect(await row.textContent()).toMatch(/file\d+0\d+ ms\d+ ms\d+ ms$/u);
  await row.locator("button").click();
  await expect.poll(() => page.locator("#filter").inputValue()).toBe('method:"fs/read_text_file"');
  await expect.poll(() => page.locator("#count").textContent()).toMatch(/^[\d,]+ of [\d,]+ rows$/u);
  await expect.poll(() => page.locator("#list .row .name").first().textContent()).toContain("fs/read_text_file");
  expect(await page.locator("#times").isVisible()).toBe(false);
});

test("a text is found in all messages, and a search can be stopped", async () => {
  const page = await open(bigPage);
  await page.locator("#filter").fill("method:prompt kind:request plan wait");
  await expect.poll(() => page.locator("#count").textContent()).toMatch(/^[\d,]+ of [\d,]+ rows$/u);
  const recording = makeRecording(many);
  const prompts = recording.filter(({ message }) =>
    /"method":"session\/prompt".*plan wait/u.test(JSON.stringify(message)),
  );
  expect(prompts.length).toBeGreaterThan(5);
  expect(await page.locator("#count").textContent()).toMatch(new RegExp(`^${prompts.length} of`, "u"));
  const took = await page.evaluate(async () => {
    const field = document.querySelector<HTMLInputElement>("#filter")!;
    field.value = "no such text at all";
    const began = performance.now();
    field.dispatchEvent(new Event("input"));
    while (document.body.dataset["search"] !== "running") await new Promise((resolve) => setTimeout(resolve, 1));
    while (document.body.dataset["search"] === "running") await new Promise((resolve) => setTimeout(resolve, 5));
    return performance.now() - began;
  });
  // Two seconds on an idle machine; a search that looked at each message by itself would take minutes.
  expect(took).toBeLessThan(20_000);
  await page.locator("#filter").fill("the");
  await page.locator("#stop").click();
  await expect.poll(() => page.locator("#stop").isVisible()).toBe(false);
});

test("every finding that the log tells is in the page", async () => {
  const recording = hostileRecording();
  const file = write(recording, "findings.ndjson");
  const page = await open(await pageOf(file));
  const { messages } = inspectRecording(recording);
  const expected = messages.flatMap(({ findings }, at) =>
    findings.map(({ path, reason, isHint }) => [at + 1, isHint === true, path, reason] as const),
  );
  expect(expected.length).toBeGreaterThan(5);
  const log = await run([clientProgram, "inspect", file]);
  expect(
    log.stdout.split("\n").filter((line) => / (?:agent|client) +[!?] (?!.*was never answered)/u.test(line)),
  ).toHaveLength(expected.length);
  for (const [number, isHint, path, reason] of expected) {
    await page.evaluate((m) => (location.hash = `#m=${m}`), number);
    await expect.poll(() => page.locator("#detail h2").textContent()).toMatch(new RegExp(`^${number} · `, "u"));
    const told = await page.locator("#detail .finding").allTextContents();
    expect(told.join("\n")).toContain(`${isHint ? "?" : "!"} ${path === "" ? "" : `${path}: `}${reason}`);
    const [, rule] = /\(([A-Z]+-\d+)\)/u.exec(reason) ?? [];
    if (rule !== undefined) expect(await page.locator("#detail .finding a").allTextContents()).toContain(rule);
  }
  await page.locator("#filter").fill("wrong");
  const wrong = messages.filter(({ findings }) => findings.some(({ isHint }) => isHint !== true)).length;
  await expect.poll(() => page.locator("#count").textContent()).toMatch(new RegExp(`^${wrong} of `, "u"));
});

test("whatever a recording has, nothing of it runs, and every view shows it", async () => {
  const recording = hostileRecording();
  const file = write(recording, "</title><script>alert(0)<!--.ndjson".replaceAll("/", "∕"));
  // Its writer was ended in mid line.
  writeFileSync(file, `${readFileSync(file, "utf8")}{"time":"2026-03-01T10:00:00.000Z","direction":"sent","mess`);
  const page = await open(await pageOf(file));
  expect(await page.locator("#title").textContent()).toContain("<script>alert(0)<!--");
  // In the page: a message to the browser for each step would take most of the time.
  const shown = await page.evaluate(async (count) => {
    const all = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)];
    const until = async (isThere: () => boolean): Promise<void> => {
      while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 1));
    };
    const views = new Map<string, number>();
    const links = new Set<string>();
    for (let number = 1; number <= count; number++) {
      location.hash = `#m=${number}`;
      await until(() => all("#detail h2")[0]?.textContent.startsWith(`${number} · `) === true);
      for (const { textContent: view } of all("#detail [role=tab]")) {
        const before = all("#detail .content")[0];
        all("#detail [role=tab]")
          .find((tab) => tab.textContent === view)
          ?.click();
        await until(() => all("#detail .content")[0] !== before && all("#detail .content > *").length > 0);
        views.set(view, (views.get(view) ?? 0) + 1);
        for (const { href } of document.querySelectorAll("a")) links.add(href);
      }
    }
    return { views: [...views], links: [...links] };
  }, recording.length);
  expect(shown.views).toEqual(["Tree", "Raw", "Bytes", "Session"].map((view) => [view, recording.length]));
  const made = await page
    .locator("img, iframe, object, embed, svg, script:not([type])")
    .evaluateAll((all) => all.length);
  // The viewer itself.
  expect(made).toBe(1);
  // Of rules and methods.
  expect(shown.links.length).toBeGreaterThan(2);
  for (const link of shown.links)
    expect(link).toMatch(/^https:\/\/github\.com\/acp-toolkit\/acp\/blob\/main\/docs\/[\w./-]+#[\w-]+$/u);
  expect(await page.evaluate(() => "hit" in window)).toBe(false);
});

test("no planted secret is in the page, unless it is asked for, which a red bar tells", async () => {
  const planted = plantedSecrets.filter(({ text }) => text !== undefined);
  expect(planted.length).toBeGreaterThan(50);
  const opening = makeRecording(14);
  const entries = planted.map(({ text }): RecordedMessage => {
    const update = { sessionUpdate: "tool_call", toolCallId: "t", title: text, rawInput: { command: text } };
    const message = { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s-1", update } };
    return { time: "2026-03-01T10:00:00.000Z", direction: "received", message };
  });
  const file = write([...opening, ...entries], "secrets.ndjson");
  const shortest = planted.filter(({ secrets }) => secrets.every((secret) => secret.length > 7));
  const page = await pageOf(file);
  expect(secretsIn(unpacked(page), shortest)).toEqual([]);
  expect(await (await open(page)).locator("#secrets").isVisible()).toBe(false);
  const open2 = await pageOf(file, "--with-secrets");
  expect(secretsIn(unpacked(open2), shortest).length).toBeGreaterThan(50);
  expect(await (await open(open2)).locator("#secrets").isVisible()).toBe(true);
});

test("--without-text leaves no word of a prompt, and the same rows", async () => {
  const file = write(makeRecording(2_000), "words.ndjson");
  const before = await open(await pageOf(file));
  const all = await rows(before).first().getAttribute("aria-setsize");
  const short = await pageOf(file, "--without-text");
  expect(unpacked(short)).not.toMatch(/because|npm|project/u);
  const page = await open(short);
  expect(await page.locator("#sizes").isVisible()).toBe(true);
  await expect.poll(() => rows(page).first().getAttribute("aria-setsize")).toBe(all);
});

test("acp exec --trace-html makes a page of the run", async () => {
  using project = sampleProject();
  const out = join(base, "run.html");
  const options = ["--cwd", project.path, "--allow", "--trace-html", out];
  const ended = await run([clientProgram, "exec", ...options, "Fix the failing test", ...referenceAgent]);
  expect(ended).toMatchObject({ code: 0 });
  const page = await open(out, "#q=session%2Fprompt");
  await expect.poll(() => page.locator("#summary").textContent()).toMatch(/^\d+ messages · 1 session · nothing wrong/u);
  const missing = await run([
    clientProgram,
    "exec",
    "--trace-html",
    join(base, "no/such/run.html"),
    "x",
    ...referenceAgent,
  ]);
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain("--trace-html");
});

test.each([
  ["light", 390],
  ["light", 1280],
  ["dark", 390],
  ["dark", 1280],
] as const)("the page fits in %s at %i pixels, with a message and the timeline", async (colorScheme, width) => {
  const page = await open(bigPage, "#m=4000&v=timeline", { colorScheme, viewport: { width, height: 800 } });
  await expect.poll(() => page.locator("#detail .content > *").count()).toBeGreaterThan(0);
  const shots = process.env["STUDIO_SHOTS"];
  if (shots !== undefined) await page.screenshot({ path: join(shots, `${colorScheme}-${width}.png`) });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  const low = await page.evaluate(() => {
    const luminance = (colour: string): number => {
      const [red = 0, green = 0, blue = 0] = (/[\d.]+, [\d.]+, [\d.]+/u.exec(colour)?.[0] ?? "")
        .split(", ")
        .map((part) => Number(part) / 255)
        .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const back = (element: Element | null): string => {
      if (element === null) return "rgb(255, 255, 255)";
      const { backgroundColor } = getComputedStyle(element);
      return backgroundColor === "rgba(0, 0, 0, 0)" ? back(element.parentElement) : backgroundColor;
    };
    return [...document.querySelectorAll("body *")]
      .filter((element) =>
        [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== ""),
      )
      .filter((element) => !["SCRIPT", "STYLE"].includes(element.tagName) && element.checkVisibility())
      .filter((element) => {
        const [one, other] = [luminance(getComputedStyle(element).color), luminance(back(element))];
        return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) < 4.5;
      })
      .map((element) => `${element.tagName} ${element.className} ${element.textContent}`);
  });
  // WCAG 2.2, 1.4.3.
  expect(low).toEqual([]);
});
