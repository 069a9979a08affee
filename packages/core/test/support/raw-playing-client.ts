import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";
import type { AgentDefinition } from "../../src/v1/unstable/entry.ts";
import { type Attitude, attitudes } from "./cancel-plan.ts";
import { lateness, wait } from "./rounds.ts";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly [member: string]: unknown };
  readonly result?: { readonly [member: string]: unknown };
  readonly error?: { readonly code: number };
}

/** A client that is played without the toolkit, and behaves as the requests of the agent say. */
export class RawPlayingClient {
  /** The terminals that it has given out. */
  readonly terminals: Set<string> = new Set<string>();
  /** All that has arrived, in order. */
  readonly received: Message[] = [];
  /** The agent's requests that have no answer, and were not taken back. */
  readonly open: Map<unknown, Message> = new Map<unknown, Message>();
  readonly served: Promise<void>;
  readonly #transport = createMemoryTransportPair();
  #ids = 0;

  constructor(definition: AgentDefinition) {
    const [own, theirs] = this.#transport;
    own.start({ message: (text) => this.#arrived(JSON.parse(text) as Message), issue: () => {}, closed: () => {} });
    this.served = definition.connect(theirs).closed;
  }

  /** Sends a request. Returns its id. */
  ask(method: string, params: object): number {
    const id = ++this.#ids;
    this.#send({ id, method, params });
    return id;
  }

  async call(method: string, params: object): Promise<Message> {
    const id = this.ask(method, params);
    for (;;) {
      const [answer] = this.answers(id);
      if (answer !== undefined) return answer;
      await wait(1);
    }
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  answers(id: number): Message[] {
    return this.received.filter((message) => message.id === id && message.method === undefined);
  }

  /** Answers the open questions of a session as a client does that has cancelled its turn (CANC-03). */
  withdraw(sessionId: string): void {
    for (const { id, method, params } of this.open.values()) {
      if (params?.["sessionId"] !== sessionId) continue;
      if (method === "session/request_permission") this.#answer(id, { result: { outcome: { outcome: "cancelled" } } });
      if (method === "elicitation/create") this.#answer(id, { result: { action: "cancel" } });
    }
  }

  close(): Promise<void> {
    return this.#transport[0].close();
  }

  #send(message: object): void {
    void this.#transport[0].send(JSON.stringify({ jsonrpc: "2.0", ...message }), "soon");
  }

  #answer(id: unknown, answer: object): void {
    if (!this.open.delete(id)) return;
    try {
      this.#send({ id, ...answer });
    } catch {
      // It has closed meanwhile.
    }
  }

  #arrived(message: Message): void {
    this.received.push(message);
    const { id, method, params } = message;
    if (method === "$/cancel_request") {
      const taken = this.open.get(params?.["requestId"]);
      const error = { code: -32800, message: "Request cancelled" };
      // Who is away does not even hear that.
      if (taken !== undefined && attitudeOf(taken) === "listens") this.#answer(taken.id, { error });
      this.open.delete(params?.["requestId"]);
    } else if (method !== undefined && id !== undefined) {
      this.open.set(id, message);
      void this.#attend(message);
    }
  }

  async #attend(message: Message): Promise<void> {
    // It is given up, whenever that is answered.
    if (message.method === "terminal/release") this.terminals.delete(String(message.params?.["terminalId"]));
    const who = attitudeOf(message);
    if (who === "away" || who === "listens") return;
    if (who !== "answers") await wait(who === "later" ? 4 : lateness);
    const result = resultOf(message);
    if (message.method === "terminal/create" && this.open.has(message.id))
      this.terminals.add(String(result["terminalId"]));
    this.#answer(message.id, { result });
  }
}

/** How the client behaves is in the request: the last of its texts that is an attitude. */
function attitudeOf({ method = "", params }: Message): Attitude {
  const [, terminal] = /^terminal\/([a-z]+)/.exec(method) ?? [];
  const text = JSON.stringify(params);
  // Of the requests about a terminal, one behaves as the command says. One that has to be killed does not end before.
  if (terminal === "wait" && text.includes('"kill ')) return "away";
  if (terminal !== undefined && !text.includes(`"${terminal} `)) return "answers";
  return attitudes.findLast((attitude) => new RegExp(`\\b${attitude}\\b`).test(text)) ?? "answers";
}

function resultOf({ id, method, params }: Message): Readonly<Record<string, unknown>> {
  switch (method) {
    case "session/request_permission":
      return { outcome: { outcome: "selected", optionId: "a" } };
    case "elicitation/create":
      return { action: "decline" };
    case "fs/read_text_file":
      return { content: "" };
    case "terminal/create":
      return { terminalId: `${String(params?.["command"])} ${String(id)}` };
    case "terminal/output":
      return { output: "", truncated: false };
    case "terminal/wait_for_exit":
      return { exitCode: 0 };
    case "mcp/message":
      return { result: {} };
    default:
      return {};
  }
}
