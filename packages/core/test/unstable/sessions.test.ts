import type { Received, SystemPrompt } from "@acp/schema/v1/unstable";
import { describe, expect, it } from "vitest";
import { createClient as createStableClient } from "../../src/v1/index.ts";
import { createRawPeer } from "../support/raw-peer.ts";
import {
  CapabilityError,
  type ClientSession,
  createAgent,
  createClient,
  RequestError,
  UsageError,
} from "../../src/v1/unstable/entry.ts";
import { connected } from "../support/unstable-connected.ts";

const info = { name: "test", version: "1.0.0" };
const chunk = (text: string) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }) as const;
const textOf = (update: Received.SessionUpdate): string =>
  update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? update.content.text : "?";

describe("agent.forkSession()", () => {
  it("opens a session of its own, with the state that the agent makes for it", async () => {
    const states = new Map<string, string[]>();
    const { agent } = await connected({
      session: (setup) => {
        const history = setup.method === "session/fork" ? [...(states.get(setup.params.sessionId) ?? [])] : [];
        states.set(setup.sessionId, history);
        return undefined;
      },
      handlers: {
        "session/fork": (_params, { session }) => ({ sessionId: session.id }),
        "session/prompt": async ({ prompt: [block] }, { turn, session }) => {
          const history = states.get(session.id) ?? [];
          if (block?.type === "text") history.push(block.text);
          await turn.message(history.join(" "));
          return { stopReason: "end_turn" };
        },
      },
    });
    const first = await agent.newSession({ cwd: "/project" });
    const say = async (session: ClientSession, text: string): Promise<string> => {
      const said: string[] = [];
      const turn = session.prompt(text);
      for await (const update of turn.updates) said.push(textOf(update));
      await turn.response;
      return said.join("");
    };
    expect(await say(first, "one")).toBe("one");
    const fork = await agent.forkSession({ cwd: "/project/other", sessionId: first.id });
    expect(fork.id).not.toBe(first.id);
    expect([fork.cwd, first.cwd]).toEqual(["/project/other", "/project"]);
    expect(agent.session(fork.id)).toBe(fork);
    expect(agent.session(first.id)).toBe(first);
    // Each goes on by itself, at the same time.
    expect(await Promise.all([say(fork, "two"), say(first, "three")])).toEqual(["one two", "one three"]);
  });

  it("keeps updates for the fork that come before its answer, and before its opener has gone on", async () => {
    const updates: string[] = [];
    const client = createClient({
      info,
      handlers: {
        "session/update": ({ sessionId, update }, { session }) =>
          void updates.push(`${sessionId} ${session.id} ${textOf(update)}`),
      },
    });
    let connecting: ReturnType<typeof client.connect> | undefined;
    const peer = createRawPeer((transport) => {
      connecting = client.connect(transport);
    });
    const answer = async (method: string, result: object): Promise<void> => {
      const { id } = await peer.next((message) => message["method"] === method);
      peer.send({ jsonrpc: "2.0", id, result });
    };
    await answer("initialize", { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { fork: {} } } });
    const agent = await connecting;
    if (agent === undefined) throw new Error("not connected");
    const opening = agent.newSession({ cwd: "/project" });
    await answer("session/new", { sessionId: "first" });
    await opening;
    const forking = agent.forkSession({ cwd: "/project", sessionId: "first" });
    const request = await peer.next(({ method }) => method === "session/fork");
    expect(request["params"]).toEqual({ cwd: "/project", sessionId: "first", mcpServers: [] });
    const tell = (sessionId: string, text: string): void =>
      peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update: chunk(text) } });
    tell("second", "early");
    tell("first", "meanwhile");
    await peer.settle();
    expect(updates).toEqual(["first first meanwhile"]);
    peer.send({ jsonrpc: "2.0", id: request["id"], result: { sessionId: "second" } });
    tell("second", "late");
    const fork = await forking;
    // Whoever has opened it can ask for its updates first.
    expect(updates).toHaveLength(1);
    await peer.settle();
    expect(updates.slice(1)).toEqual(["second second early", "second second late"]);
    expect(fork.id).toBe("second");
    await agent.close();
  });

  it("is for agents that have it (INIT-12/client)", async () => {
    const { agent } = await connected({});
    const session = await agent.newSession({ cwd: "/project" });
    await expect(agent.forkSession({ cwd: "/project", sessionId: session.id })).rejects.toMatchObject({
      code: "missing_capability",
      capability: "sessionCapabilities.fork",
    });
    await expect(agent.forkSession({ cwd: "project", sessionId: session.id })).rejects.toThrow(CapabilityError);
  });

  it("takes absolute paths only (CONV-02/client)", async () => {
    const { agent } = await connected({ handlers: { "session/fork": () => ({ sessionId: "x" }) } });
    const session = await agent.newSession({ cwd: "/project" });
    await expect(agent.forkSession({ cwd: "project", sessionId: session.id })).rejects.toThrow(UsageError);
  });

  it("is not there in the stable entry", async () => {
    const client = createStableClient({ info });
    let connecting: ReturnType<typeof client.connect> | undefined;
    const peer = createRawPeer((transport) => {
      connecting = client.connect(transport);
    });
    const { id } = await peer.next(({ method }) => method === "initialize");
    peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } });
    const agent = await connecting;
    expect(agent).not.toHaveProperty("forkSession");
    await agent?.close();
  });
});

describe("a system prompt", () => {
  const prompt = (mode: string): SystemPrompt => ({ mode, content: [{ type: "text", text: "Be brief." }] });

  it("comes with every method that opens a session", async () => {
    const seen: unknown[] = [];
    const { agent } = await connected({
      capabilities: { sessionCapabilities: { systemPrompt: { mode: { override: {} } } } },
      session: ({ method, params }) => {
        seen.push([method, params.systemPrompt?.mode]);
        return undefined;
      },
      handlers: {
        "session/load": () => {},
        "session/resume": () => {},
        "session/fork": (_params, { session }) => ({ sessionId: session.id }),
      },
    });
    const { id } = await agent.newSession({ cwd: "/project", systemPrompt: prompt("append") });
    await agent.loadSession({ cwd: "/project", sessionId: id, systemPrompt: prompt("override") });
    await agent.resumeSession({ cwd: "/project", sessionId: id, systemPrompt: null });
    await agent.forkSession({ cwd: "/project", sessionId: id, systemPrompt: prompt("_acme/prepend") });
    expect(seen).toEqual([
      ["session/new", "append"],
      ["session/load", "override"],
      ["session/resume", undefined],
      ["session/fork", "_acme/prepend"],
    ]);
  });

  it("is sent only to agents that take it, and overriding only to those that let it (INIT-12/client)", async () => {
    const taking = await connected({ capabilities: { sessionCapabilities: { systemPrompt: {} } } });
    await taking.agent.newSession({ cwd: "/project", systemPrompt: prompt("append") });
    await expect(taking.agent.newSession({ cwd: "/project", systemPrompt: prompt("override") })).rejects.toMatchObject({
      code: "missing_capability",
      capability: "sessionCapabilities.systemPrompt.mode.override",
    });
    const { agent } = await connected({});
    await agent.newSession({ cwd: "/project" });
    await expect(agent.newSession({ cwd: "/project", systemPrompt: prompt("append") })).rejects.toMatchObject({
      code: "missing_capability",
      capability: "sessionCapabilities.systemPrompt",
      method: "session/new with systemPrompt",
    });
  });
});

describe("an agent that is opened with a system prompt", () => {
  it.each([
    [{}, "append", "sessionCapabilities.systemPrompt"],
    [{}, "override", "sessionCapabilities.systemPrompt"],
    [{ systemPrompt: {} }, "append", undefined],
    [{ systemPrompt: {} }, "override", "sessionCapabilities.systemPrompt.mode.override"],
    [{ systemPrompt: { mode: { override: {} } } }, "override", undefined],
  ])(
    "and advertised %j receives a diagnostic of %s about what it lacks: %s (INIT-12)",
    async (sessionCapabilities, mode, lacking) => {
      const seen: unknown[] = [];
      const { agent, agentDiagnostics } = await connected(
        {
          capabilities: { sessionCapabilities },
          session: ({ params }) => void seen.push(params.systemPrompt?.mode),
        },
        { gate: "diagnose" },
      );
      await agent.newSession({
        cwd: "/project",
        systemPrompt: { mode, content: [{ type: "text", text: "Be brief." }] },
      });
      // It may well do without.
      expect(seen).toEqual([mode]);
      expect(agentDiagnostics.map((told) => told.type === "rule" && [told.rule, told.method])).toEqual(
        lacking === undefined ? [] : [["INIT-12", "session/new"]],
      );
      if (lacking !== undefined) expect(agentDiagnostics[0]?.message).toContain(`: ${lacking} is not advertised`);
    },
  );
});

describe("a call for a session", () => {
  it("reaches handlers, with the session if it is open, and answers", async () => {
    const calls: unknown[] = [];
    const { agent } = await connected({
      handlers: {
        "session/archive": ({ sessionId }, { session }) => void calls.push(["archive", sessionId, session?.id]),
        "session/unarchive": ({ sessionId }, { session }) => void calls.push(["unarchive", sessionId, session?.id]),
        "session/status": (_params, { session }) => ({ status: session === undefined ? "saved" : "open" }),
        "session/set_title": ({ title }) => ({ title: title.trim() }),
        "session/list": ({ archived }) => ({
          sessions: [{ sessionId: "old", cwd: "/project", archived: archived === "only" }],
        }),
      },
    });
    expect(agent.capabilities.sessionCapabilities).toEqual({ archive: {}, status: {}, title: {}, list: {} });
    const session = await agent.newSession({ cwd: "/project" });
    expect(await session.agent.request("session/status", {})).toEqual({ status: "open" });
    expect(await agent.request("session/status", { sessionId: "old" })).toEqual({ status: "saved" });
    expect(await session.agent.request("session/set_title", { title: " Tests " })).toEqual({ title: "Tests" });
    await session.agent.request("session/archive", {});
    await agent.request("session/unarchive", { sessionId: "old" });
    expect(calls).toEqual([
      ["archive", session.id, session.id],
      ["unarchive", "old", undefined],
    ]);
    const { sessions } = await agent.request("session/list", { archived: "only" });
    expect(sessions).toEqual([{ sessionId: "old", cwd: "/project", archived: true }]);
  });

  it("ends a session that is archived, on both sides, as closing it does", async () => {
    const events: string[] = [];
    const { agent } = await connected({
      handlers: {
        "session/prompt": async (_params, { turn, signal }) => {
          await turn.message("Working");
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return { stopReason: "cancelled" };
        },
        "session/archive": (_params, { session }) => {
          events.push("archived");
          session?.signal.addEventListener("abort", () => events.push("ended"));
        },
        "session/unarchive": () => {},
      },
    });
    const session = await agent.newSession({ cwd: "/project" });
    const turn = session.prompt("Hello");
    for await (const update of turn.updates) if (update.sessionUpdate === "agent_message_chunk") break;
    void turn.response.then(({ stopReason }) => events.push(stopReason));
    await session.agent.request("session/archive", {});
    expect(events).toEqual(["archived", "cancelled", "ended"]);
    expect(session.signal.aborted).toBe(true);
    expect(agent.session(session.id)).toBeUndefined();
    await expect(session.prompt("Hello").response).rejects.toThrow("the session has ended");
    // It may have been archived by another client, or on another day.
    await agent.request("session/archive", { sessionId: session.id });
  });

  it("leaves a session open that could not be archived", async () => {
    const { agent } = await connected({
      handlers: {
        "session/archive": () => {
          throw RequestError.invalidParams("There is no archive");
        },
        "session/unarchive": () => {},
      },
    });
    const session = await agent.newSession({ cwd: "/project" });
    await expect(session.agent.request("session/archive", {})).rejects.toThrow("There is no archive");
    expect(session.signal.aborted).toBe(false);
    expect((await session.prompt("Hello").response).stopReason).toBe("end_turn");
  });

  it("is limited to the agent's capabilities (INIT-12/client)", async () => {
    const { agent } = await connected({});
    const { id: sessionId } = await agent.newSession({ cwd: "/project" });
    const needs = { status: "status", archive: "archive", unarchive: "archive" } as const;
    for (const [name, capability] of Object.entries(needs)) {
      const method = `session/${name as keyof typeof needs}` as const;
      await expect(agent.request(method, { sessionId })).rejects.toMatchObject({
        code: "missing_capability",
        capability: `sessionCapabilities.${capability}`,
      });
    }
    await expect(agent.request("session/set_title", { sessionId, title: "T" })).rejects.toThrow(
      /sessionCapabilities\.title/,
    );
  });

  it("needs both archive handlers (INIT-15)", () => {
    const handlers = { "session/prompt": () => ({ stopReason: "end_turn" as const }), "session/archive": () => {} };
    expect(() => createAgent({ info, handlers })).toThrow(/needs a handler for session\/unarchive/);
  });
});
