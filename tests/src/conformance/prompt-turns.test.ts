import { createAgent } from "@acp/core";
import { describe, expect, test } from "vitest";

import { blobResource, contentBlocks } from "../support/samples.ts";
import { collect } from "./harness/collect.ts";
import { rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";
import { referenceAgent, temporaryDirectory } from "./harness/reference.ts";

const done = { stopReason: "end_turn" } as const;
const { text, image, audio, resource_link: link, resource } = contentBlocks;
const kinds = { image: [image], audio: [audio], embeddedContext: [resource, blobResource] };

describe("an agent", () => {
  test("PROM-01, PROM-02: refuses a prompt without session, and one without content", async () => {
    const peer = await rawClient(agentThat());
    await peer.initialize();
    expect((await peer.call("session/prompt", { sessionId: "none", prompt: [text] })).error?.code).toBe(-32002);
    expect((await peer.call("session/prompt", { sessionId: await peer.newSession() })).error?.code).toBe(-32602);
  });

  test("PROM-05: takes text and links, even if it advertises nothing", async () => {
    const seen: unknown[] = [];
    const peer = await rawClient(
      agentThat(({ prompt }) => {
        seen.push(...prompt);
        return done;
      }),
    );
    expect((await peer.prompt(await peer.open(), [text, link] as object[])).result).toEqual(done);
    expect(seen).toEqual([text, link]);
  });

  test.each(Object.entries(kinds))(
    "PROM-06: takes %s if it advertises that, and refuses it otherwise",
    async (kind, blocks) => {
      const handlers = { "session/prompt": () => done };
      const promptCapabilities = { [kind]: true };
      const info = { name: "agent", version: "1.0.0" };
      const able = await rawClient(createAgent({ info, capabilities: { promptCapabilities }, handlers }));
      expect((await able.prompt(await able.open(), blocks as object[])).result).toEqual(done);
      const unable = await rawClient(createAgent({ info, handlers }));
      expect((await unable.prompt(await unable.open(), blocks as object[])).error?.code).toBe(-32602);
    },
  );

  test("PROM-08: ends its turn with a stop reason when no tool call is left open", async () => {
    const { peer } = referenceAgent();
    await peer.initialize();
    const sessionId = await peer.newSession({ cwd: temporaryDirectory() });
    const answer = await peer.prompt(sessionId, "run node --version");
    const left = new Map(peer.updates.map(({ toolCallId, status }) => [toolCallId, status]));
    left.delete(undefined);
    expect([...left.values()]).toEqual(["completed"]);
    expect(answer.result).toEqual(done);
    expect(peer.received.at(-1)).toBe(answer);
  });

  test.each(["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"] as const)(
    "PROM-09, PROM-10: may end its turn with %s, even in the middle of a tool call",
    async (stopReason) => {
      const peer = await rawClient(
        agentThat(async (_, { turn }) => {
          await turn.toolCall({ title: "Search" });
          return { stopReason };
        }),
      );
      expect((await peer.prompt(await peer.open())).result).toEqual({ stopReason });
    },
  );

  test("PROM-12: reports the updates of its turn before it answers", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        // Not awaited: what was said before the return is part of the turn all the same.
        for (const word of ["one", "two", "three"]) void turn.message(word);
        return done;
      }),
    );
    const answer = await peer.prompt(await peer.open());
    expect(peer.updates.map(({ content }) => (content as { text: string }).text)).toEqual(["one", "two", "three"]);
    expect(peer.received.at(-1)).toBe(answer);
  });

  test("PROM-13: reports more while its tool runs, and uses the client's files meanwhile", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn, client }) => {
        const call = await turn.toolCall({ title: "Read" });
        const reading = client.request("fs/read_text_file", { path: "/project/a" });
        await turn.message("reading");
        const { content } = await reading;
        await call.complete(content);
        return done;
      }),
    );
    const prompt = peer.startPrompt(await peer.open({ fs: { readTextFile: true } }));
    const read = await peer.next("fs/read_text_file");
    await peer.next(({ params }) => params?.update?.sessionUpdate === "agent_message_chunk", "the chunk");
    peer.reply(read, { content: "text" });
    await peer.answerTo(prompt);
    expect(peer.updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      "tool_call",
      "agent_message_chunk",
      "tool_call_update",
    ]);
  });

  test("PROM-14: refuses a second prompt while a turn runs, and takes it afterwards", async () => {
    const peer = await rawClient(
      agentThat(async (_, { client }) => {
        await client.request("session/request_permission", { toolCall: { toolCallId: "c" }, options: [] });
        return done;
      }),
    );
    const sessionId = await peer.open();
    const first = peer.startPrompt(sessionId);
    const question = await peer.next("session/request_permission");
    expect((await peer.prompt(sessionId)).error?.code).toBe(-32600);
    peer.answerAlways({ "session/request_permission": { outcome: { outcome: "cancelled" } } });
    await peer.answerTo(first);
    expect((await peer.prompt(sessionId)).result).toEqual(done);
    expect(question.params.sessionId).toBe(sessionId);
  });
});

describe("a client", () => {
  test("PROM-01, PROM-02: prompts with content in a session that it has opened", async () => {
    const { peer, agent } = await rawAgent(clientWith(), { "session/prompt": done });
    await (await agent.newSession({ cwd: "/project" })).prompt("hi").response;
    expect(peer.received.map(({ method }) => method)).toEqual(["initialize", "session/new", "session/prompt"]);
    expect(peer.received[2]?.params).toEqual({ sessionId: "session-1", prompt: [{ type: "text", text: "hi" }] });
  });

  test("PROM-01: sends no prompt for a session that it has not opened, or that it has closed", async () => {
    const agentCapabilities = { sessionCapabilities: { close: {} } };
    const { peer, agent } = await rawAgent(clientWith(), {
      initialize: { protocolVersion: 1, agentCapabilities },
      "session/close": {},
    });
    const session = await agent.newSession({ cwd: "/project" });
    await session.close();
    for (const sessionId of [session.id, "another's"]) {
      const prompting = agent.request("session/prompt", { sessionId, prompt: [] });
      await expect(prompting).rejects.toMatchObject({ code: "usage", message: expect.stringContaining("PROM-01") });
    }
    await peer.settle();
    expect(peer.calls("session/prompt")).toEqual([]);
  });

  test("PROM-03: sends text and links to every agent", async () => {
    const { peer, agent } = await rawAgent(clientWith(), { "session/prompt": done });
    await (await agent.newSession({ cwd: "/project" })).prompt([text, link] as never).response;
    expect(peer.calls("session/prompt")[0]?.params.prompt).toEqual([text, link]);
  });

  test.each(Object.entries(kinds))("PROM-03: sends %s only to agents that advertise it", async (kind, blocks) => {
    const unable = await rawAgent(clientWith());
    const refused = (await unable.agent.newSession({ cwd: "/project" })).prompt(blocks as never);
    await expect(refused.response).rejects.toMatchObject({ code: "missing_capability" });
    await unable.peer.settle();
    expect(unable.peer.calls("session/prompt")).toEqual([]);
    const agentCapabilities = { promptCapabilities: { [kind]: true } };
    const able = await rawAgent(clientWith(), {
      initialize: { protocolVersion: 1, agentCapabilities },
      "session/prompt": done,
    });
    await (await able.agent.newSession({ cwd: "/project" })).prompt(blocks as never).response;
    expect(able.peer.calls("session/prompt")[0]?.params.prompt).toEqual(blocks);
  });

  test("PROM-10: takes no stop reason that is not in the protocol", async () => {
    const { agent } = await rawAgent(clientWith(), { "session/prompt": { stopReason: "bored" } });
    const { response } = (await agent.newSession({ cwd: "/project" })).prompt("hi");
    await expect(response).rejects.toMatchObject({ code: "protocol_violation" });
  });

  test("PROM-14: continues in the same session with the next prompt", async () => {
    const { peer, agent } = await rawAgent(clientWith(), { "session/prompt": done });
    const session = await agent.newSession({ cwd: "/project" });
    await session.prompt("one").response;
    expect(await collect(session.prompt("two").updates)).toEqual([]);
    expect(peer.calls("session/prompt").map(({ params }) => params.sessionId)).toEqual(["session-1", "session-1"]);
  });
});
