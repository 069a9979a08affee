import type { McpServer } from "@acp/schema/v1";
import { describe, expect, test } from "vitest";

import { collect } from "./harness/collect.ts";
import { rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";

const done = { stopReason: "end_turn" } as const;

describe("an agent", () => {
  test("COMPAT-01: takes capabilities that it cannot read for those that are not there", async () => {
    let seen: unknown;
    const peer = await rawClient(
      agentThat((_, { client }) => {
        seen = client.capabilities;
        return done;
      }),
    );
    const { result } = await peer.initialize({ fs: { readTextFile: "yes" }, terminal: 1 });
    expect(result.protocolVersion).toBe(1);
    await peer.prompt(await peer.newSession());
    expect(seen).toEqual({ fs: { readTextFile: false }, terminal: false });
    expect(peer.diagnostics).toMatchObject([{ type: "tolerated", method: "initialize" }]);
  });

  test("COMPAT-02: leaves out an audience that it cannot read, and keeps the others", async () => {
    let seen: unknown;
    const peer = await rawClient(
      agentThat(({ prompt }) => {
        seen = prompt[0]?.annotations;
        return done;
      }),
    );
    await peer.prompt(await peer.open(), [
      { type: "text", text: "hi", annotations: { audience: ["user", "nobody", 5, "assistant"] } },
    ]);
    expect(seen).toEqual({ audience: ["user", "assistant"] });
  });

  test.each([{}, { fs: {} }, { fs: { readTextFile: false, writeTextFile: false }, terminal: false }])(
    "COMPAT-04: acts on the capabilities %j as on their defaults",
    async (capabilities) => {
      const peer = await rawClient(
        agentThat(async (_, { client }) => {
          const calls = [
            client.request("fs/read_text_file", { path: "/a" }),
            client.request("fs/write_text_file", { path: "/a", content: "" }),
            client.request("terminal/create", { command: "true" }),
          ];
          const outcomes = await Promise.allSettled(calls);
          return { stopReason: outcomes.every(({ status }) => status === "rejected") ? "refusal" : "end_turn" };
        }),
      );
      const before = peer.received.length;
      expect((await peer.prompt(await peer.open(capabilities))).result).toEqual({ stopReason: "refusal" });
      expect(peer.received.length).toBe(before + 3);
    },
  );

  test("COMPAT-03: reads null for mcpServers as none, and refuses a call without", async () => {
    const peer = await rawClient(agentThat());
    await peer.initialize();
    expect((await peer.call("session/new", { cwd: "/project", mcpServers: null })).error).toBeUndefined();
    expect((await peer.call("session/new", { cwd: "/project" })).error?.code).toBe(-32602);
  });
});

describe("a client", () => {
  test("COMPAT-01: takes capabilities that it cannot read for those that are not there", async () => {
    const { agent, diagnostics } = await rawAgent(clientWith(), {
      initialize: { protocolVersion: 1, agentCapabilities: { loadSession: "yes", promptCapabilities: { image: 1 } } },
    });
    expect(agent.capabilities).toEqual({ loadSession: false, promptCapabilities: { image: false } });
    expect(diagnostics).toMatchObject([{ type: "tolerated", method: "initialize" }]);
  });

  test.each([
    {},
    { promptCapabilities: {}, mcpCapabilities: {} },
    { loadSession: false, mcpCapabilities: { http: false } },
  ])("COMPAT-04: acts on the capabilities %j as on their defaults", async (agentCapabilities) => {
    const { peer, agent } = await rawAgent(clientWith(), { initialize: { protocolVersion: 1, agentCapabilities } });
    const session = await agent.newSession({ cwd: "/project" });
    const before = peer.received.length;
    const web = { type: "http" as const, name: "m", url: "https://example.com", headers: [] } satisfies McpServer;
    const attempts = await Promise.allSettled([
      agent.loadSession({ sessionId: "s", cwd: "/project" }),
      agent.newSession({ cwd: "/project", mcpServers: [web] }),
      session.prompt([{ type: "image", data: "AAEC", mimeType: "image/png" }]).response,
    ]);
    expect(attempts.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await peer.settle();
    expect(peer.received.length).toBe(before + 1);
  });

  test("COMPAT-02: leaves out content of a tool that it cannot read, and keeps the rest", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    const turn = session.prompt("hi");
    const prompt = await peer.next("session/prompt");
    const good = { type: "content", content: { type: "text", text: "good" } };
    const call = { sessionUpdate: "tool_call", toolCallId: "c", title: "T" };
    peer.notify("session/update", {
      sessionId: session.id,
      update: { ...call, content: [{ type: "content" }, good, { type: "hologram" }] },
    });
    peer.reply(prompt, done);
    expect(await collect(turn.updates)).toEqual([{ ...call, content: [good] }]);
  });

  test("COMPAT-03: reads null for a list as empty, and takes an update without the list for unknown", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    const turn = session.prompt("hi");
    const prompt = await peer.next("session/prompt");
    for (const members of [{ entries: null }, {}]) {
      peer.notify("session/update", { sessionId: session.id, update: { sessionUpdate: "plan", ...members } });
    }
    peer.reply(prompt, done);
    const [empty, broken] = await collect(turn.updates);
    expect(empty).toEqual({ sessionUpdate: "plan", entries: [] });
    expect(broken).toMatchObject({ received: { sessionUpdate: "plan" } });
  });
});
