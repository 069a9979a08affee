import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../base/diagnostics.ts";
import {
  type AgentDefinition,
  ConnectionClosedError,
  createAgent as createAgent1,
  createClient as createClient1,
  createMemoryTransportPair,
  ProtocolError,
  RequestError,
  TimeoutError,
  UsageError,
} from "../../v1/index.ts";
import { createRawPeer, type RawPeer } from "../../../test/support/raw-peer.ts";
import { agentOfVersions } from "./agent-of-versions.ts";
import { createAgent as createAgent2 } from "../agent.ts";
import { clientOfVersions } from "./client-of-versions.ts";
import { createClient as createClient2 } from "../client.ts";

const info = { name: "test", version: "1.0.0" };
const prompt = (): { stopReason: "end_turn" } => ({ stopReason: "end_turn" });
const v1 = createAgent1({ info, handlers: { "session/prompt": prompt } });
const v2 = createAgent2({
  info,
  handlers: { "session/prompt": prompt, "session/list": () => ({ sessions: [] }), "session/resume": () => {} },
});

function clientFor(diagnostics: [Diagnostic[], Diagnostic[]] = [[], []]) {
  return clientOfVersions({
    v1: createClient1({
      info,
      handlers: { "fs/read_text_file": () => ({ content: "" }) },
      onDiagnostic: (diagnostic) => diagnostics[0].push(diagnostic),
    }),
    v2: createClient2({
      info,
      capabilities: { elicitation: { form: {} } },
      handlers: { "elicitation/create": () => ({ action: "cancel" }) },
      onDiagnostic: (diagnostic) => diagnostics[1].push(diagnostic),
    }),
  });
}

function connect(agent: AgentDefinition) {
  const [near, far] = createMemoryTransportPair();
  agent.connect(far);
  return clientFor().connect(near);
}

/** Connects to an agent that is played by hand. */
function connectRaw(options = {}, diagnostics?: [Diagnostic[], Diagnostic[]]) {
  let connecting: ReturnType<ReturnType<typeof clientFor>["connect"]> | undefined;
  const peer: RawPeer = createRawPeer((transport) => {
    connecting = clientFor(diagnostics).connect(transport, options);
  });
  return { peer, connecting: connecting! };
}

describe("clientOfVersions()", () => {
  it.each<[string, AgentDefinition, number]>([
    ["version 2, of an agent of both", agentOfVersions({ v1, v2 }), 2],
    ["version 2, of an agent of that alone", v2, 2],
    ["version 1, of an agent of that alone", v1, 1],
  ])("speaks %s", async (_which, definition, version) => {
    const connected = await connect(definition);
    expect(connected).toMatchObject({ version, agent: { protocolVersion: version, info } });
    if (connected.version === 2) {
      const session = await connected.agent.newSession({ cwd: "/" });
      expect(await session.prompt("hello").finished).toMatchObject({ stopReason: "end_turn" });
    } else {
      const session = await connected.agent.newSession({ cwd: "/" });
      expect(await session.prompt("hello").response).toEqual({ stopReason: "end_turn" });
    }
    await connected.agent.close();
    await connected.agent.closed;
  });

  it("sends one initialize, with the details of both clients", async () => {
    const { peer, connecting } = connectRaw({ _meta: { a: 1 } });
    const { id, params } = await peer.next(({ method }) => method === "initialize");
    expect(params).toEqual({
      protocolVersion: 2,
      info,
      capabilities: { elicitation: { form: {} } },
      clientInfo: info,
      clientCapabilities: { fs: { readTextFile: true } },
      _meta: { a: 1 },
    });
    peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } });
    const { agent } = await connecting;
    await agent.close();
    expect(peer.received).toHaveLength(1);
    await peer.settle();
    expect(peer.closed).toBe(true);
  });

  it("tells the listener of the client that speaks, and before that the one of version 2", async () => {
    const diagnostics: [Diagnostic[], Diagnostic[]] = [[], []];
    const { peer, connecting } = connectRaw({}, diagnostics);
    const { id } = await peer.next(({ method }) => method === "initialize");
    peer.send("Hello, I am a stray line");
    peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } });
    await connecting;
    peer.send("And so am I");
    await peer.settle();
    expect(diagnostics).toMatchObject([[{ received: "And so am I" }], [{ received: "Hello, I am a stray line" }]]);
  });

  it("answers a request that comes before the agent has said its version, and once", async () => {
    const { peer, connecting } = connectRaw();
    const { id } = await peer.next(({ method }) => method === "initialize");
    const options = [{ optionId: "1", name: "Yes", kind: "allow_once" }];
    const answer = await peer.call("session/request_permission", { sessionId: "s", title: "May I?", options });
    expect(answer).toMatchObject({ error: { code: -32600 } });
    peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } });
    await (await connecting).agent.close();
    expect(peer.received).toHaveLength(2);
  });

  it.each<[string, (peer: RawPeer, id: unknown) => unknown, ErrorConstructor | (new (...args: never[]) => Error)]>([
    [
      "with an error",
      (peer, id) => peer.send({ jsonrpc: "2.0", id, error: { code: -32022, message: "no" } }),
      RequestError,
    ],
    [
      "with a version of its own",
      (peer, id) => peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 3, info } }),
      Error,
    ],
    [
      "with a version of its own, in its own way",
      (peer, id) => peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 3 } }),
      ProtocolError,
    ],
    ["by going away", (peer) => peer.close(), ConnectionClosedError],
  ])("fails with an agent that answers %s", async (_how, answer, error) => {
    const { peer, connecting } = connectRaw();
    const { id } = await peer.next(({ method }) => method === "initialize");
    void answer(peer, id);
    await expect(connecting).rejects.toBeInstanceOf(error);
  });

  it("names both versions to who finds out that an agent speaks another one", async () => {
    const { peer, connecting } = connectRaw();
    const { id } = await peer.next(({ method }) => method === "initialize");
    peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 3 } });
    await expect(connecting).rejects.toThrow(
      "initialize: /result/protocolVersion: is 3, but only versions 1 and 2 are spoken here",
    );
    await peer.settle();
    expect(peer.closed).toBe(true);
  });

  it("abandons an agent that does not answer, and closes the transport", async () => {
    const { peer, connecting } = connectRaw({ startTimeout: 1 });
    await expect(connecting).rejects.toBeInstanceOf(TimeoutError);
    await peer.settle();
    expect(peer.closed).toBe(true);
    const reason = new Error("no longer");
    const second = connectRaw({ signal: AbortSignal.abort(reason) });
    await expect(second.connecting).rejects.toBe(reason);
  });

  it("needs both clients, and a transport", async () => {
    expect(() => clientOfVersions({ v1: createClient1({ info }) } as never)).toThrow(UsageError);
    await expect(clientFor().connect(undefined as never)).rejects.toBeInstanceOf(UsageError);
  });
});
