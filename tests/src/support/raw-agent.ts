import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A message of JSON-RPC. */
export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly update?: Update; readonly options?: readonly { optionId: string; kind?: string }[] };
  readonly result?: { readonly sessionId?: string; readonly [member: string]: unknown };
  readonly error?: { readonly message: string };
}

export interface Update {
  readonly sessionUpdate: string;
  readonly [member: string]: unknown;
}

/** An agent in a process of its own, and a client that is nothing but lines: it can end the agent after any of them. */
export class RawAgent {
  readonly child: ChildProcess;
  readonly messages: Message[] = [];
  /** Called with each message, before anything is answered. */
  onMessage: (message: Message) => void = () => {};
  stderr = "";
  readonly #closed: Promise<unknown>;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #id = 0;

  constructor(command: readonly string[], env: Readonly<Record<string, string>>) {
    const [program = "", ...args] = command;
    const child = spawn(program, args, { env: { PATH: process.env["PATH"] ?? "", ...env }, stdio: "pipe" });
    this.child = child;
    this.#closed = once(child, "close");
    child.stdin.on("error", () => {});
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    createInterface({ input: child.stdout }).on("line", (line) => this.#take(JSON.parse(line) as Message));
  }

  /** The updates so far. */
  get updates(): readonly Update[] {
    return this.messages.flatMap(({ params }) => (params?.update === undefined ? [] : [params.update]));
  }

  /** Resolves with the answer; rejects when the process ends before. */
  request(method: string, params: object): Promise<Message> {
    const id = ++this.#id;
    this.#send({ id, method, params });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, resolve);
      void this.#closed.then(() => reject(new Error(`The agent has ended: ${this.stderr}`)), reject);
    });
  }

  async initialize(version: 1 | 2): Promise<void> {
    const client = { name: "raw", version: "1.0.0" };
    const capabilities =
      version === 1 ? { clientCapabilities: {}, clientInfo: client } : { info: client, capabilities: {} };
    await this.request("initialize", { protocolVersion: version, ...capabilities });
  }

  /** Ends it so that it can do nothing more. */
  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.#closed;
  }

  /** Ends its input, and resolves when it has ended. */
  async end(): Promise<void> {
    this.child.stdin?.end();
    await this.#closed;
  }

  #take(message: Message): void {
    // Lines that were on their way when it was ended: nobody has seen them.
    if (this.child.killed) return;
    this.messages.push(message);
    this.onMessage(message);
    if (this.child.killed) return;
    if (message.method === undefined) return this.#waiting.get(Number(message.id))?.(message);
    if (message.method !== "session/request_permission") return;
    const option = message.params?.options?.find(({ kind }) => kind === "allow_once");
    this.#send({ id: message.id, result: { outcome: { outcome: "selected", optionId: option?.optionId } } });
  }

  #send(message: object): void {
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}
