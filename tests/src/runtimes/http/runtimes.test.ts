// A server on each runtime, and clients on all of them, each a process of its own.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { createAgent, createClient } from "@acp/core";
import { createHttpServer, createHttpTransport } from "@acp/http";
import { nodeHttpHandler } from "@acp/node/http";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";

import { commandOn, type RuntimeName } from "../../support/runtimes.ts";
import { listen } from "../../support/http/listen.ts";
import { serveOn, type ServerProcess, serving } from "../../support/http/serve-on.ts";
import { liveOfficialStory } from "../../interop/http/official-story.ts";
import { expected } from "../../support/http/story.ts";
import { hangs } from "../../support/hangs.ts";

const program = (name: string): string =>
  fileURLToPath(new URL(`../../../dist/runtimes/http/programs/${name}.js`, import.meta.url));
const clients: readonly RuntimeName[] = ["node20", "node24", "deno", "bun"];

test.each(clients)(
  "a client on %s loses no messages by a connection that was closed while it was suspended",
  async (client) => {
    const agent = createAgent({
      info: { name: "agent", version: "1.0.0" },
      handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
    });
    const http = createHttpServer({ agent });
    const handle = nodeHttpHandler(http);
    /** Those that a stream has been opened on. */
    const streaming = new Set<unknown>();
    const listener = await listen((received, response) => {
      const { socket, method } = received;
      if (method === "GET") streaming.add(socket);
      else response.once("close", () => setTimeout(() => streaming.has(socket) || socket.end(), 100));
      handle(received, response);
    });
    const port = new URL(listener.url).port;
    const { command, args } = commandOn(client, program("stand-still"), [port]);
    const { stdout } = await promisify(execFile)(command, args, { timeout: hangs });
    expect(JSON.parse(stdout)).toEqual(["end_turn", "end_turn", "end_turn"]);
    await http.close();
    await listener.close();
  },
);

describe.each(serving)("a server on %s", (runtime, name) => {
  let server: ServerProcess;
  let port = 0;

  beforeAll(async () => {
    server = await serveOn(runtime, name);
    ({ port } = server);
  });
  afterAll(() => server.end());

  test.each(clients)("and a client on %s live the story over HTTP and a WebSocket", async (client) => {
    const { command, args } = commandOn(client, program("live-story"), [String(port)]);
    const { stdout, stderr } = await promisify(execFile)(command, args, { timeout: hangs });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({ http: expected, socket: expected });
    expect(server.errors).toBe("");
  });

  test("and a client of the official SDK live the story over HTTP and a WebSocket", async () => {
    expect(await liveOfficialStory(createHttpStream(`http://127.0.0.1:${port}/acp`))).toEqual(expected);
    const stream = createWebSocketStream(`ws://127.0.0.1:${port}/acp`, { WebSocket });
    expect(await liveOfficialStory(stream)).toEqual(expected);
    expect(server.errors).toBe("");
  });

  test("does not end the streams of a turn in which nothing happens for longer than its timeout", async () => {
    let streams = 0;
    const counting = (url: string, init: RequestInit): Promise<Response> => {
      if (init.method === "GET") streams += 1;
      return fetch(url, init);
    };
    const agent = await createClient({ info: { name: "client", version: "1" } }).connect(
      createHttpTransport(`http://127.0.0.1:${port}/acp`, { fetch: counting }),
    );
    const session = await agent.newSession({ cwd: "/" });
    const turn = session.prompt("wait");
    await turn.updates[Symbol.asyncIterator]().next();
    const opened = streams;
    expect(opened).toBeGreaterThan(0);
    // Bun looks every four seconds.
    await new Promise((resolve) => setTimeout(resolve, 6000));
    expect(streams).toBe(opened);
    turn.cancel();
    expect(await turn.response).toEqual({ stopReason: "cancelled" });
    expect(agent.signal.aborted).toBe(false);
    await agent.close();
  });

  test("takes the first of the protocols that a WebSocket offers, as browsers want one of them", async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`, ["acp", "token.secret"]);
    await once(socket, "open");
    expect(socket.protocol).toBe("acp");
    socket.terminate();
  });

  test("names the connection when it upgrades, and refuses pages of other origins", async () => {
    const upgrade = async (headers: Record<string, string>): Promise<[status: number | undefined, id: unknown]> => {
      const asking = request({
        port,
        host: "127.0.0.1",
        path: "/acp",
        headers: {
          Connection: "Upgrade",
          Upgrade: "websocket",
          "Sec-WebSocket-Version": "13",
          "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
          ...headers,
        },
      });
      asking.end();
      const [response, socket] = await Promise.race([once(asking, "upgrade"), once(asking, "response")]);
      socket?.destroy();
      response.resume();
      return [response.statusCode, response.headers["acp-connection-id"]];
    };
    expect(await upgrade({})).toEqual([101, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(await upgrade({ Origin: "https://evil.example" })).toEqual([403, undefined]);
  });
});
