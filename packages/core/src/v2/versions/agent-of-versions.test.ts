// One endpoint that speaks two versions: the first `initialize` decides.
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../base/diagnostics.ts";
import { createRawPeer, type RawPeer } from "../../../test/support/raw-peer.ts";
import { createAgent as createAgent1 } from "../../v1/agent.ts";
import { agentOfVersions } from "./agent-of-versions.ts";
import { createAgent as createAgent2 } from "../agent.ts";
import { info } from "../../../test/support/v2-wire.ts";

const heard: string[] = [];
const listener = (name: string) => (diagnostic: Diagnostic) => void heard.push(`${name}: ${diagnostic.type}`);
const prompt = () => ({ stopReason: "end_turn" }) as const;
const v1 = createAgent1({ info, handlers: { "session/prompt": prompt }, onDiagnostic: listener("one") });
const v2 = createAgent2({ info, handlers: { "session/prompt": prompt }, onDiagnostic: listener("two") });
const both = agentOfVersions({ v1, v2 });

function connect(agent = both, onDiagnostic = agent.onDiagnostic): RawPeer {
  heard.length = 0;
  return createRawPeer((transport) => agent.connect(transport, { onDiagnostic }));
}

const initialize = (protocolVersion: unknown): object => ({ protocolVersion, info, capabilities: {} });

describe("a connection to agents of two versions", () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [65_535, 2],
  ])("that asks for version %i speaks version %i", async (asked, spoken) => {
    const peer = connect();
    expect(await peer.call("initialize", initialize(asked))).toMatchObject({ result: { protocolVersion: spoken } });
    const { result } = await peer.call("session/new", { cwd: "/", mcpServers: [] });
    const { sessionId } = result as { sessionId: string };
    const answer = await peer.call("session/prompt", { sessionId, prompt: [{ type: "text", text: "Hello" }] });
    expect(answer["result"]).toEqual(spoken === 1 ? { stopReason: "end_turn" } : { messageId: expect.any(String) });
  });

  test("that asks for neither receives the supported versions, and may ask again", async () => {
    const peer = connect();
    expect(await peer.call("initialize", initialize(0))).toMatchObject({
      error: { code: -32022, data: { requested: 0, supported: [1, 2] } },
    });
    expect(await peer.call("initialize", initialize("2"))).toMatchObject({ error: { code: -32602 } });
    expect(await peer.call("initialize", initialize(2))).toMatchObject({ result: { protocolVersion: 2 } });
    expect(peer.received).toHaveLength(3);
  });

  test("that does not start with initialize is refused as by any agent, and may continue", async () => {
    const peer = connect();
    expect(await peer.call("session/new", { cwd: "/" })).toMatchObject({ error: { code: -32600 } });
    peer.send("no JSON");
    peer.send("[]");
    peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
    await peer.settle();
    expect(peer.received.slice(1)).toMatchObject([{ error: { code: -32700 } }, { error: { code: -32600 } }]);
    expect(await peer.call("initialize", initialize(1))).toMatchObject({ result: { protocolVersion: 1 } });
  });

  test("tells its diagnostics to the listener of its version, or to one that is given", async () => {
    for (const [version, name] of [
      [1, "one"],
      [2, "two"],
    ] as const) {
      const peer = connect();
      await peer.call("initialize", initialize(version));
      peer.send("no JSON");
      await peer.settle();
      expect(heard).toEqual([`${name}: noise`]);
    }
    const peer = connect(both, listener("given"));
    await peer.call("initialize", initialize(1));
    peer.send("no JSON");
    await peer.settle();
    expect(heard).toEqual(["given: noise"]);
  });

  test("ends with its agent, and before there is one", async () => {
    for (const version of [undefined, 1, 2]) {
      for (const side of ["agent", "client"]) {
        let connection: ReturnType<typeof both.connect> | undefined;
        const peer = createRawPeer((transport) => (connection = both.connect(transport)));
        if (version !== undefined) await peer.call("initialize", initialize(version));
        await (side === "agent" ? connection?.close() : peer.close());
        await connection?.closed;
        await peer.settle();
        expect(peer.closed).toBe(true);
      }
    }
  });

  test("to one version only is that of its agent", async () => {
    const one = connect(agentOfVersions({ v1 }));
    expect(await one.call("initialize", initialize(2))).toMatchObject({ result: { protocolVersion: 1 } });
    const two = connect(agentOfVersions({ v2 }));
    expect(await two.call("initialize", { protocolVersion: 1, clientCapabilities: {} })).toMatchObject({
      error: { code: -32022, data: { requested: 1, supported: [2] } },
    });
  });
});

test("agentOfVersions() refuses to speak none", () => {
  expect(() => agentOfVersions({})).toThrow("agentOfVersions needs an agent of one version at least");
});
