import { spawn } from "node:child_process";

import {
  type AgentDefinition,
  type BytePipe,
  type ClientDefinition,
  createByteTransport,
  type Diagnostic,
} from "@acp/core";
import { createNodePipe, spawnAgent, type SpawnedAgent } from "@acp/node";
import type { AgentHost } from "@acp/testing";
import { agentCommand } from "@acp/testing/process";
import { expect, onTestFinished } from "vitest";

import { type Answers, type Message, RawPeer } from "./raw-peer.ts";

/** A client that a test plays by hand, with an agent of ours on the other end of its pipes. */
export class RawClient extends RawPeer {
  constructor(pipe: BytePipe, host: AgentHost) {
    super("agent", pipe, host);
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
    return this.request("session/prompt", { sessionId, prompt: contentOf(prompt) });
  }

  /** Sends a prompt and waits for its answer. */
  prompt(sessionId: string, prompt?: string | readonly object[]): Promise<Message> {
    return this.answerTo(this.startPrompt(sessionId, prompt));
  }
}

/** Connects an agent of ours to a client played by hand, over the pipes of a process. */
export async function rawClient(agent: AgentDefinition): Promise<RawClient> {
  const command = await agentCommand({ attach: (pipe, host) => new RawClient(pipe, host) });
  const child = spawn(command.command, command.args, { stdio: ["pipe", "pipe", "inherit"] });
  const { peer } = await command.started();
  const connection = agent.connect(createByteTransport(createNodePipe(child.stdout, child.stdin)), {
    onDiagnostic: (diagnostic) => peer.diagnostics.push(diagnostic),
  });
  onTestFinished(async () => {
    peer.end();
    await connection.close();
    await command.close();
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
  const command = await agentCommand({ attach: (pipe, host) => new RawPeer("client", pipe, host) });
  const diagnostics: Diagnostic[] = [];
  const agent = spawnAgent(client, { ...command, onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
  // A test that is not interested need not wait for it.
  agent.catch(() => {});
  const { peer } = await command.started();
  onTestFinished(async () => {
    peer.end();
    await agent.then(
      (connected) => connected.close(),
      () => {},
    );
    await command.close();
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
