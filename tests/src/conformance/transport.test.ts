import { spawn } from "node:child_process";

import { createStreamTransport, createMessagePortTransport, ndjson, contentLength, type Transport } from "@acp/core";
import { spawnAgent } from "@acp/node";
import { describe, expect, test } from "vitest";

import { collect } from "./harness/collect.ts";
import { rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";
import { isAlive } from "../support/is-alive.ts";
import type { Message } from "./harness/raw-peer.ts";
import { programOf, referenceAgent, temporaryDirectory } from "./harness/reference.ts";

const lineBreaks = "a\nb\r\nc\u2028d";
const otherScripts = "Größe, 大きさ, 🎛️";

const saying = (text: string): ReturnType<typeof agentThat> =>
  agentThat(async (_, { turn }) => {
    await turn.message(text);
    return { stopReason: "end_turn" };
  });

describe("an agent", () => {
  test("TRAN-01: reads and writes UTF-8", async () => {
    const peer = await rawClient(
      agentThat(async ({ prompt }, { turn }) => {
        for (const block of prompt) await turn.message(block);
        return { stopReason: "end_turn" };
      }),
    );
    await peer.prompt(await peer.open(), otherScripts);
    expect(peer.updates).toMatchObject([{ content: { text: otherScripts } }]);
  });

  test("TRAN-01: survives bytes that are not UTF-8", async () => {
    const peer = await rawClient(agentThat());
    peer.write(Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d, 0x0a));
    expect((await peer.initialize()).result.protocolVersion).toBe(1);
    expect(peer.diagnostics.map(({ type }) => type)).toEqual(["framing"]);
  });

  test("TRAN-04, TRAN-05: writes each message as a line, with any content", async () => {
    const peer = await rawClient(saying(lineBreaks));
    await peer.prompt(await peer.open(), "go");
    expect(peer.lines.map((line) => JSON.parse(line))).toEqual(peer.received);
    expect(peer.updates).toMatchObject([{ content: { text: lineBreaks } }]);
  });

  test("TRAN-06: has nothing but messages on its stdout", async () => {
    const { peer, exited } = referenceAgent();
    const sessionId = await peer.open();
    await peer.prompt(sessionId, "/help");
    await peer.prompt(sessionId, "no such thing");
    peer.write("no message\n");
    peer.end();
    expect(await exited).toBe(0);
    expect(peer.lines.length).toBeGreaterThan(4);
    for (const line of peer.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });

  test("TRAN-10: ends when its client closes its stdin", async () => {
    const { peer, exited } = referenceAgent();
    await peer.open();
    peer.end();
    expect(await exited).toBe(0);
  });

  test("TRAN-12: does not take the other framing for messages", async () => {
    const peer = await rawClient(agentThat());
    const body = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}';
    peer.write(`Content-Length: ${body.length}\r\n\r\n`);
    expect((await peer.initialize()).result.protocolVersion).toBe(1);
    expect(peer.diagnostics.map(({ type }) => type)).toContain("framing");
  });

  test("TRAN-13: writes its messages while its turn is silent", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn, signal }) => {
        await turn.message("before");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { stopReason: "cancelled" };
      }),
    );
    const sessionId = await peer.open();
    const prompt = peer.startPrompt(sessionId);
    // Nothing else is written that could take it along.
    expect((await peer.next("session/update")).params.update).toMatchObject({ content: { text: "before" } });
    peer.notify("session/cancel", { sessionId });
    await peer.answerTo(prompt);
  });

  test("TRAN-13: writes its messages before its turn continues", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn, client }) => {
        await turn.message("before");
        await client.request("session/request_permission", { toolCall: { toolCallId: "c" }, options: [] });
        return { stopReason: "end_turn" };
      }),
    );
    const prompt = peer.startPrompt(await peer.open());
    const question = await peer.next("session/request_permission");
    // While the turn is held up by the question, what it said before has come.
    expect(peer.updates).toMatchObject([{ content: { text: "before" } }]);
    peer.reply(question, { outcome: { outcome: "cancelled" } });
    await peer.answerTo(prompt);
  });

  test("TRAN-17: keeps messages apart that several turns write at once", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        await Promise.all(Array.from({ length: 50 }, (_each, index) => turn.message(`${index} `.repeat(2_000))));
        return { stopReason: "end_turn" };
      }),
    );
    const sessions = [await peer.open(), await peer.newSession(), await peer.newSession()];
    await Promise.all(sessions.map((sessionId) => peer.prompt(sessionId)));
    expect(peer.updates).toHaveLength(150);
  });

  test.each(["[]", '[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}]'])(
    "TRAN-18: refuses the batch %s",
    async (batch) => {
      const peer = await rawClient(agentThat());
      peer.write(`${batch}\n`);
      expect((await peer.answerTo(null)).error?.code).toBe(-32600);
      await peer.initialize();
      expect(peer.received).toHaveLength(2);
    },
  );
});

describe("a client", () => {
  test("TRAN-01: reads and writes UTF-8", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    const turn = session.prompt(otherScripts);
    const prompt = await peer.next("session/prompt");
    expect(prompt.params.prompt[0].text).toBe(otherScripts);
    const content = { type: "text", text: otherScripts };
    peer.notify("session/update", { sessionId: session.id, update: { sessionUpdate: "agent_message_chunk", content } });
    peer.reply(prompt, { stopReason: "end_turn" });
    const updates = await collect(turn.updates);
    expect(updates).toMatchObject([{ content }]);
  });

  test("TRAN-03: starts its agent as a child, and ends it", async () => {
    const { agent } = await rawAgent(clientWith());
    const { pid } = agent.process;
    expect(isAlive(pid)).toBe(true);
    expect((await agent.newSession({ cwd: "/project" })).id).toBe("session-1");
    await agent.close();
    expect(isAlive(pid)).toBe(false);
  });

  test("TRAN-04, TRAN-05, TRAN-07: writes each message as a line, and nothing else", async () => {
    const { peer, agent } = await rawAgent(clientWith(), { "session/prompt": { stopReason: "end_turn" } });
    await (await agent.newSession({ cwd: "/project" })).prompt(lineBreaks).response;
    await agent.close();
    await peer.closed;
    expect(peer.lines.map((line) => JSON.parse(line).method)).toEqual(["initialize", "session/new", "session/prompt"]);
    expect(peer.received[2]?.params.prompt[0].text).toBe(lineBreaks);
  });

  test("TRAN-10: closes its agent's stdin when it is done", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    await agent.close();
    await peer.closed;
    expect(await agent.process.exited).toEqual({ exitCode: 0, signal: null });
  });

  test("TRAN-13: writes a call while the one before it is open", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    const first = session.prompt("hi");
    const prompt = await peer.next("session/prompt");
    const second = agent.request("_second", {});
    peer.reply(await peer.next("_second"), {});
    await second;
    peer.reply(prompt, { stopReason: "end_turn" });
    await first.response;
  });

  test("TRAN-13: writes a notification though nothing comes after it", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    void agent.notify("_note", {});
    expect((await peer.next("_note")).params).toEqual({});
  });

  test("TRAN-12: does not take the other framing for messages", async () => {
    const { peer, agent, diagnostics } = await rawAgent(clientWith({ _ask: () => ({}) }));
    const body = '{"jsonrpc":"2.0","id":1,"method":"_ask","params":{}}';
    peer.write(`Content-Length: ${body.length}\r\n\r\n`);
    await agent.newSession({ cwd: "/project" });
    expect(diagnostics.map(({ type }) => type)).toContain("framing");
    expect(peer.received.map(({ method }) => method)).toEqual(["initialize", "session/new"]);
  });

  test("TRAN-17: keeps messages apart that are written at once", async () => {
    const { peer, agent } = await rawAgent(clientWith(), { _echo: {} });
    const long = "x".repeat(20_000);
    await Promise.all(Array.from({ length: 50 }, (_, index) => agent.request("_echo", { index, long })));
    expect(peer.calls("_echo").map(({ params }) => params.index)).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  test("TRAN-18: takes no batch from its agent", async () => {
    const { peer, agent, diagnostics } = await rawAgent(clientWith({ _ask: () => ({}) }));
    peer.write('[{"jsonrpc":"2.0","id":1,"method":"_ask","params":{}}]\n');
    await agent.newSession({ cwd: "/project" });
    expect(peer.answers(1)).toEqual([]);
    expect(diagnostics.map(({ type }) => type)).toEqual(["noise"]);
  });
});

test("TRAN-02/both: the reference client and the reference agent talk over stdio", async () => {
  const agent = programOf("agent", ["--pace", "0"]);
  const [command, ...args] = programOf("client", ["--prompt", "plan", "--cwd", temporaryDirectory(), "--", ...agent]);
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.on("data", (text: Buffer) => (printed += text.toString()));
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  expect(printed).toContain("end_turn");
});

test("TRAN-11, TRAN-12/both: both sides take Content-Length when it is chosen, and newlines when nothing is", async () => {
  const [command, ...args] = programOf("agent", ["--framing", "content-length"]);
  const agent = await spawnAgent(clientWith(), { command, args, framing: contentLength });
  const session = await agent.newSession({ cwd: "/project" });
  expect((await session.prompt(otherScripts).response).stopReason).toBe("end_turn");
  await agent.close();
  const text = '{"jsonrpc":"2.0"}';
  const written = [ndjson.encode([text]), contentLength.encode([`"${otherScripts}"`])];
  expect(written.map((bytes) => new TextDecoder().decode(bytes))).toEqual([
    `${text}\n`,
    `Content-Length: ${Buffer.byteLength(otherScripts) + 2}\r\n\r\n"${otherScripts}"`,
  ]);
});

/** Notes the methods that a client sends. */
type Watch = (direction: "sent" | "received", text: string) => void;

const channels: readonly (readonly [string, (onTraffic: Watch) => readonly [Transport, Transport]])[] = [
  [
    "a message channel",
    (onTraffic) => {
      const { port1, port2 } = new MessageChannel();
      return [createMessagePortTransport(port1), createMessagePortTransport(port2, { onTraffic })];
    },
  ],
  [
    "web streams",
    (onTraffic) => {
      const [up, down] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
      return [
        createStreamTransport({ readable: up.readable, writable: down.writable }),
        createStreamTransport({ readable: down.readable, writable: up.writable }, { onTraffic }),
      ];
    },
  ],
];

test.each(channels)(
  "TRAN-14/both, TRAN-15/both: over %s messages and lifecycle are the same",
  async (_name, makePair) => {
    const sent: Message[] = [];
    const [forAgent, forClient] = makePair((direction, text) => {
      if (direction === "sent") sent.push(JSON.parse(text) as Message);
    });
    saying("hello").connect(forAgent);
    const agent = await clientWith().connect(forClient);
    const session = await agent.newSession({ cwd: "/project" });
    const turn = session.prompt("hi");
    expect(await collect(turn.updates)).toMatchObject([{ content: { type: "text", text: "hello" } }]);
    expect((await turn.response).stopReason).toBe("end_turn");
    await agent.close();
    expect(sent.map(({ method }) => method)).toEqual(["initialize", "session/new", "session/prompt"]);
  },
);
