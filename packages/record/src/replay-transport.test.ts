import { createAgent, createClient, createMemoryTransportPair, type Transport } from "@acp/core";
import { describe, expect, test } from "vitest";
import { createReplayTransport, parseRecording, type RecordedMessage, recordTransport } from "./index.ts";

const info = { name: "test", version: "1.0.0" };

/** Asks for permission with each prompt, and tells the answer. */
function createAskingAgent(id: string): ReturnType<typeof createAgent> {
  return createAgent({
    info,
    sessionId: () => id,
    handlers: {
      "session/prompt": async ({ prompt }, { turn, signal }) => {
        const [block] = prompt;
        const text = block?.type === "text" ? block.text : "";
        await turn.message(`You said ${text}.`);
        if (text === "wait") {
          if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return { stopReason: "cancelled" };
        }
        const call = await turn.toolCall({ title: "Delete it", kind: "delete" });
        const outcome = await call.requestPermission([{ optionId: "yes", name: "Yes", kind: "allow_once" }]);
        await turn.message(`The answer was ${outcome.outcome}.`);
        return { stopReason: "end_turn" };
      },
    },
  });
}

const allowing = createClient({
  info,
  handlers: { "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "yes" } }) },
});

/** Prompts for each text in turn; returns all that was said. */
async function converse(transport: Transport, texts: readonly string[], client = allowing): Promise<string[]> {
  const agent = await client.connect(transport);
  const session = await agent.newSession({ cwd: "/" });
  const said = [session.id];
  for (const text of texts) {
    const turn = session.prompt(text);
    for await (const update of turn.updates) {
      const { sessionUpdate } = update;
      if (sessionUpdate === "agent_message_chunk" && update.content.type === "text") said.push(update.content.text);
      else said.push(sessionUpdate);
      if (text === "wait") turn.cancel();
    }
    said.push((await turn.response).stopReason);
  }
  await agent.close();
  return said;
}

/** A conversation, as its client has recorded it, written and read again. */
async function record(texts: readonly string[], as: "agent" | "client" = "client"): Promise<RecordedMessage[]> {
  const lines: string[] = [];
  const [left, right] = createMemoryTransportPair();
  const recorded = (transport: Transport): Transport =>
    recordTransport(transport, (entry) => lines.push(`${JSON.stringify(entry)}\n`));
  createAskingAgent("recorded").connect(as === "agent" ? recorded(right) : right);
  await converse(as === "agent" ? left : recorded(left), texts);
  return parseRecording(lines.join(""));
}

const conversation = [
  "recorded",
  "You said one.",
  "tool_call",
  "The answer was selected.",
  "end_turn",
  "You said two.",
  "tool_call",
  "The answer was selected.",
  "end_turn",
];

describe("as an agent", () => {
  test.each(["agent", "client"] as const)(
    "sends a client the agent's messages, as its %s has recorded them",
    async (by) => {
      const recording = await record(["one", "two"], by);
      expect(await converse(createReplayTransport(recording), ["one", "two"])).toEqual(conversation);
      // Whatever the prompts are; and any number of times.
      expect(await converse(createReplayTransport(recording), ["first", "second"])).toEqual(conversation);
    },
  );

  test("continues after a question when it has its answer", async () => {
    const recording = await record(["one"]);
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const said: string[] = [];
    const slow = createClient({
      info,
      handlers: {
        "session/request_permission": async () => {
          expect(said).toEqual(["agent_message_chunk", "tool_call"]);
          await answered;
          return { outcome: { outcome: "selected", optionId: "yes" } };
        },
        "session/update": ({ update }) => {
          said.push(update.sessionUpdate);
          if (update.sessionUpdate === "tool_call") setTimeout(answer, 20);
        },
      },
    });
    expect(await converse(createReplayTransport(recording), ["one"], slow)).toEqual(conversation.slice(0, 5));
    expect(said).toEqual(["agent_message_chunk", "tool_call", "agent_message_chunk"]);
  });

  test("waits for a cancellation", async () => {
    const recording = await record(["wait"]);
    const replayed = await converse(createReplayTransport(recording), ["wait"]);
    expect(replayed).toEqual(["recorded", "You said wait.", "cancelled"]);
  });

  test("rejects messages that the recording does not have, and continues", async () => {
    const recording = await record(["one"]);
    const agent = await allowing.connect(createReplayTransport(recording));
    await expect(agent.request("_other/method")).rejects.toThrow("The recording has no _other/method");
    const session = await agent.newSession({ cwd: "/" });
    await expect(agent.newSession({ cwd: "/" })).rejects.toThrow("The recording has no more session/new");
    expect((await session.prompt("one").response).stopReason).toBe("end_turn");
    await agent.close();
  });

  test("reports missing messages, instead of waiting forever", async () => {
    const recording = await record(["wait"]);
    const agent = await allowing.connect(createReplayTransport(recording, { patience: 30 }));
    const session = await agent.newSession({ cwd: "/" });
    const { response } = session.prompt("wait");
    await expect(response).rejects.toThrow(
      /session\/cancel comes next in the recording, and did not come within 30 ms/,
    );
    await agent.closed;
  });

  test("is not in a hurry while nobody waits for it", async () => {
    const recording = await record(["one"]);
    const agent = await allowing.connect(createReplayTransport(recording, { patience: 5 }));
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect((await agent.newSession({ cwd: "/" })).id).toBe("recorded");
    await agent.close();
  });

  test("translates ids that a client chose differently than before", async () => {
    const lines = [
      { direction: "sent", message: { id: 7, method: "initialize", params: {} } },
      { direction: "received", message: { id: 7, result: { protocolVersion: 1 } } },
      { direction: "sent", message: { id: 8, method: "session/new", params: {} } },
      { direction: "received", message: { id: 8, result: { sessionId: "s" } } },
      { direction: "sent", message: { id: 9, method: "session/prompt", params: { sessionId: "s", prompt: [] } } },
      {
        direction: "received",
        message: { id: 1, method: "terminal/create", params: { sessionId: "s", command: "x" } },
      },
      { direction: "sent", message: { id: 1, result: { terminalId: "old" } } },
      {
        direction: "received",
        message: { id: 2, method: "terminal/release", params: { sessionId: "s", terminalId: "old" } },
      },
      { direction: "sent", message: { id: 2, result: {} } },
      { direction: "received", message: { id: 9, result: { stopReason: "end_turn" } } },
    ];
    const entries = lines.map(({ direction, message }) => ({ direction, message: { jsonrpc: "2.0", ...message } }));
    const released: string[] = [];
    const client = createClient({
      info,
      handlers: {
        "terminal/create": () => ({ terminalId: "new" }),
        "terminal/output": () => ({ output: "", truncated: false }),
        "terminal/wait_for_exit": () => ({ exitCode: 0 }),
        "terminal/kill": () => ({}),
        "terminal/release": ({ terminalId }) => {
          released.push(terminalId);
          return {};
        },
      },
    });
    const recording = parseRecording(entries.map((entry) => JSON.stringify(entry)).join("\n"));
    expect(await converse(createReplayTransport(recording), ["x"], client)).toEqual(["s", "end_turn"]);
    expect(released).toEqual(["new"]);
  });

  test("tells two sessions apart, in any order of use", async () => {
    const say = (sessionId: string): object => ({
      jsonrpc: "2.0",
      method: "session/update",
      params: {
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: sessionId } },
      },
    });
    const messages: [RecordedMessage["direction"], object][] = [
      ["sent", { id: 0, method: "initialize", params: {} }],
      ["received", { id: 0, result: { protocolVersion: 1 } }],
      ["sent", { id: 1, method: "session/new", params: {} }],
      ["received", { id: 1, result: { sessionId: "a" } }],
      ["sent", { id: 2, method: "session/new", params: {} }],
      ["received", { id: 2, result: { sessionId: "b" } }],
      ["sent", { id: 3, method: "session/prompt", params: { sessionId: "a", prompt: [] } }],
      ["sent", { id: 4, method: "session/prompt", params: { sessionId: "b", prompt: [] } }],
      ["received", say("b")],
      ["received", say("a")],
      ["received", { id: 4, result: { stopReason: "refusal" } }],
      ["received", { id: 3, result: { stopReason: "end_turn" } }],
    ];
    const recording = messages.map(([direction, message]) => ({
      time: "2026-01-01T00:00:00.000Z",
      direction,
      message: { jsonrpc: "2.0", ...message },
    }));
    const agent = await allowing.connect(createReplayTransport(recording));
    const [a, b] = [await agent.newSession({ cwd: "/" }), await agent.newSession({ cwd: "/" })];
    const turns = [b.prompt("b"), a.prompt("a")];
    const texts = turns.map(async ({ updates, response }) => {
      const said: unknown[] = [];
      for await (const update of updates) said.push("content" in update && update.content);
      return [said, (await response).stopReason];
    });
    expect(await Promise.all(texts)).toEqual([
      [[{ type: "text", text: "b" }], "refusal"],
      [[{ type: "text", text: "a" }], "end_turn"],
    ]);
    await agent.close();
  });

  test("takes the time that it took, divided by its speed", async () => {
    const at = (milliseconds: number): string => new Date(Date.UTC(2026, 0) + milliseconds).toISOString();
    const recording: RecordedMessage[] = [
      { time: at(0), direction: "sent", message: { jsonrpc: "2.0", id: 0, method: "initialize", params: {} } },
      { time: at(400), direction: "received", message: { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } } },
    ];
    const start = performance.now();
    const agent = await allowing.connect(createReplayTransport(recording, { speed: 4 }));
    expect(performance.now() - start).toBeGreaterThan(95);
    await agent.close();
    // Closed while it waits, it keeps nothing alive and says nothing more.
    const [transport, messages] = [createReplayTransport(recording, { speed: 4 }), [] as string[]];
    transport.start({ message: (text) => messages.push(text), issue() {}, closed() {} });
    void transport.send('{"jsonrpc":"2.0","id":0,"method":"initialize"}', "soon");
    await new Promise((resolve) => setTimeout(resolve, 10));
    await transport.close();
    await new Promise((resolve) => setTimeout(resolve, 110));
    expect(messages).toEqual([]);
  });

  test("plays noise as noise", async () => {
    const [opening, answer] = await record([]);
    const noise = { time: opening!.time, direction: "received", message: "npm WARN deprecated" } as const;
    const told: string[] = [];
    const client = createClient({ info, onDiagnostic: ({ type }) => told.push(type) });
    const agent = await client.connect(createReplayTransport([opening!, noise, answer!]));
    expect(told).toEqual(["noise"]);
    await agent.close();
  });

  test("does not play ahead of a reader that is slow", async () => {
    const [opening, answer] = await record([]);
    const chunk = { time: opening!.time, direction: "received", message: "x".repeat(100_000) } as const;
    const transport = createReplayTransport([opening!, answer!, ...Array.from({ length: 50 }, () => chunk)]);
    let count = 0;
    transport.start({ message: () => count++ === 4 && transport.pause(), issue() {}, closed() {} });
    void transport.send(JSON.stringify(opening!.message), "soon");
    await expect.poll(() => count).toBe(5);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(count).toBe(5);
    transport.resume();
    await expect.poll(() => count).toBe(51);
    await transport.close();
  });

  test("ends without a word when a reader closes it that was slow", async () => {
    const [opening, answer] = await record([]);
    const chunk = { time: opening!.time, direction: "received", message: "x".repeat(100_000) } as const;
    const transport = createReplayTransport([opening!, answer!, ...Array.from({ length: 50 }, () => chunk)]);
    const ended: unknown[] = [];
    transport.start({ message: () => transport.pause(), issue() {}, closed: (reason) => ended.push(reason) });
    void transport.send(JSON.stringify(opening!.message), "soon");
    await new Promise((resolve) => setTimeout(resolve, 20));
    await transport.close();
    // A rejection that nobody handles would fail the run.
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(ended).toEqual([undefined]);
  });
});

describe("as a client", () => {
  test.each(["agent", "client"] as const)(
    "sends an agent the client's messages, as its %s has recorded them",
    async (by) => {
      const recording = await record(["one", "two"], by);
      const again: RecordedMessage[] = [];
      const replay = createReplayTransport(recording, { as: "client" });
      // The new agent calls its sessions otherwise.
      const connection = createAskingAgent("another").connect(recordTransport(replay, (entry) => again.push(entry)));
      // It leaves when all is answered.
      await connection.closed;
      const said = again.flatMap(({ direction, message }) => (direction === "sent" ? [JSON.stringify(message)] : []));
      expect(said.filter((message) => message.includes("The answer was selected."))).toHaveLength(2);
      expect(said.filter((message) => message.includes('"stopReason":"end_turn"'))).toHaveLength(2);
      expect(said.join("\n")).not.toContain('"recorded"');
    },
  );

  test("cancels a turn that runs", async () => {
    const recording = await record(["wait"]);
    const again: RecordedMessage[] = [];
    const replay = createReplayTransport(recording, { as: "client" });
    await createAskingAgent("another").connect(recordTransport(replay, (entry) => again.push(entry))).closed;
    expect(JSON.stringify(again.at(-1)?.message)).toContain('"stopReason":"cancelled"');
  });
});

describe("a recording", () => {
  test("may come from an editor of Windows", () => {
    const line = '{"time":"","direction":"sent","message":{}}\r\n';
    expect(parseRecording(`\uFEFF${line}${line}`)).toHaveLength(2);
  });

  test("with an invalid line is refused, with the line's number", () => {
    const line = '{"time":"","direction":"sent","message":{}}\n';
    expect(() => parseRecording(`${line}\n{"jsonrpc":"2.0"}\n`)).toThrow(
      "Line 3 of the recording is no entry: expected {",
    );
    expect(() => parseRecording(`${line}{"tim\n${line}`)).toThrow("Line 2 of the recording");
    // A process that was ended has not written it whole.
    expect(parseRecording(`${line}{"tim`)).toHaveLength(1);
    expect(() => createReplayTransport([{}] as never)).toThrow("Entry 1 of the recording is no entry");
  });

  test("without its beginning is refused, as is an option that is not a number", async () => {
    const recording = await record([]);
    expect(() => createReplayTransport(recording.slice(1))).toThrow("The recording has no initialize");
    expect(() => createReplayTransport(recording, { speed: 0 })).toThrow("speed is 0; expected a number above 0");
    expect(() => createReplayTransport(recording, { patience: -1 })).toThrow("patience is -1");
  });
});
