// The official SDK on one side, and the toolkit on the other, over real sockets.
import { createWebSocketTransport, type Diagnostic } from "@acp/core";
import { createHttpServer, createHttpTransport } from "@acp/http";
import { nodeHttpHandler, nodeUpgradeHandler } from "@acp/node/http";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from "@agentclientprotocol/sdk/experimental/node";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";

import { type Listener, listen } from "../../support/http/listen.ts";
import { createOfficialStoryAgent, liveOfficialStory } from "./official-story.ts";
import { expected } from "../../support/http/story.ts";
import { createStoryAgent, liveStory } from "../../support/http/toolkit-story.ts";

let ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
});

async function listenWith(...handlers: Parameters<typeof listen>): Promise<Listener> {
  const listener = await listen(...handlers);
  ends.push(() => listener.close());
  return listener;
}

describe("a server of the toolkit", () => {
  async function serve(): Promise<Listener & { readonly diagnostics: readonly Diagnostic[] }> {
    const diagnostics: Diagnostic[] = [];
    const server = createHttpServer({ agent: createStoryAgent((diagnostic) => diagnostics.push(diagnostic)) });
    ends.push(() => server.close());
    const upgrade = nodeUpgradeHandler(server, new WebSocketServer({ noServer: true }));
    return { ...(await listenWith(nodeHttpHandler(server), upgrade)), diagnostics };
  }

  test("serves a client of the official SDK over HTTP", async () => {
    const { url, diagnostics } = await serve();
    expect(await liveOfficialStory(createHttpStream(url))).toEqual(expected);
    expect(diagnostics).toEqual([]);
  });

  test("serves a client of the official SDK over a WebSocket", async () => {
    const { socketUrl, diagnostics } = await serve();
    expect(await liveOfficialStory(createWebSocketStream(socketUrl, { WebSocket }))).toEqual(expected);
    expect(diagnostics).toEqual([]);
  });

  test("serves a client of the toolkit over HTTP and a WebSocket", async () => {
    const { url, socketUrl, diagnostics } = await serve();
    expect(await liveStory(createHttpTransport(url))).toEqual(expected);
    expect(await liveStory(createWebSocketTransport(new WebSocket(socketUrl)))).toEqual(expected);
    expect(diagnostics).toEqual([]);
  });
});

describe("a client of the toolkit", () => {
  async function serve(): Promise<Listener> {
    const server = new AcpServer({ createAgent: createOfficialStoryAgent });
    ends.push(() => server.close());
    const sockets = new WebSocketServer({ noServer: true });
    return await listenWith(createNodeHttpHandler(server), createNodeWebSocketUpgradeHandler(server, sockets));
  }

  test("uses a server of the official SDK over HTTP", async () => {
    expect(await liveStory(createHttpTransport((await serve()).url))).toEqual(expected);
  });

  test("uses a server of the official SDK over a WebSocket", async () => {
    const socket = new WebSocket((await serve()).socketUrl);
    expect(await liveStory(createWebSocketTransport(socket))).toEqual(expected);
  });
});
