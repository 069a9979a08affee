/** What is no process: agents behind the runtime's own WebSocket, and in its own worker threads. */
import { once } from "node:events";

import {
  type ConnectedAgent,
  createClient,
  createMessagePortTransport,
  createWebSocketTransport,
  type Diagnostic,
  type Transport,
  type WebSocketLike,
} from "@acp/core";
import { WebSocket as WebSocketOfPackage, WebSocketServer } from "ws";

import { eventually, expectContains, expectEqual, expectTrue, rejectionOf, sleep } from "../check.ts";
import { createTestAgent } from "../programs/test-agent.ts";
import { type Scenario, test } from "../scenario.ts";
import { textOf } from "../turn-text.ts";
import { startAgentWorker } from "../worker.ts";

/** Node 20 has none: there, people take that of a package. */
const Socket: new (url: string) => WebSocketLike = typeof WebSocket === "function" ? WebSocket : WebSocketOfPackage;

type ServerSocket = InstanceType<typeof WebSocketOfPackage>;

interface Setting {
  /** Of the client. */
  readonly transport: Transport;
  /** The server's end, if there is one. */
  readonly socket?: ServerSocket;
}

/** A client's transport to an agent behind a socket, while `body` runs. */
async function overWebSocket(body: (setting: Setting) => Promise<void>): Promise<void> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const sockets: ServerSocket[] = [];
  server.on("connection", (socket) => {
    sockets.push(socket);
    createTestAgent().connect(createWebSocketTransport(socket));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen");
  const transport = createWebSocketTransport(new Socket(`ws://127.0.0.1:${address.port}`));
  try {
    await body({
      transport,
      get socket() {
        return sockets[0];
      },
    });
  } finally {
    for (const socket of sockets) socket.terminate();
    server.close();
  }
}

/** A client's transport to an agent in a worker, while `body` runs. */
async function overMessagePort(body: (setting: Setting) => Promise<void>): Promise<void> {
  const worker = startAgentWorker();
  const { port1, port2 } = new MessageChannel();
  worker.send(port2);
  try {
    await body({ transport: createMessagePortTransport(port1) });
  } finally {
    await worker.end();
  }
}

async function wholeSession(transport: Transport): Promise<void> {
  const diagnostics: Diagnostic[] = [];
  const client = createClient({
    info: { name: "test-client", version: "1" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: {
      "session/request_permission": ({ options }) => ({
        outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" },
      }),
    },
  });
  const agent = await client.connect(transport);
  const session = await agent.newSession({ cwd: "/project" });
  expectEqual(await textOf(session.prompt("permission")), "selected");
  const turn = session.prompt("wait");
  await sleep(20);
  turn.cancel();
  expectEqual((await turn.response).stopReason, "cancelled");
  expectEqual(
    await textOf(
      session.prompt([
        { type: "text", text: "length" },
        { type: "text", text: "é".repeat(5_000_000) },
      ]),
    ),
    "5000000",
  );
  expectEqual((await textOf(session.prompt("big 10000000"))).length, 10_000_000);
  const burst = Array.from({ length: 10_000 }, (_, index) => `${index} `).join("");
  expectTrue((await textOf(session.prompt("burst 10000"))) === burst, "10,000 updates, in order");
  await agent.close();
  expectEqual(diagnostics, []);
}

/** An agent that floods a client whose handler does not return stops, and goes on when it does. */
async function slowClient(transport: Transport): Promise<void> {
  let handled = 0;
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const client = createClient({
    info: { name: "test-client", version: "1" },
    handlers: {
      "session/update": () => {
        handled += 1;
        return held;
      },
    },
  });
  const agent: ConnectedAgent = await client.connect(transport);
  const session = await agent.newSession({ cwd: "/project" });
  const { response } = session.prompt("flood 20000");
  await eventually(() => handled > 0, "the first update");
  await sleep(300);
  expectEqual(handled, 1, "updates handled");
  goOn();
  expectEqual((await response).stopReason, "end_turn");
  expectEqual(handled, 20_000, "updates handled");
  await agent.close();
}

export const scenarios: readonly Scenario[] = [
  test("TRAN-14/both, TRAN-15/both: a session over a WebSocket, with permission, cancel, large messages and 10,000 updates", () =>
    overWebSocket(({ transport }) => wholeSession(transport))),
  test("TRAN-14/both, TRAN-15/both: a session with an agent in a worker, over a MessagePort", () =>
    overMessagePort(({ transport }) => wholeSession(transport))),
  test("a slow client of a WebSocket loses no messages", () => overWebSocket(({ transport }) => slowClient(transport))),
  test("a slow client holds up an agent in a worker, and nothing is lost", () =>
    overMessagePort(({ transport }) => slowClient(transport))),
  test("a connection that breaks rejects the turn and reports why; binary frames do not break it", () =>
    overWebSocket(async (setting) => {
      const diagnostics: Diagnostic[] = [];
      const client = createClient({
        info: { name: "test-client", version: "1" },
        onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      });
      const agent = await client.connect(setting.transport);
      const session = await agent.newSession({ cwd: "/project" });
      setting.socket?.send(new Uint8Array(3));
      await eventually(() => diagnostics.length > 0, "the diagnostic");
      expectEqual(
        diagnostics.map(({ type }) => type),
        ["framing"],
      );
      const rejection = rejectionOf(session.prompt("wait").response);
      setting.socket?.terminate();
      const error = await rejection;
      expectEqual(error["code"], "connection_closed");
      expectContains(String(error.cause), "1006");
    })),
];
