/** A client in plain JSON, without the toolkit, that attacks an agent's process over its pipes. */
import { spawn } from "node:child_process";

import { type Cell, effectOf } from "../cell.ts";
import { answerReversed } from "../faults.ts";
import { type AgentReport, type Outcome, within } from "../outcome.ts";
import { type RawMessage, RawPeer } from "./raw-peer.ts";
import { type Aftermath, Striker } from "./strike.ts";

/** What became of a session of an agent with a client at fault. */
export interface AgentFacts {
  /** What the agent's own promises came to, by name. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** What went wrong, beside that. */
  readonly problems: readonly string[];
}

/** Runs the session of a cell with the agent of this command, which is the toolkit. */
export async function attackAgent(cell: Cell, command: string, args: readonly string[]): Promise<AgentFacts> {
  return new RawClient(cell, command, args).run();
}

class RawClient {
  readonly #cell: Cell;
  readonly #child;
  readonly #peer: RawPeer;
  readonly #striker: Striker;
  readonly #exited: Promise<number | string>;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #problems: string[] = [];
  #stderr = "";
  #isGone = false;
  #sawUpdate: () => void = () => {};
  #texts = "";

  constructor(cell: Cell, command: string, args: readonly string[]) {
    this.#cell = cell;
    this.#child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
    const { stdin, stdout, stderr } = this.#child;
    this.#exited = new Promise((resolve) => {
      this.#child.on("error", (error) => resolve(error.message));
      this.#child.on("close", (code, signal) => resolve(code ?? signal ?? "nothing"));
    });
    stderr.setEncoding("utf8").on("data", (text: string) => this.#hear(text));
    this.#peer = new RawPeer(
      cell.framing,
      stdout,
      stdin,
      (message) => void this.#receive(message),
      () => this.#over(),
    );
    this.#echo = answerReversed(this.#peer);
    this.#striker = new Striker(cell, this.#peer, {
      stopReading: () => void stdout.destroy(),
      endOutput: () => void stdin.end(),
      async pause() {
        stdout.pause();
        await new Promise((resolve) => setTimeout(resolve, 200));
        stdout.resume();
      },
      end: () => {},
      writeStderr: () => Promise.resolve(),
    });
  }

  async run(): Promise<AgentFacts> {
    const hung = await within(this.#session());
    if (hung === "hangs") this.#problems.push(`the session hangs; unanswered: ${this.#peer.asked.join(", ")}`);
    this.#child.stdin.end();
    const exit = await within(this.#exited);
    if (exit === "hangs") {
      this.#problems.push("the agent does not end after its stdin has ended");
      this.#child.kill("SIGKILL");
      await this.#exited;
    } else if (exit !== 0) this.#problems.push(`the agent ended with ${exit}`);
    this.#check();
    return { outcomes: this.#outcomes, problems: this.#problems };
  }

  async #session(): Promise<void> {
    const isVersion1 = this.#cell.version === 1;
    await this.#at("before initialize");
    const initialize = isVersion1
      ? { protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true } } }
      : { protocolVersion: 2, info: { name: "raw", version: "1" }, capabilities: { elicitation: { form: {} } } };
    await this.#insist("initialize", initialize, "during initialize");
    await this.#at("after initialize");
    await this.#call(isVersion1 ? "authenticate" : "auth/login", { methodId: "login" }, "authenticate");
    const setup = { cwd: "/", mcpServers: [] };
    await this.#insist("session/new", setup, "new session");
    const load = isVersion1 ? setup : { ...setup, replayFrom: { type: "start" } };
    const sessionId = "loaded";
    await this.#insist(isVersion1 ? "session/load" : "session/resume", { sessionId, ...load }, "load session");
    this.#striker.sessionId = sessionId;
    await this.#prompt(sessionId, "work");
    await this.#prompt(sessionId, "wait");
    await this.#call("session/close", { sessionId }, "close session");
    if (this.#isGone || this.#peer.ended) return;
    const opened = await this.#call("session/new", setup);
    this.#texts = "";
    await this.#prompt((opened as { readonly sessionId?: string } | undefined)?.sessionId, "probe");
    if (this.#texts !== "probed") this.#problems.push(`the session after it says "${this.#texts}"`);
  }

  /** Prompts, and waits for the end of the work. */
  async #prompt(sessionId: unknown, text: string): Promise<void> {
    if (this.#isGone) return;
    const updated = new Promise<void>((resolve) => (this.#sawUpdate = resolve));
    const idle = new Promise<void>((resolve) => (this.#sawIdle = resolve));
    const answered = this.#peer.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
    if (text === "work") {
      await this.#at("before the first update");
      await Promise.race([updated, answered]);
      await this.#at("amid updates");
    }
    if (text === "wait") {
      await Promise.race([updated, answered]);
      this.#peer.send({ method: "session/cancel", params: { sessionId } });
      await this.#at("cancel");
    }
    const answer = await answered;
    // In version 2 the work goes on after the answer.
    if (this.#cell.version === 2 && answer?.error === undefined && !this.#peer.ended) await idle;
  }

  #sawIdle: () => void = () => {};

  async #at(step: string, open?: { readonly id: unknown; readonly result: object }): Promise<Aftermath> {
    if (this.#isGone) return "gone";
    const aftermath = await this.#striker.at(step, open);
    if (aftermath !== "gone") return aftermath;
    this.#isGone = true;
    this.#peer.giveUp();
    this.#over();
    return aftermath;
  }

  /** Nothing more comes: nobody waits for it. */
  #over(): void {
    this.#sawUpdate();
    this.#sawIdle();
  }

  /** Calls, and lets the fault of the step strike before the answer can have come. Resolves with the result. */
  async #call(method: string, params: object, step?: string): Promise<unknown> {
    if (this.#isGone) return undefined;
    const answered = this.#peer.request(method, params);
    if (step !== undefined) await this.#at(step);
    return (await answered)?.result;
  }

  /** Calls once more what the fault has cancelled. */
  async #insist(method: string, params: object, step: string): Promise<void> {
    const result = await this.#call(method, params, step);
    if (result === undefined && !this.#isGone && effectOf(this.#cell) === "refusal") await this.#call(method, params);
  }

  #echo: (message: RawMessage) => void;

  async #receive({ id, method = "", params = {} }: RawMessage): Promise<void> {
    if (method === "session/update") return this.#updated(params["update"] as Update);
    if (method === "_echo") return this.#echo({ id, params });
    const [step, result] = asked[method] ?? [];
    if (step === undefined || result === undefined) {
      if (id !== undefined) this.#peer.send({ id, error: { code: -32601, message: "Method not found" } });
      return;
    }
    if ((await this.#at(step, { id, result })) === "goes on") this.#peer.send({ id, result });
  }

  #updated({ sessionUpdate, content, state }: Update): void {
    if (sessionUpdate === "agent_message_chunk") {
      this.#texts += content?.text ?? "";
      this.#sawUpdate();
    }
    if (state === "idle") this.#sawIdle();
  }

  #hear(text: string): void {
    const lines = (this.#stderr + text).split("\n");
    this.#stderr = lines.pop() ?? "";
    for (const line of lines) {
      try {
        const { name, outcome, problem } = JSON.parse(line) as AgentReport;
        if (problem !== undefined) this.#problems.push(problem);
        if (outcome !== undefined) this.#outcomes.set(name, outcome);
      } catch {
        this.#problems.push(`the agent printed ${line.slice(0, 200)}`);
      }
    }
  }

  #check(): void {
    if (this.#stderr !== "") this.#problems.push(`the agent printed ${this.#stderr.slice(0, 200)}`);
    for (const stray of this.#peer.strays) this.#problems.push(`the agent wrote ${stray} to stdout`);
    const isOver = ["end", "deaf"].includes(effectOf(this.#cell));
    for (const [id, count] of this.#peer.answers) {
      if (count > 1 || (count === 0 && !isOver)) this.#problems.push(`${count} answers to request ${String(id)}`);
    }
  }
}

interface Update {
  readonly sessionUpdate: string;
  readonly content?: { readonly text?: string };
  readonly state?: string;
}

/** What the agent may ask, at which step, and the right answer. */
const asked: Readonly<Record<string, readonly [step: string, result: object]>> = {
  "session/request_permission": ["question for permission", { outcome: { outcome: "selected", optionId: "yes" } }],
  "fs/read_text_file": ["request to the client", { content: "text" }],
  "elicitation/create": ["request to the client", { action: "accept", content: {} }],
};
