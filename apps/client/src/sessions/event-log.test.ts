import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { EventLog } from "./event-log.ts";
import type { ExecEvent } from "./events/exec-event.ts";
import { type LoggedEvent, readEvents } from "./session-store.ts";

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "event-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "events.jsonl");
}

async function eventsIn(path: string): Promise<readonly LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for await (const event of readEvents(path)) events.push(event);
  return events;
}

const start: ExecEvent = { type: "start", version: 1, program: "0", time: "", cwd: "/", command: [] };

function says(text: string, messageId?: string): ExecEvent {
  return { type: "message", speaker: "agent", ...(messageId === undefined ? {} : { messageId }), text };
}

test("joins the parts of a message, and nothing else", async () => {
  const path = newFile();
  const log = new EventLog(path);
  for (const text of ["a", "b"]) log.write(says(text));
  log.write(says("c", "other"));
  log.write({ ...says("d", "other"), replaces: true } as ExecEvent);
  log.write({ type: "thought", text: "e" });
  log.close();
  const events = await eventsIn(path);
  expect(events.map(({ text, type }) => [type, text])).toEqual([
    ["message", "ab"],
    ["message", "c"],
    ["message", "d"],
    ["thought", "e"],
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("goes on behind half a line of a process that was killed", async () => {
  const path = newFile();
  writeFileSync(path, `${JSON.stringify(says("whole"))}\n{"type":"message","te`);
  const log = new EventLog(path);
  log.write(says("next"));
  log.close();
  expect((await eventsIn(path)).map(({ text }) => text)).toEqual(["whole", "next"]);
});

test("drops the oldest runs of a log that has become large, and the end of a run without an end", async () => {
  const path = newFile();
  const log = new EventLog(path);
  for (let run = 0; run < 12; run += 1) {
    log.write(start);
    log.write(says(`${run}:${"x".repeat(2 ** 20)}`));
  }
  log.close();
  const texts = (await eventsIn(path)).flatMap(({ text }) => (typeof text === "string" ? text : []));
  expect(texts.at(-1)).toMatch(/^11:/u);
  expect(texts.length).toBeGreaterThan(3);
  expect(readFileSync(path).length).toBeLessThan(10 * 2 ** 20);
  const endless = new EventLog(path);
  for (let part = 0; part < 40; part += 1) endless.write(says("y".repeat(2 ** 20)));
  endless.close();
  expect(readFileSync(path).length).toBeLessThan(18 * 2 ** 20);
});
