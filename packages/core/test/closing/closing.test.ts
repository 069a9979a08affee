// What becomes of a connection, and of all who wait for it, however it ends.
import { describe, expect, it, vi } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createRawPeer } from "../support/raw-peer.ts";
import { answer, connectRawAgent } from "../support/raw-agent.ts";
import { nextUncaught } from "../../src/transport/testing/next-uncaught.ts";
import { contentLength, createStreamTransport } from "../../src/v1/index.ts";
import type { Transport } from "../../src/transport/transport.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { createClient } from "../../src/v1/client.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";

const info = { name: "test", version: "1.0.0" };
const chunk = {
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "a" } } },
};
const delay = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A client with an update handler, and an agent played by hand. */
async function open(update: () => Promise<void>) {
  const connected = await connectRawAgent({ handlers: { "session/update": update } });
  const opening = connected.agent.newSession({ cwd: "/project" });
  await answer(connected.peer, "session/new", { result: { sessionId: "s" } });
  const session: ClientSession = await opening;
  return { ...connected, session };
}

/** The same, with a turn whose answer waits for a handler that never comes back. */
async function openHeldUp() {
  const { peer, agent, session } = await open(() => new Promise(() => {}));
  const turn = session.prompt("Hello");
  const { id } = await peer.next(({ method }) => method === "session/prompt");
  peer.send(chunk);
  peer.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
  await peer.settle();
  return { peer, agent, turn };
}

describe("an answer that waits for a handler", () => {
  it("is delivered when the connection is closed, though the handler never comes back", async () => {
    const { agent, turn } = await openHeldUp();
    await agent.close();
    expect(await turn.response).toEqual({ stopReason: "end_turn" });
    await turn.close();
  });

  it("is delivered when the client closes a connection that its agent has ended", async () => {
    const { peer, agent, turn } = await openHeldUp();
    await peer.close();
    await agent.closed;
    await agent.close();
    expect(await turn.response).toEqual({ stopReason: "end_turn" });
    await turn.close();
  });

  it("is not late: the agent answered the cancel in time", async () => {
    const { peer, session } = await open(() => delay(100));
    const turn = session.prompt("Hello", { cancelGrace: 20 });
    const { id } = await peer.next(({ method }) => method === "session/prompt");
    peer.send(chunk);
    turn.cancel();
    peer.send({ jsonrpc: "2.0", id, result: { stopReason: "cancelled" } });
    expect(await turn.response).toEqual({ stopReason: "cancelled" });
    expect(peer.received.filter(({ method }) => method === "$/cancel_request")).toEqual([]);
  });
});

describe("a connection that breaks", () => {
  /** An agent whose transport the test holds, with a turn that runs. */
  async function running(closeAgent: () => Promise<void>) {
    let sink: Parameters<Transport["start"]>[0] | undefined;
    const sent: string[] = [];
    const transport: Transport = {
      start: (given) => void (sink = given),
      send: (text) => void sent.push(text),
      pause: () => {},
      resume: () => {},
      close: closeAgent,
    };
    const diagnostics: Diagnostic[] = [];
    const client = createClient({ info, onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
    const connecting = client.connect(transport);
    await delay(1);
    sink?.message('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}');
    const agent = await connecting;
    const opening = agent.newSession({ cwd: "/project" });
    await delay(1);
    sink?.message('{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}');
    return { agent, session: await opening, diagnostics, break: () => sink?.closed(new Error("the wire is cut")) };
  }

  it("reports its reason to all, even if a listener closes it", async () => {
    const { agent, session, break: cut } = await running(async () => {});
    agent.signal.addEventListener("abort", () => void agent.close());
    let ending: unknown;
    const iterating = (async () => {
      for await (const _ of session.updates) expect.unreachable();
    })().catch((error: unknown) => (ending = error));
    const { response } = session.prompt("Hello");
    cut();
    await expect(response).rejects.toThrow("The connection broke: the wire is cut");
    await iterating;
    expect(String(ending)).toContain("The connection broke: the wire is cut");
  });

  it("causes no unhandled rejection if its transport fails to close too", async () => {
    const { agent, break: cut, diagnostics } = await running(() => Promise.reject(new Error("nor closed")));
    const uncaught = nextUncaught();
    cut();
    await agent.closed;
    expect(await Promise.race([uncaught, delay(20)])).toBeUndefined();
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "The connection ended: the wire is cut",
      "The connection ended: nor closed",
    ]);
  });
});

it("does not wait for a handler twice when an agent closes as its turn is aborted", async () => {
  const agent = createAgent({
    info,
    sessionId: () => "s",
    handlers: {
      "session/prompt": async (_params, { turn }) => {
        turn.signal.addEventListener("abort", () => void connection?.close());
        await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
        return { stopReason: "cancelled" };
      },
    },
  });
  let connection: ReturnType<typeof agent.connect> | undefined;
  const peer = createRawPeer((transport) => {
    connection = agent.connect(transport);
  });
  await peer.call("initialize", { protocolVersion: 1 });
  await peer.call("session/new", { cwd: "/project", mcpServers: [] });
  void peer.call("session/prompt", { sessionId: "s", prompt: [] });
  await peer.settle();
  // No time limit ends: that would be the wait for the handler.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await connection?.close().finally(() => vi.useRealTimers());
});

it("stops connecting in time, even if the agent does not read and its pipe does not close", async () => {
  const stuck: Transport = {
    start: () => {},
    send: () => {},
    pause: () => {},
    resume: () => {},
    close: () => new Promise(() => {}),
  };
  const connecting = createClient({ info }).connect(stuck, { startTimeout: 20 });
  await expect(connecting).rejects.toThrow(/within 20 ms/);
});

it("waits for a notification handler whose promise is of another make", async () => {
  const order: string[] = [];
  // As some have made it: `then` that returns nothing.
  const later = (name: string): PromiseLike<void> =>
    ({
      // oxlint-disable-next-line unicorn/no-thenable -- that is what others have made
      then(resolve: () => void) {
        setTimeout(() => {
          order.push(`end ${name}`);
          resolve();
        }, 5);
      },
    }) as never;
  let count = 0;
  const { peer } = await open(() => {
    order.push(`start ${++count}`);
    return later(String(count)) as Promise<void>;
  });
  peer.send(chunk);
  peer.send(chunk);
  await expect.poll(() => order).toContain("end 2");
  expect(order).toEqual(["start 1", "end 1", "start 2", "end 2"]);
});

it("blames nobody for a message that it does not read to its end, having closed", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const sent = new TransformStream<Uint8Array, Uint8Array>();
  const diagnostics: Diagnostic[] = [];
  const client = createClient({ info, onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
  const transport = createStreamTransport({ readable, writable: sent.writable }, { framing: contentLength });
  const connecting = client.connect(transport);
  void sent.readable.pipeTo(new WritableStream());
  const writer = writable.getWriter();
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { protocolVersion: 1, agentCapabilities: {} } });
  await writer.write(new TextEncoder().encode(`Content-Length: ${text.length}\r\n\r\n${text}`));
  const agent = await connecting;
  await writer.write(new TextEncoder().encode("Content-Length: 1000\r\n\r\n{"));
  await agent.close();
  expect(diagnostics).toEqual([]);
});

// The test runner takes an unhandled rejection for an error.
describe("a notification that nobody waits for", () => {
  it("causes no unhandled rejection once the client has gone", async () => {
    const said: Promise<void>[] = [];
    const update = { sessionUpdate: "session_info_update", title: "Title" } as const;
    const agent = createAgent({
      info,
      handlers: {
        "session/new": (_params, { client, session }) => {
          session.signal.addEventListener("abort", () => {
            said.push(client.notify("session/update", { update }), client.notify("_said", {}));
          });
          return { sessionId: session.id };
        },
        "session/prompt": () => ({ stopReason: "end_turn" }),
      },
    });
    const peer = createRawPeer((transport) => agent.connect(transport));
    await peer.call("initialize", { protocolVersion: 1 });
    await peer.call("session/new", { cwd: "/project", mcpServers: [] });
    await peer.close();
    await peer.settle();
    expect(said).toHaveLength(2);
    for (const one of said) await expect(one).rejects.toThrow("The peer closed the connection");
  });

  it("causes no unhandled rejection once the agent has gone", async () => {
    const { peer, agent } = await connectRawAgent({});
    await peer.close();
    await agent.closed;
    const said = [agent.notify("session/cancel", { sessionId: "s" }), agent.notify("_said", {})];
    await peer.settle();
    for (const one of said) await expect(one).rejects.toThrow("The peer closed the connection");
  });
});
