import { eventually, expectTrue } from "./check.ts";
import { programOn, RunningProgram } from "./platform.ts";
import type { ScenarioContext } from "./scenario.ts";

function writingTo(file: string, { command, args }: ReturnType<typeof programOn>): ReturnType<typeof programOn> {
  return { command: "/bin/sh", args: ["-c", 'exec "$@" > "$0"', file, command, ...args] };
}

interface Message {
  readonly id?: number;
  readonly result?: { readonly sessionId?: string };
  readonly error?: object;
  readonly method?: string;
}

/** An agent over raw lines of JSON. */
export class RawAgent extends RunningProgram {
  #id = 0;
  /** Of the lines so far: who waits for one message among thousands looks often. */
  readonly #messages: Message[] = [];

  /** `stdout` names a file that is its stdout, instead of a pipe. */
  constructor({ runtimeName }: ScenarioContext, flags: readonly string[] = [], stdout?: string) {
    const program = programOn(runtimeName, "agent", flags);
    super(stdout === undefined ? program : writingTo(stdout, program));
  }

  /** Sends a request; returns its id. */
  request(method: string, params: object): number {
    this.#id += 1;
    this.write(`${JSON.stringify({ jsonrpc: "2.0", id: this.#id, method, params })}\n`);
    return this.#id;
  }

  prompt(sessionId: string, text: string): number {
    return this.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }

  /** The messages so far. Fails if stdout carries anything else (TRAN-06). */
  messages(): readonly Message[] {
    for (const line of this.lines.slice(this.#messages.length)) this.#messages.push(JSON.parse(line));
    return this.#messages;
  }

  async answer(id: number): Promise<Message> {
    await eventually(
      () => this.messages().some((message) => message.id === id),
      `an answer to ${id}; stderr: ${this.stderr}`,
    );
    const answer = this.messages().find((message) => message.id === id);
    expectTrue(answer !== undefined, "there is an answer");
    return answer;
  }

  async openSession(): Promise<string> {
    await this.answer(this.request("initialize", { protocolVersion: 1, clientCapabilities: {} }));
    const { result } = await this.answer(this.request("session/new", { cwd: "/", mcpServers: [] }));
    return result?.sessionId ?? "";
  }
}
