// What an agent's session is opened with, what it says before its client knows it, and what of one that is not open.
import { expect, it } from "vitest";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";
import { createAgent } from "../../src/v1/agent.ts";
import type { AgentContext } from "../../src/v1/agent-handlers.ts";
import type { AgentSession } from "../../src/v1/agent-session.ts";
import type { AgentTurn } from "../../src/v1/agent-turn.ts";

const text = (said: string) => ({ type: "text", text: said }) as const;
const setup = { cwd: "/project", mcpServers: [] };

/** An agent that was initialized; handlers are untyped, as they are in JavaScript. */
async function connect(handlers: object, more: object = {}): Promise<RawPeer> {
  const agent = createAgent({
    info: { name: "agent", version: "1.0.0" },
    ...more,
    handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), ...handlers },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", { protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true } } });
  return peer;
}

const updatesOf = (peer: RawPeer): unknown[] =>
  peer.received.filter(({ method }) => method === "session/update").map(({ params }) => params);

it("says everything under the id that the handler of session/new has chosen, also text from before", async () => {
  const chunk = (said: string) => ({ sessionUpdate: "agent_message_chunk", content: text(said) }) as const;
  const peer = await connect({
    "session/new": async (_params: unknown, { session }: { session: AgentSession }) => {
      await session.update(chunk("before"));
      return { sessionId: "chosen" };
    },
    "session/prompt": async (_params: unknown, { session }: { session: AgentSession }) => {
      await session.update(chunk("after"));
      return { stopReason: "end_turn" };
    },
  });
  await peer.call("session/new", setup);
  await peer.call("session/prompt", { sessionId: "chosen", prompt: [text("Hello")] });
  expect(updatesOf(peer)).toEqual([
    { sessionId: "chosen", update: chunk("before") },
    { sessionId: "chosen", update: chunk("after") },
  ]);
});

it("sends its handler's updates by name after the answer of session/new, under the final id", async () => {
  const update = { sessionUpdate: "session_info_update", title: "Title" } as const;
  const peer = await connect({
    "session/new": async (_params: unknown, { client, session }: AgentContext & { session: AgentSession }) => {
      await session.client.notify("session/update", { update });
      await client.notify("session/update", { sessionId: session.id, update, _meta: { more: 1 } });
      return { sessionId: "chosen" };
    },
  });
  await peer.call("session/new", setup);
  await peer.settle();
  expect(peer.received.slice(1)).toEqual([
    expect.objectContaining({ result: { sessionId: "chosen" } }),
    expect.objectContaining({ params: { sessionId: "chosen", update } }),
    expect.objectContaining({ params: { sessionId: "chosen", update, _meta: { more: 1 } } }),
  ]);
});

it.each(["session/new", "session/load"])("makes its state from all that %s says", async (method) => {
  const made: unknown[] = [];
  const given = {
    cwd: "/project",
    additionalDirectories: ["/more"],
    mcpServers: [{ name: "m", command: "/bin/m", args: [], env: [] }],
  };
  const params = { ...(method === "session/load" && { sessionId: "s" }), ...given };
  const peer = await connect(
    { "session/load": () => {} },
    {
      sessionId: () => "s",
      session: ({ signal, ...rest }: { signal: AbortSignal }) => made.push([rest, signal.aborted]),
      capabilities: { sessionCapabilities: { additionalDirectories: {} } },
    },
  );
  await peer.call(method, params);
  expect(made).toMatchObject([[{ method, params, sessionId: "s", ...given }, false]]);
});

it("gives handlers of a session's methods a client whose calls name the session", async () => {
  const peer = await connect({
    "session/set_mode": async (_params: unknown, { client }: AgentContext) => {
      await client.request("fs/read_text_file", { path: "/a" } as never);
    },
    "session/prompt": async (_params: unknown, { client }: { client: AgentContext["client"]; turn: AgentTurn }) => {
      await client.request("fs/read_text_file", { path: "/b" } as never);
      return { stopReason: "end_turn" };
    },
  });
  const { result } = await peer.call("session/new", setup);
  const { sessionId } = result as { sessionId: string };
  for (const [method, params, path] of [
    ["session/set_mode", { modeId: "a" }, "/a"],
    ["session/prompt", { prompt: [] }, "/b"],
  ] as const) {
    const called = peer.call(method, { sessionId, ...params });
    // oxlint-disable-next-line no-await-in-loop -- one after another
    const asked = await peer.next((message) => message["method"] === "fs/read_text_file");
    expect(asked["params"]).toEqual({ sessionId, path });
    peer.send({ jsonrpc: "2.0", id: asked["id"], result: { content: "" } });
    // oxlint-disable-next-line no-await-in-loop
    expect(await called).toHaveProperty("result");
  }
});

it("sends updates for a session that is not open here", async () => {
  const configOptions = [
    { type: "select", id: "o", name: "O", currentValue: "a", options: [{ value: "a", name: "A" }] },
  ];
  const params = { sessionId: "elsewhere", update: { sessionUpdate: "config_option_update", configOptions } };
  const peer = await connect({
    "session/prompt": async (_params: unknown, { client }: AgentContext) => {
      await client.notify("session/update", params as never);
      return { stopReason: "end_turn" };
    },
  });
  const { result } = await peer.call("session/new", setup);
  await peer.call("session/prompt", { ...(result as object), prompt: [] });
  expect(updatesOf(peer)).toEqual([params]);
});

it("takes options that are an object of a class, whose functions mean it by `this`", async () => {
  class Options {
    info = { name: "agent", version: "1.0.0" };
    handlers = {
      authenticate: () => {},
      "session/prompt": async (_params: unknown, { session }: { session: AgentSession }) => {
        this.seen.push(session.state);
        await session.update({ sessionUpdate: "plan", entries: [] });
        return { stopReason: "end_turn" } as const;
      },
    };
    seen: unknown[] = [];
    get authMethods(): [{ id: string; name: string }] {
      return [{ id: "login", name: "Log in" }];
    }
    connected(): void {
      this.seen.push("connected");
    }
    sessionId(): string {
      return `session ${this.seen.length}`;
    }
    session(): unknown {
      this.seen.push("state");
      return { made: this.seen.length };
    }
    onUpdate(): void {
      this.seen.push("update");
    }
  }
  const options = new Options();
  // Only a JavaScript program gives state that is not inferred.
  const peer = createRawPeer((transport) => createAgent(options as object as never).connect(transport));
  expect(await peer.call("initialize", { protocolVersion: 1 })).toMatchObject({
    result: { authMethods: [{ id: "login" }] },
  });
  expect(await peer.call("session/new", setup)).toMatchObject({ result: { sessionId: "session 1" } });
  await peer.call("session/prompt", { sessionId: "session 1", prompt: [] });
  expect(options.seen).toEqual(["connected", "state", { made: 2 }, "update"]);
});
