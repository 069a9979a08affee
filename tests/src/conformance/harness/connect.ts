import { spawn } from "node:child_process";
import { createServer, type Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import { type AgentDefinition, type ClientDefinition, createByteTransport, type Diagnostic } from "@acp/core";
import { createNodePipe, spawnAgent, type SpawnedAgent } from "@acp/node";
import { expect, onTestFinished } from "vitest";

import type { Message } from "./message.ts";
import { type Answers, RawPeer } from "./raw-peer.ts";

const relay = fileURLToPath(new URL("relay.ts", import.meta.url));

/** A client that a test plays by hand, with an agent of ours on the other end of its pipes. */
export class RawClient extends RawPeer {
  constructor(input: Readable, output: Writable) {
    super("agent", input, output);
  }

  /** What the agent has told its diagnostics. */
  readonly diagnostics: Diagnostic[] = [];

  /** Calls `initialize`. */
  initialize(clientCapabilities: object = {}, more: object = {}): Promise<Message> {
    return this.call("initialize", { protocolVersion: 1, clientCapabilities, ...more });
  }

  /** Opens a session. Returns its id. */
  async newSession(more: object = {}): Promise<string> {
    const { result } = await this.call("session/new", { cwd: "/project", mcpServers: [], ...more });
    return result.sessionId;
  }

  /** Initializes, and opens a session. */
  async open(clientCapabilities: object = {}): Promise<string> {
    await this.initialize(clientCapabilities);
    return this.newSession();
  }

  /** Sends a prompt. Returns its id. */
  startPrompt(sessionId: string, prompt: string | readonly object[] = "go"): unknown {
    return this.ask("session/prompt", { sessionId, prompt: contentOf(prompt) });
  }

  /** Sends a prompt and waits for its answer. */
  prompt(sessionId: string, prompt?: string | readonly object[]): Promise<Message> {
    return this.answerTo(this.startPrompt(sessionId, prompt));
  }
}

/** Connects an agent of ours to a client played by hand, over the pipes of a process. */
export async function rawClient(agent: AgentDefinition): Promise<RawClient> {
  const port = await listen();
  const child = spawn(process.execPath, [relay, String(port.number)], { stdio: ["pipe", "pipe", "inherit"] });
  const socket = await port.socket;
  const peer = new RawClient(socket, socket);
  const connection = agent.connect(createByteTransport(createNodePipe(child.stdout, child.stdin)), {
    onDiagnostic: (diagnostic) => peer.diagnostics.push(diagnostic),
  });
  onTestFinished(async () => {
    peer.end();
    await connection.close();
    child.kill();
    expect(peer.problems).toEqual([]);
  });
  return peer;
}

/** A client of ours, connected to an agent played by hand that it has started as its child. */
export interface OurClient {
  readonly peer: RawPeer;
  readonly agent: SpawnedAgent;
  /** What the client has told its diagnostics. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The same before the agent has answered `initialize`. */
export interface StartingClient {
  readonly peer: RawPeer;
  readonly agent: Promise<SpawnedAgent>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Starts an agent played by hand as the child of a client of ours, and leaves it to the test to answer it. */
export async function startRawAgent(client: ClientDefinition): Promise<StartingClient> {
  const port = await listen();
  const diagnostics: Diagnostic[] = [];
  const agent = spawnAgent(client, {
    command: process.execPath,
    args: [relay, String(port.number)],
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  // A test that is not interested need not wait for it.
  agent.catch(() => {});
  const socket = await port.socket;
  const peer = new RawPeer("client", socket, socket);
  onTestFinished(async () => {
    peer.end();
    await agent.then(
      (connected) => connected.close(),
      () => {},
    );
    expect(peer.problems).toEqual([]);
  });
  return { peer, agent, diagnostics };
}

/** Connects a client of ours to an agent played by hand, which answers `initialize` and `session/new` by itself. */
export async function rawAgent(client: ClientDefinition, answers: Answers = {}): Promise<OurClient> {
  const { peer, agent, diagnostics } = await startRawAgent(client);
  peer.answerAlways({ initialize: { protocolVersion: 1 }, "session/new": { sessionId: "session-1" }, ...answers });
  return { peer, agent: await agent, diagnostics };
}

function contentOf(prompt: string | readonly object[]): readonly object[] {
  return typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
}

/** A local port for one connection. */
async function listen(): Promise<{ readonly number: number; readonly socket: Promise<Socket> }> {
  const server = createServer({ allowHalfOpen: true });
  const socket = new Promise<Socket>((resolve) => {
    server.once("connection", (connected) => {
      server.close();
      resolve(connected);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  return { number: address.port, socket };
}
