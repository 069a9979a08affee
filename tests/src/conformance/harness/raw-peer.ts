import type { Readable, Writable } from "node:stream";

import type { Side } from "@acp/check/requirements";
import { FrameCheck } from "./frame-check.ts";
import { isAnswer, isCall, type Message } from "./message.ts";
import { hangs } from "../../support/hangs.ts";

/** What a peer answers by itself: by method a result, or what makes one of the params. */
export type Answers = Readonly<Record<string, object | ((params: Message["params"]) => object)>>;

/** The other side of a connection, which a test writes and reads by hand, without the toolkit. */
export class RawPeer {
  /** The lines that arrived, as they were. */
  readonly lines: string[] = [];
  /** The same, parsed. */
  readonly messages: Message[] = [];
  /** Lines that no implementation may write. */
  readonly problems: string[] = [];
  /** Settles when the other side has ended the connection. */
  readonly ended: Promise<void>;
  readonly #output: Writable;
  readonly #check: FrameCheck;
  readonly #taken = new Set<Message>();
  readonly #watchers = new Set<() => void>();
  readonly #replies = new Map<string, Answers[string]>();
  #rest = "";
  #id = 0;

  /** @param side Whom it is connected to. */
  constructor(side: Side, input: Readable, output: Writable) {
    this.#check = new FrameCheck(side);
    this.#output = output;
    input.setEncoding("utf8");
    input.on("data", (text: string) => {
      const lines = (this.#rest + text).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) this.#arrived(line);
    });
    // The test is over, or the other side is gone.
    for (const stream of [input, output]) stream.on("error", () => {});
    this.ended = new Promise((resolve) => input.on("close", resolve).on("end", resolve));
  }

  /** Writes bytes as they are. */
  write(text: string | Uint8Array): void {
    if (typeof text === "string") for (const line of text.split("\n")) this.#check.sent(line);
    this.#output.write(text);
  }

  /** Writes a message as a line. */
  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  notify(method: string, params?: object): void {
    this.send({ method, params });
  }

  /** Sends a request, under an id of its own unless one is given. Returns the id. */
  ask(method: string, params?: unknown, id: unknown = `raw-${++this.#id}`): unknown {
    this.send({ id, method, params });
    return id;
  }

  /** Sends a request and waits for its answer. */
  call(method: string, params?: unknown, id?: unknown): Promise<Message> {
    return this.answerTo(this.ask(method, params, id));
  }

  /** The answer to a request, once it is there. */
  answerTo(id: unknown): Promise<Message> {
    return this.take((message) => isAnswer(message, id), `an answer to ${String(id)}`);
  }

  /** The next request or notification of a method that was not taken before. */
  next(method: string): Promise<Message> {
    return this.take((message) => isCall(message, method), method);
  }

  answer(request: Message, result: unknown): void {
    this.send({ id: request.id, result });
  }

  /** Answers requests of these methods from now on, those that have come already as well. */
  answerAlways(answers: Answers): void {
    for (const [method, reply] of Object.entries(answers)) {
      this.#replies.set(method, reply);
      for (const request of this.calls(method)) this.#reply(request);
    }
  }

  fail(request: Message, code: number, message = "Refused", data?: unknown): void {
    this.send({ id: request.id, error: { code, message, data } });
  }

  /** The first message that fits and was not taken before, once it is there. */
  take(fits: (message: Message) => boolean, what: string): Promise<Message> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.messages.find((message) => !this.#taken.has(message) && fits(message));
        if (found === undefined) return;
        this.#taken.add(found);
        this.#watchers.delete(look);
        clearTimeout(timer);
        resolve(found);
      };
      const timer = setTimeout(() => {
        this.#watchers.delete(look);
        reject(new Error(`${what} has not come, only:\n${this.lines.join("\n")}`));
      }, hangs);
      this.#watchers.add(look);
      look();
    });
  }

  /** Waits until the other side has read all that was sent and written all that it had to say to it. */
  async settle(): Promise<void> {
    await this.call("_settle");
  }

  /** All requests and notifications of a method so far. */
  calls(method: string): readonly Message[] {
    return this.messages.filter((message) => isCall(message, method));
  }

  /** All answers to an id so far. */
  answers(id: unknown): readonly Message[] {
    return this.messages.filter((message) => isAnswer(message, id));
  }

  /** The updates of sessions so far, in order. */
  get updates(): readonly { readonly sessionUpdate: string; readonly [member: string]: unknown }[] {
    return this.calls("session/update").map(({ params }) => params.update);
  }

  /** Ends what is sent to the other side. */
  end(): void {
    this.#output.end();
  }

  #reply(request: Message): void {
    const reply = request.id === undefined ? undefined : this.#replies.get(request.method ?? "");
    if (reply !== undefined) this.answer(request, typeof reply === "function" ? reply(request.params) : reply);
  }

  #arrived(line: string): void {
    this.lines.push(line);
    const problem = this.#check.problemOf(line);
    if (problem !== undefined) this.problems.push(problem);
    try {
      const message = JSON.parse(line) as Message;
      this.messages.push(message);
      this.#reply(message);
    } catch {
      // It is among the problems.
    }
    for (const look of new Set(this.#watchers)) look();
  }
}
