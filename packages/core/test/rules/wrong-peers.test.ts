// What a client says of a program or a server that is no agent.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { WebSocket as WsSocket } from "ws";
import { createDeferred } from "../../src/base/promises.ts";
import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";
import { createWebSocketTransport } from "../../src/transport/web-socket-transport.ts";
import * as version1 from "../../src/v1/index.ts";
import * as version2 from "../../src/v2/index.ts";

const info = { name: "test", version: "1.0.0" };

const openers = [
  ["of this runtime", undefined],
  ["of the package ws", (url: string) => new WsSocket(url)],
] as const;

describe.each([
  ["version 1", version1],
  ["version 2", version2],
])("a client of %s", (_name, { createClient }) => {
  it("reports that a program that echoes does not speak ACP", async () => {
    const [transport, echo] = createMemoryTransportPair();
    echo.start({ message: (text) => void echo.send(text, "soon"), issue() {}, closed() {}, sendQueueGrew() {} });
    const attempt = createClient({ info }).connect(transport);
    const message = "initialize: the program sends back what it gets: it does not speak ACP";
    await expect(attempt).rejects.toMatchObject({ code: "protocol_violation", message });
  });

  it("reports that the peer is another client", async () => {
    const attempts = createMemoryTransportPair().map((transport, index) =>
      createClient({ info: { ...info, version: String(index) } }).connect(transport),
    );
    for (const attempt of attempts) await expect(attempt).rejects.toThrow("is no agent, but a client as well");
  });

  it("keeps the connection to an agent that sends initialize after it has answered", async () => {
    const [transport, wire] = createMemoryTransportPair();
    const asked = { jsonrpc: "2.0", id: "asked", method: "initialize", params: { protocolVersion: 1 } };
    const answered = createDeferred();
    let answer: unknown;
    wire.start({
      message(text) {
        const { id, params } = JSON.parse(text) as { id: unknown; params?: { protocolVersion: number } };
        if (params === undefined) {
          answer = JSON.parse(text);
          return answered.resolve();
        }
        const result = { protocolVersion: params.protocolVersion, info, capabilities: {} };
        void wire.send(JSON.stringify({ jsonrpc: "2.0", id, result }), "soon");
        void wire.send(JSON.stringify(asked), "soon");
      },
      issue() {},
      closed() {},
      sendQueueGrew() {},
    });
    const agent = await createClient({ info }).connect(transport);
    await answered.promise;
    expect(answer).toMatchObject({ id: "asked", error: { code: -32601 } });
    expect(agent.signal.aborted).toBe(false);
    await agent.close();
  });
});

describe.each(openers)("a WebSocket %s", (name, open) => {
  it("that cannot be opened is named with its server and the cause, without the secrets of its query", async () => {
    const transport = createWebSocketTransport("ws://name:word@127.0.0.1:1/acp?token=secret", { open });
    const attempt = version1.createClient({ info }).connect(transport);
    const cause = name === "of this runtime" ? ".+" : "connect ECONNREFUSED 127\\.0\\.0\\.1:1";
    const message = new RegExp(`could not be opened: code 1006 \\(ws://127\\.0\\.0\\.1:1/acp: ${cause}\\)$`);
    await expect(attempt).rejects.toMatchObject({ code: "connection_closed", message: expect.stringMatching(message) });
    await expect(attempt).rejects.not.toThrow(/secret|word/);
  });

  it("that a server refuses is named with its server", async () => {
    const server = createServer((_request, response) => void response.writeHead(401).end());
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const transport = createWebSocketTransport(`ws://127.0.0.1:${port}/acp`, { open });
    const attempt = version1.createClient({ info }).connect(transport);
    await expect(attempt).rejects.toThrow(`could not be opened: code 1006 (ws://127.0.0.1:${port}/acp: `);
    server.close();
  });
});
