import { type BytePipe, createByteTransport, type Transport, UsageError } from "@acp/core";
import { isObject, requireObject } from "@acp/core/internal";

import type { ProtocolVersion } from "../agent/agent-words.ts";
import { type Channel, pipeChannel, transportChannel } from "../peer/channel.ts";
import { createMemoryPipes } from "../peer/memory-pipes.ts";
import { at, isRequest, type Message, textAt } from "../peer/message.ts";
import { Peer } from "../peer/peer.ts";
import { inWords, isThenable } from "../script/check-step.ts";
import type { AgentLike, FakeClientOptions } from "./client-options.ts";
import { initializeParams, titleOfQuestion } from "./client-words.ts";
import { type FakeTurn, TurnCollector } from "./fake-turn.ts";
import type { RecordedQuestion } from "./turn-record.ts";

/** A client that does what a test says. */
export interface FakeClient {
  /** The connection, for what has no method here. */
  readonly peer: Peer;
  /** The files that the agent may read and write, as they are now. */
  readonly files: Map<string, string>;
  /** All updates that came, in order, of all sessions. */
  readonly updates: readonly unknown[];
  /** Initializes the connection, if nothing has. Resolves with the result. */
  initialize(): Promise<unknown>;
  /**
   * Opens a session and resolves with its id. The first prompt opens one by itself.
   *
   * @throws {AgentAnswerError} if the agent refuses.
   */
  newSession(params?: object): Promise<string>;
  /** Sends a prompt: in this session, else in the one that was opened last. */
  prompt(prompt: string | readonly object[], sessionId?: string): FakeTurn;
  /**
   * Calls any other method and resolves with its result. Initializes first.
   *
   * @throws {AgentAnswerError} if the agent answers with an error.
   */
  call(method: string, params?: object): Promise<unknown>;
  /** Ends the connection. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The agent has answered with an error. */
export class AgentAnswerError extends Error {
  override readonly name = "AgentAnswerError";
  /** The error as it was on the wire. */
  readonly error: unknown;

  constructor(method: string, error: unknown) {
    super(`The agent has answered ${method} with error ${String(at(error, "code"))}: ${textAt(error, "message")}`);
    this.error = error;
  }
}

/**
 * Creates a client that a test plays, and connects it to an agent.
 *
 * ```ts
 * await using client = fakeClient(agent, { files: { "/project/a.txt": "a" } });
 * await expectTurn(client.prompt("Fix it")).toCall("edit").toShow("Done");
 * ```
 *
 * It initializes with the first call, and opens a session with the first prompt. Pass what `startProgram` of
 * `@acp/testing/process` returns to play the client of a real process.
 */
export function fakeClient(agent: AgentLike, options: FakeClientOptions = {}): FakeClient {
  requireObject(options, "The second argument of fakeClient() are its options");
  return new ScriptedClient(agent, options);
}

class ScriptedClient implements FakeClient {
  readonly peer: Peer;
  readonly files: Map<string, string>;
  readonly updates: unknown[] = [];
  readonly #options: FakeClientOptions;
  readonly #version: ProtocolVersion;
  readonly #turns = new Map<string, TurnCollector>();
  #initialized: Promise<unknown> | undefined;
  #session: Promise<string> | undefined;

  constructor(agent: AgentLike, options: FakeClientOptions) {
    this.#options = options;
    this.#version = options.protocol ?? 1;
    this.files = new Map(Object.entries(options.files ?? {}));
    const { timeout, clock } = options;
    this.peer = new Peer(channelTo(agent, options), { timeout, clock, onMessage: (message) => this.#take(message) });
  }

  initialize(): Promise<unknown> {
    const { capabilities = {}, files } = this.#options;
    const fs = files === undefined ? {} : { fs: { readTextFile: true, writeTextFile: true } };
    const params = initializeParams(this.#version, { ...fs, ...capabilities });
    this.#initialized ??= this.#result("initialize", params);
    return this.#initialized;
  }

  newSession(params: object = {}): Promise<string> {
    const { cwd = "/project", mcpServers = [] } = this.#options;
    this.#session = this.call("session/new", { cwd, mcpServers, ...params }).then(
      (result) => textAt(result, "sessionId") ?? "",
    );
    return this.#session;
  }

  prompt(prompt: string | readonly object[], sessionId?: string): FakeTurn {
    const blocks = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
    return new TurnCollector(this.peer, this.#version, async (turn) => {
      const session = sessionId ?? (await (this.#session ?? this.newSession()));
      this.#turns.set(session, turn);
      const id = this.peer.request("session/prompt", { sessionId: session, prompt: blocks });
      turn.begins(session, id);
      return id;
    });
  }

  async call(method: string, params: object = {}): Promise<unknown> {
    await this.initialize();
    return this.#result(method, params);
  }

  close(): Promise<void> {
    return this.peer.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #result(method: string, params: object): Promise<unknown> {
    const { result, error } = await this.peer.call(method, params);
    if (error !== undefined) throw new AgentAnswerError(method, error);
    return result;
  }

  #take(message: Message): void {
    const sessionId = textAt(message, "params", "sessionId") ?? "";
    if (message.method === "session/update") {
      const update = at(message, "params", "update");
      this.updates.push(update);
      this.#turns.get(sessionId)?.update(update);
    } else if (isRequest(message)) void this.#answer(message, sessionId);
  }

  async #answer(message: Message, sessionId: string): Promise<void> {
    const method = message.method ?? "";
    const handler = this.#options.handlers?.[method] ?? this.#handlers(sessionId)[method];
    if (handler === undefined) return this.peer.fail(message, -32601, `The test has no handler for ${method}`);
    try {
      this.peer.reply(message, (await handler(message.params)) ?? {});
    } catch (error) {
      this.peer.fail(message, -32603, error instanceof Error ? error.message : String(error));
    }
  }

  #handlers(sessionId: string): Readonly<Record<string, (params: unknown) => unknown>> {
    const handlers = { "session/request_permission": (params: unknown) => this.#permit(params, sessionId) };
    if (this.#options.files === undefined) return handlers;
    return {
      ...handlers,
      "fs/read_text_file": (params) => {
        const path = textAt(params, "path") ?? "";
        const content = this.files.get(path);
        if (content === undefined) throw new Error(`There is no file ${path}`);
        return { content: linesOf(content, at(params, "line"), at(params, "limit")) };
      },
      "fs/write_text_file": (params) => {
        this.files.set(textAt(params, "path") ?? "", textAt(params, "content") ?? "");
      },
    };
  }

  async #permit(params: unknown, sessionId: string): Promise<object> {
    const options = at(params, "options");
    const question = {
      title: titleOfQuestion(params),
      options: (Array.isArray(options) ? options : []) as RecordedQuestion["options"],
    };
    const answered = this.#turns.get(sessionId)?.question(question);
    const { answer = "allow" } = this.#options;
    const chosen = typeof answer === "function" ? await answer(question) : chooseBy(answer, question.options);
    answered?.(chosen);
    return { outcome: chosen === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: chosen } };
  }
}

/** The first option that allows or rejects; one that does it once, if there is one. */
function chooseBy(answer: "allow" | "reject" | "cancel", options: RecordedQuestion["options"]): string | undefined {
  const fitting = options.filter(({ kind }) => kind.startsWith(answer));
  return (fitting.find(({ kind }) => kind.endsWith("once")) ?? fitting[0])?.optionId;
}

/** The lines of a text, from one that is counted from 1. */
function linesOf(text: string, line: unknown, limit: unknown): string {
  if (typeof line !== "number" && typeof limit !== "number") return text;
  const first = typeof line === "number" ? line - 1 : 0;
  return text
    .split("\n")
    .slice(first, typeof limit === "number" ? first + limit : undefined)
    .join("\n");
}

function channelTo(agent: AgentLike, { framing }: FakeClientOptions): Channel {
  requireAgent(agent);
  if ("connect" in agent) {
    const [ours, theirs] = createMemoryPipes();
    const connection = agent.connect(createByteTransport(theirs, { framing }));
    // An agent serves at once; a client promises what it is connected to.
    if (isThenable(connection)) {
      connection.then(undefined, () => {});
      void theirs.close();
      throw new UsageError(
        "fakeClient() plays a client for an agent, and has got a client. Test a client with fakeAgent()",
      );
    }
    return pipeChannel(ours, framing);
  }
  return isTransport(agent) ? transportChannel(agent) : pipeChannel(agent, framing);
}

/** @throws {UsageError} that says what to pass. */
function requireAgent(agent: unknown): void {
  if (isObject(agent)) {
    if (typeof agent["connect"] === "function" || typeof agent["start"] === "function") return;
    if (typeof agent["command"] === "string")
      throw new UsageError("fakeClient() has got a command. Start it: fakeClient(await startProgram(command))");
  }
  const advice = isThenable(agent)
    ? "Await it before"
    : "Pass what createAgent() or startProgram() returns, or a transport";
  throw new UsageError(`fakeClient() plays a client for an agent, and has got ${inWords(agent)}. ${advice}`);
}

function isTransport(agent: Transport | BytePipe): agent is Transport {
  return "send" in agent;
}
