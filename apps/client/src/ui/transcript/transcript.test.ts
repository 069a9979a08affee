import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { ChatItem, ChatState } from "../chat-state.ts";
import { idleState } from "../testing/chat-states.ts";
import { openTypedScreen } from "../testing/typed-screen.ts";
import { sampleCall } from "../../../../../packages/render/src/testing/samples.ts";
import { sampleCallItem } from "../view/testing/sample-states.ts";
import { copySequence, saveTranscript } from "./take-out.ts";
import { Transcript } from "./transcript.ts";

const numbered = (count: number): string => Array.from({ length: count }, (_, at) => `word ${at}`).join("\n");
const output = sampleCall("Build", {
  status: "completed",
  content: [{ kind: "content", content: { type: "text", text: numbered(60) } }],
});
const items: readonly ChatItem[] = [
  { id: 1, kind: "user", text: "Do it\nnow", attachments: [] },
  { id: 2, kind: "thought", text: `Let me think. ${"Hm. ".repeat(60)}At last.`, isOpen: false },
  { ...sampleCallItem(3, output), until: 1_000 },
  { id: 4, kind: "agent", text: "Done \u202Eand said", isOpen: false },
];

async function open(state: ChatState = { ...idleState, items }) {
  let shown = state;
  let isOpen = true;
  const copied: string[] = [];
  const saved: string[] = [];
  const transcript = new Transcript(
    state,
    {
      copy: (text) => `copied ${copied.push(text)}`,
      save: async (text) => `saved ${saved.push(text)}`,
    },
    () => {},
  );
  const screen = await openTypedScreen(
    {
      isFull: true,
      draw: (size) => transcript.draw(shown, size),
      onTyped(typed) {
        if (!("pasted" in typed)) isOpen = transcript.press(typed);
      },
    },
    80,
    12,
  );
  return {
    screen,
    copied,
    saved,
    isOpen: () => isOpen,
    show: (next: ChatState) => {
      shown = next;
      return screen.draw();
    },
    /** Everything that can be scrolled to. */
    async all(): Promise<string> {
      await screen.type("g");
      const pages = [screen.frame];
      for (let page = 0; page < 100; page += 1) {
        await screen.type("\u001B[6~");
        if (screen.frame === pages.at(-1)) break;
        pages.push(screen.frame);
      }
      return pages.join("\n");
    },
  };
}

test("everything is whole: outputs, thoughts and prompts", async () => {
  const { screen, all } = await open();
  await using _ = screen;
  expect(screen.frame).toContain("Done and said");
  const text = await all();
  for (let at = 0; at < 60; at += 1) expect(text).toMatch(new RegExp(`│ word ${at}$`, "mu"));
  expect(text).toContain("At last.");
  expect(text).toContain("now");
  expect(text).not.toContain("…");
});

test("what is searched for is found, forwards and backwards, and once around", async () => {
  const { screen } = await open();
  await using _ = screen;
  await screen.type("g");
  await screen.type("/");
  await screen.type("WORD 3");
  await screen.type("\r");
  expect(screen.frame).toContain("Nothing found");
  await screen.type("/");
  await screen.type("word 3\r");
  const first = screen.frame.split("\n")[0];
  expect(first).toContain("word 3");
  await screen.type("n");
  expect(screen.frame.split("\n")[0]).toContain("word 30");
  await screen.type("N");
  expect(screen.frame.split("\n")[0]).toBe(first);
});

test("what a row breaks is found in both rows: between words, and inside of one that fills the row", async () => {
  const path = `/${"deep/".repeat(20)}needle.ts`;
  const said = `${"so many words ".repeat(20)}and the last word`;
  const { screen } = await open({
    ...idleState,
    items: [
      { id: 1, kind: "user", text: path, attachments: [] },
      { id: 2, kind: "agent", text: said, isOpen: false },
      { id: 3, kind: "agent", text: "nee\n\ndle", isOpen: false },
    ],
  });
  await using _ = screen;
  const rows = screen.frame.split("\n");
  const broken = rows.findIndex((row) => row.trimEnd().endsWith("many"));
  expect(broken).toBeGreaterThan(0);
  const ends = new RegExp(`❯ .*many\\n.*words`, "u");
  await screen.type("/many words so\r");
  expect(screen.frame).toMatch(/Found 1 of \d+/u);
  for (let press = 0; press < 20 && !ends.test(screen.frame); press += 1) await screen.type("n");
  expect(screen.frame).toMatch(ends);
  expect(screen.rawFrame).toContain("\u001B[7m");
  // What ends a paragraph is not the beginning of the next.
  await screen.type("/needle\r");
  expect(screen.frame).toMatch(/Found 1 of 1/u);
  await screen.type(`/${path}\r`);
  expect(screen.frame).toMatch(/Found 1 of 1/u);
  await screen.type(`/${path.replace("deep", "dee")}\r`);
  expect(screen.frame).toMatch(/Nothing found/u);
});

test("what is found near the end is one after the other, too, and says which of all it is", async () => {
  const { screen } = await open();
  await using _ = screen;
  // Lines 57 to 59 are all on the last page.
  await screen.type("/");
  await screen.type("word 5\r");
  const seen: string[] = [];
  for (let time = 0; time < 12; time += 1) {
    seen.push(`${/^❯ .*(word \d+)$/mu.exec(screen.frame)?.[1]}: ${/Found (\d+ of \d+)/u.exec(screen.frame)?.[1]}`);
    await screen.type("n");
  }
  const all = [5, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59];
  const first = seen.findIndex((one) => one.startsWith("word 5:"));
  expect(seen.slice(first, first + 2)).toEqual(["word 5: 1 of 11", "word 50: 2 of 11"]);
  expect(new Set(seen)).toEqual(new Set(all.map((number, at) => `word ${number}: ${at + 1} of 11`)));
  await screen.type("NN");
  await screen.type("\u001B[A");
  expect(screen.frame).not.toContain("Found");
});

test("what is copied is on the screen", async () => {
  const { screen, copied } = await open();
  await using _ = screen;
  await screen.type("g");
  await screen.type("y");
  expect(copied[0]).toContain("word 3");
  expect(screen.frame).toMatch(/^▌.*word 1$/mu);
});

test.each([false, true])("all keys fit into 80 columns, also while a question waits: %s", async (isAsked) => {
  const questions: ChatState["questions"] = isAsked ? [{ id: 1, kind: "login", logins: [] }] : [];
  const { screen } = await open({ ...idleState, items, questions });
  await using _ = screen;
  expect(screen.frame).toMatch(/s: save$/mu);
  await screen.type("/word\r");
  expect(screen.frame).toMatch(/y: copy$/mu);
});

test("a part is marked, copied and everything is saved", async () => {
  const { screen, copied, saved } = await open();
  await using _ = screen;
  await screen.type("y");
  expect(screen.frame).toContain("copied 1");
  await screen.type("p");
  await screen.type("y");
  expect(copied[0]).toBe("Done and said");
  expect(copied[1]).toContain("word 59");
  await screen.type("s");
  await screen.draw();
  expect(screen.frame).toContain("saved 1");
  expect(saved[0]).toMatch(/^❯ Do it\n[^]*word 30\n[^]*Done and said\n$/u);
});

test("it follows what is new at the end, and stays where the user reads", async () => {
  const { screen, show } = await open();
  await using _ = screen;
  const more = (id: number): ChatItem => ({ id, kind: "agent", text: `More ${id}`, isOpen: false });
  await show({ ...idleState, items: [...items, more(5)] });
  expect(screen.frame).toContain("More 5");
  await screen.type("\u001B[A");
  const before = screen.frame.split("\n").slice(0, -1);
  await show({ ...idleState, items: [...items, more(5), more(6)] });
  expect(screen.frame.split("\n").slice(0, -1)).toEqual(before);
});

test.each(["\u001B[27u", "q", "\u000F", "\u0003"])("%j goes back", async (key) => {
  const { screen, isOpen } = await open();
  await using _ = screen;
  await screen.type("x");
  expect(isOpen()).toBe(true);
  await screen.type(key);
  expect(isOpen()).toBe(false);
});

test("a text for the clipboard is in base64, and not longer than terminals take", () => {
  expect(copySequence("a\u00E9")).toBe("\u001B]52;c;YcOp\u0007");
  expect(copySequence("x".repeat(60_000))).toBeUndefined();
});

test("a saved transcript is a new file, readable only for the user", async () => {
  const folder = mkdtempSync(join(tmpdir(), "acp-transcript-"));
  try {
    const names = [await saveTranscript(folder, "one"), await saveTranscript(folder, "two")];
    expect(names[0]).not.toBe(names[1]);
    expect(names.map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(["one", "two"]);
    if (process.platform !== "win32") expect(statSync(join(folder, names[0] ?? "")).mode & 0o777).toBe(0o600);
    await expect(saveTranscript(join(folder, "missing"), "x")).rejects.toThrow(/ENOENT/u);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
