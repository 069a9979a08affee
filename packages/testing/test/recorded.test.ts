// What an agent said in a recording is said again by a script.
import { readdirSync, readFileSync } from "node:fs";

import { createClient, UsageError } from "@acp/core";
import { type RecordedMessage, recordTransport } from "@acp/record";
import { describe, expect, test } from "vitest";

import {
  at,
  call,
  fakeAgent,
  fakeClient,
  plan,
  request,
  say,
  testClock,
  textAt,
  think,
  waitFor,
} from "../src/index.ts";
import { recordedPrompts, recordedScript } from "../src/recorded/index.ts";

const info = { name: "test", version: "1.0.0" };
const folder = new URL("../../../tests/src/conformance/recorded-wire/recordings/", import.meta.url);

interface WireLine {
  readonly scenario?: string;
  readonly from?: "agent" | "client";
  readonly message?: object;
}

/** The scenarios of a recorded wire, as recordings. */
function scenariosOf(file: string): readonly { readonly name: string; readonly entries: readonly RecordedMessage[] }[] {
  const scenarios: { name: string; entries: RecordedMessage[] }[] = [];
  for (const line of readFileSync(new URL(file, folder), "utf8").trim().split("\n")) {
    const { scenario, from, message } = JSON.parse(line) as WireLine;
    if (scenario !== undefined) scenarios.push({ name: `${file}: ${scenario}`, entries: [] });
    if (message === undefined) continue;
    const direction = from === "client" ? "sent" : "received";
    scenarios.at(-1)?.entries.push({ time: "2026-01-01T00:00:00Z", direction, message });
  }
  return scenarios;
}

/** The updates of prompted sessions in a recording, without those that begin and end turns of version 2. */
function updatesOf(entries: readonly RecordedMessage[]): readonly unknown[] {
  return entries
    .filter(({ direction, message }) => direction === "received" && textAt(message, "method") === "session/update")
    .map(({ message }) => at(message, "params", "update"))
    .filter((update) => textAt(update, "sessionUpdate") !== "state_update");
}

describe("recorded wires of the repository", () => {
  const played = readdirSync(folder)
    .filter((file) => /^v[12]-(?:turns|helpers|running)\.ndjson$/u.test(file))
    .flatMap(scenariosOf)
    // Turns that one client plays one after another, to their ends.
    .filter(({ entries }) => {
      const of = (method: string): number =>
        entries.filter(({ message }) => textAt(message, "method") === method).length;
      return of("session/prompt") > 0 && of("session/new") === 1 && of("session/cancel") + of("$/cancel_request") === 0;
    });

  test("there are many", () => expect(played.length).toBeGreaterThan(15));

  test.each(played)("$name", async ({ entries }) => {
    const script = recordedScript(entries);
    const agent = fakeAgent(JSON.parse(JSON.stringify(script)) as typeof script);
    const handlers = new Proxy({}, { get: () => () => ({}) });
    await using client = fakeClient(agent, { protocol: script.protocol, handlers, timeout: 3_000 });
    for (const prompt of recordedPrompts(entries)) client.prompt(prompt);
    const expected = updatesOf(entries);
    await client.peer.until(() => said().length >= expected.length, `${expected.length} updates`);
    expect(said().toSorted(byText)).toEqual(expected.toSorted(byText));
    await agent.close();

    function said(): readonly unknown[] {
      return client.updates.filter((update) => textAt(update, "sessionUpdate") !== "state_update");
    }
  });
});

const byText = (one: unknown, other: unknown): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);

describe("a session that was recorded", () => {
  const original = (): ReturnType<typeof fakeAgent> =>
    fakeAgent(
      function* ({ number }) {
        if (number === 1) {
          yield think("hm");
          yield say("Hi", { after: 200 });
          yield call("edit", { ask: true, output: "2 lines" });
          yield plan(["Read"]);
        } else {
          yield request("fs/read_text_file", { path: "/a" }, { unanswered: true });
          yield say("meanwhile");
          yield waitFor("fs/read_text_file");
          yield say(" done");
        }
      },
      {
        opened: [{ update: { sessionUpdate: "available_commands_update", availableCommands: [] } }],
        answers: { "session/load": [say("old")] },
        session: { modes: { currentModeId: "ask", availableModes: [] } },
      },
    );

  async function record(agent: ReturnType<typeof fakeAgent>): Promise<RecordedMessage[]> {
    const entries: RecordedMessage[] = [];
    const client = createClient({
      info,
      handlers: {
        "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "allow" } }),
        "fs/read_text_file": () => ({ content: "text" }),
      },
    });
    const connected = await client.connect(recordTransport(agent.transport(), (entry) => entries.push(entry)));
    const session = await connected.newSession({ cwd: "/project" });
    for (const text of ["one", "two"]) await session.prompt(text).response;
    await connected.loadSession({ sessionId: "s", cwd: "/project" });
    await connected.close();
    return entries;
  }

  test("sounds the same when its script is recorded again, and comes to an end", async () => {
    const first = await record(original());
    const again = fakeAgent(recordedScript(first.map((entry) => `${JSON.stringify(entry)}\n`).join("")));
    const spoken = (entries: readonly RecordedMessage[]): unknown[] =>
      entries
        .filter(({ direction }) => direction === "received")
        .map(({ message }) => ({ ...(message as object), id: 0 }));
    expect(spoken(await record(again))).toEqual(spoken(first));
    await using client = fakeClient(again);
    await expect(Promise.resolve(client.prompt("three"))).resolves.toMatchObject({
      error: { message: "The recording has no further prompt" },
    });
    expect(recordedPrompts(first)).toEqual([[{ type: "text", text: "one" }], [{ type: "text", text: "two" }]]);
  });

  test("takes its time, if it shall", async () => {
    const entries = await record(original());
    expect(JSON.stringify(recordedScript(entries))).not.toContain('"after"');
    const [first = []] = recordedScript(entries, { delays: true }).prompts;
    expect(Math.max(...first.map((step) => Number(at(step, "after") ?? 0)))).toBeGreaterThan(150);
    const clock = testClock();
    const agent = fakeAgent(recordedScript(entries, { delays: true }), { clock });
    await using client = fakeClient(agent);
    const turn = client.prompt("one");
    await agent.next("session/prompt");
    await clock.pass(100);
    expect(turn.record.text).toBe("");
    await clock.pass(60_000);
    expect(turn.record.text).toBe("Hi");
  });
});

test("a script waits for the cancel of a recording, and says what the agent said behind it", async () => {
  const entry = (direction: "sent" | "received", message: object): RecordedMessage => ({
    time: "2026-01-01T00:00:00Z",
    direction,
    message: { jsonrpc: "2.0", ...message },
  });
  const chunk = (text: string): object => ({
    method: "session/update",
    params: { sessionId: "x", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
  });
  const script = recordedScript([
    entry("sent", { id: 0, method: "initialize", params: {} }),
    entry("received", { id: 0, result: { protocolVersion: 1 } }),
    entry("sent", { id: 1, method: "session/new", params: {} }),
    entry("received", { id: 1, result: { sessionId: "x" } }),
    entry("sent", { id: 2, method: "session/prompt", params: { sessionId: "x", prompt: [] } }),
    entry("received", chunk("working")),
    entry("sent", { method: "session/cancel", params: { sessionId: "x" } }),
    entry("received", chunk(", stopped")),
    entry("received", { id: 2, result: { stopReason: "cancelled" } }),
  ]);
  await using client = fakeClient(fakeAgent(script));
  const turn = client.prompt("Go");
  await turn.until(({ text }) => text === "working");
  await turn.cancel();
  expect(await turn).toMatchObject({ text: "working, stopped", stopReason: "cancelled" });
});

test("anything but a recording is refused", () => {
  expect(() => recordedScript("{}\n")).toThrow(UsageError);
  expect(() => recordedScript("")).toThrow("must begin where its connection does");
  expect(() => recordedPrompts(undefined as never)).toThrow("takes the text of a recording");
});
