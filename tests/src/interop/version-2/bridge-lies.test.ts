// Agents that break the protocol, behind the bridge: nothing of what they say is lost, and nobody waits for ever.
import { createMemoryTransportPair } from "@acp/core";
import { bridgeAgent } from "@acp/hub/bridge";
import { spawnTransport } from "@acp/node";
import { at, Peer, pipeChannel, transportChannel } from "@acp/testing";
import { agentCommand } from "@acp/testing/process";
import { describe, expect, onTestFinished, test } from "vitest";

type Message = Readonly<Record<string, unknown>>;
type Script = Readonly<Record<string, readonly unknown[]>>;

const answer = (result: unknown): Message => ({ jsonrpc: "2.0", id: "$id", result });
const update = (one: object, sessionId = "s"): Message => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId, update: one },
});
const ask = (id: unknown, method: string, params: object): Message => ({ jsonrpc: "2.0", id, method, params });
const state = (name: string, more: object = {}): Message =>
  update({ sessionUpdate: "state_update", state: name, ...more });
const chunk = (text: string, more: object = { messageId: "m" }): object => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
  ...more,
});

/** How an agent of each version begins. */
const openings: Readonly<Record<1 | 2, Script>> = {
  1: {
    initialize: [answer({ protocolVersion: 1, agentCapabilities: { loadSession: true } })],
    "session/new": [answer({ sessionId: "s" })],
  },
  2: {
    initialize: [answer({ protocolVersion: 2, info: { name: "a", version: "1" }, capabilities: { session: {} } })],
    "session/new": [answer({ sessionId: "s" })],
  },
};

/** A client of the other version that has opened a session with a scripted agent. */
async function connect(version: 1 | 2, script: Script) {
  const lines = { ...openings[version], ...script };
  const command = await agentCommand({
    attach(pipe, host) {
      const peer: Peer = new Peer(pipeChannel(pipe), {
        onMessage({ id, method }) {
          const said = lines[method ?? "answer"] ?? [];
          const text = said.map((one) => `${JSON.stringify(one)}\n`).join("");
          // In one piece.
          peer.write(text.replaceAll('"$id"', JSON.stringify(id)));
          if (text.includes('"$exit"')) host.crash({ code: 3 });
        },
      });
      void peer.closed.then(() => peer.close());
      return peer;
    },
  });
  onTestFinished(() => command.close());
  const bridge = bridgeAgent({ connect: () => spawnTransport(command) });
  const [own, far] = createMemoryTransportPair();
  const client = new Peer(transportChannel(own));
  const connection = bridge.connect(far);
  const other = 3 - version;
  await client.call("initialize", {
    protocolVersion: other,
    info: { name: "c", version: "1" },
    clientCapabilities: {},
  });
  await client.call("session/new", { cwd: "/project", mcpServers: [] });
  return {
    client,
    updates: () => client.calls("session/update").map(({ params }) => at(params, "update") as Message),
    prompt: () => client.call("session/prompt", { sessionId: "s", prompt: [{ type: "text", text: "Hello" }] }),
    until: (isSo: () => boolean) => client.until(isSo, "what the bridge had to say"),
    close: () => connection.close(),
  };
}

const isIdle = (one: Message): boolean => one["state"] === "idle";

describe("an agent of version 1 that", () => {
  test.each<[string, readonly unknown[], readonly unknown[]]>([
    [
      "sends updates of unknown kinds, and ones that cannot be read",
      [
        update({ sessionUpdate: "hologram", data: [1] }),
        update({ sessionUpdate: "tool_call", toolCallId: 7 }),
        update({ sessionUpdate: "agent_message_chunk", content: { type: "hologram" } }),
        answer({ stopReason: "tired" }),
      ],
      [
        { sessionUpdate: "hologram", data: [1] },
        { sessionUpdate: "tool_call", toolCallId: 7 },
        { sessionUpdate: "agent_message_chunk", content: { type: "hologram" } },
        { sessionUpdate: "state_update", state: "idle", stopReason: "tired" },
      ],
    ],
    [
      "changes a call before it starts, and sets a mode that nobody knows",
      [
        update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" }),
        update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Late" }),
        update({ sessionUpdate: "current_mode_update", currentModeId: "?" }),
        answer({}),
      ],
      [
        { sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" },
        { sessionUpdate: "tool_call_update", toolCallId: "c", title: "Late" },
        { sessionUpdate: "config_option_update", configOptions: [] },
        { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" },
      ],
    ],
    [
      "answers twice, and goes on after its answer",
      [
        answer({ stopReason: "end_turn" }),
        answer({ stopReason: "refusal" }),
        update(chunk("late", { messageId: "m" })),
        update({ sessionUpdate: "notice", severity: "info", title: "end" }),
      ],
      [
        chunk("late"),
        { sessionUpdate: "notice", severity: "info", title: "end" },
        { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" },
      ],
    ],
    [
      "answers nothing that a prompt is answered with",
      [update(chunk("a")), answer(null)],
      [chunk("a"), { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" }],
    ],
  ])("%s", async (_lie, said, expected) => {
    const client = await connect(1, { "session/prompt": said });
    expect(await client.prompt()).toMatchObject({ result: { messageId: expect.any(String) } });
    await client.until(() => client.updates().some(isIdle) && client.updates().length >= expected.length + 2);
    const seen = client
      .updates()
      .filter((one) => one["sessionUpdate"] !== "user_message" && one["state"] !== "running");
    expect(seen).toHaveLength(expected.length);
    for (const one of expected) expect(seen).toContainEqual(one);
    await client.close();
  });

  test("asks for files that nobody serves, with ids of all kinds, is answered", async () => {
    const client = await connect(1, {
      "session/prompt": [ask("f", "fs/read_text_file", { sessionId: "s", path: "/a" })],
      answer: [update(chunk("answered")), { jsonrpc: "2.0", id: 2, result: { stopReason: "end_turn" } }],
    });
    await client.prompt();
    await client.until(() => client.updates().some((one) => one["sessionUpdate"] === "agent_message_chunk"));
    await client.close();
  });

  test("dies in a turn ends it with an error, and the connection", async () => {
    const client = await connect(1, { "session/prompt": [update(chunk("a")), update({ sessionUpdate: "$exit" })] });
    await client.prompt();
    await client.client.closed;
    expect(client.updates()).toContainEqual(chunk("a"));
    expect(client.updates().at(-1)).toMatchObject({ state: "idle", stopReason: "error", error: { code: -32_603 } });
  });
});

describe("an agent of version 2 that", () => {
  const accepted = answer({ messageId: "u" });
  test.each<[string, readonly unknown[], readonly unknown[], object]>([
    [
      "sends updates of unknown kinds, and ones that cannot be read",
      [
        accepted,
        state("running"),
        update({ sessionUpdate: "hologram", data: [1] }),
        update({ sessionUpdate: "plan_update", plan: [] }),
        state("floating"),
        state("idle", { stopReason: "tired" }),
      ],
      [
        { sessionUpdate: "hologram", data: [1] },
        { sessionUpdate: "plan_update", plan: [] },
      ],
      { result: { stopReason: "end_turn" } },
    ],
    [
      "is idle before it has answered, in one piece",
      [
        update({ sessionUpdate: "user_message", messageId: "u", content: [] }),
        state("running"),
        update(chunk("early")),
        state("idle", { stopReason: "refusal" }),
        accepted,
      ],
      [chunk("early")],
      { result: { stopReason: "refusal" } },
    ],
    [
      "does everything in one piece with its answer, without an echo",
      [accepted, state("running"), update(chunk("a")), state("idle", { stopReason: "max_tokens" })],
      [chunk("a")],
      { result: { stopReason: "max_tokens" } },
    ],
    [
      "answers twice, is idle twice, and goes on after its end",
      [
        accepted,
        answer({ messageId: "v" }),
        state("running"),
        state("idle", { stopReason: "end_turn" }),
        state("idle", { stopReason: "refusal" }),
        update(chunk("late")),
      ],
      [chunk("late")],
      { result: { stopReason: "end_turn" } },
    ],
    [
      "never says that it is running",
      [accepted, update(chunk("a")), state("idle", { stopReason: "end_turn" })],
      [chunk("a")],
      { result: { stopReason: "end_turn" } },
    ],
    [
      "fails without a reason",
      [accepted, state("running"), state("idle", { stopReason: "error", error: "no" })],
      [],
      { error: { code: -32_603, message: "The turn failed" } },
    ],
    [
      "adds to calls and terminals that do not exist",
      [
        accepted,
        state("running"),
        update({ sessionUpdate: "terminal_output_chunk", terminalId: "t", data: "!!" }),
        update({
          sessionUpdate: "tool_call_content_chunk",
          toolCallId: "c",
          content: { type: "terminal", terminalId: "t" },
        }),
        state("idle", { stopReason: "end_turn" }),
      ],
      [
        { sessionUpdate: "tool_call", toolCallId: "c", title: "Tool call" },
        {
          sessionUpdate: "tool_call_update",
          toolCallId: "c",
          content: [{ type: "content", content: { type: "text", text: "```\n```" } }],
        },
      ],
      { result: { stopReason: "end_turn" } },
    ],
  ])("%s", async (_lie, said, expected, end) => {
    const client = await connect(2, { "session/prompt": said });
    expect(await client.prompt()).toMatchObject(end);
    await client.until(() => client.updates().length >= expected.length);
    expect(client.updates()).toEqual(expected);
    await client.close();
  });

  test("asks with options of which none is known, is answered as cancelled", async () => {
    const client = await connect(2, {
      "session/prompt": [
        accepted,
        state("running"),
        ask("q", "session/request_permission", {
          sessionId: "s",
          title: "?",
          options: [{ optionId: "a", name: "A", kind: "maybe" }],
        }),
      ],
      answer: [state("idle", { stopReason: "end_turn" })],
    });
    expect(await client.prompt()).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(client.client.calls("session/request_permission")).toEqual([]);
    await client.close();
  });

  test("dies in a turn, before or after it was accepted, answers with an error", async () => {
    for (const before of [[], [accepted, state("running")]]) {
      const client = await connect(2, { "session/prompt": [...before, update({ sessionUpdate: "$exit" })] });
      expect(await client.prompt()).toMatchObject({
        error: { code: -32_603, message: expect.stringContaining("The agent has ended") },
      });
      await client.client.closed;
    }
  });

  test("does not confirm a cancel: the end of its session answers", async () => {
    const client = await connect(2, {
      "session/prompt": [accepted, state("running")],
      "session/close": [answer({})],
    });
    const prompted = client.prompt();
    client.client.notify("session/cancel", { sessionId: "s" });
    await client.client.call("session/close", { sessionId: "s" });
    expect(await prompted).toMatchObject({ result: { stopReason: "cancelled" } });
    await client.close();
  });
});
