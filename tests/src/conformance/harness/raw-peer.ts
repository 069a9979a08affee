import type { BytePipe } from "@acp/core";
import type { Side } from "@acp/check/requirements";
import { type AgentHost, type Channel, isRequest, Peer } from "@acp/testing";

import { hangs } from "../../support/hangs.ts";
import { FrameCheck, type Message } from "./frame-check.ts";

export type { Message } from "./frame-check.ts";

/** What a peer answers by itself: by method a result, or what makes one of the params. */
export type Answers = Readonly<Record<string, object | ((params: Message["params"]) => object)>>;

/** The other side of a connection, which a test writes and reads by hand: what comes is held to the protocol, line by line. */
export class RawPeer extends Peer<Message> {
  /** Lines that no implementation may write. */
  readonly problems: string[];
  readonly #host: AgentHost;
  readonly #answers = new Map<string, Answers[string]>();

  /** @param side Whom it is connected to. */
  constructor(side: Side, pipe: BytePipe, host: AgentHost) {
    const problems: string[] = [];
    const told: { message?: (message: Message) => void } = {};
    const channel = checkedLines(pipe, new FrameCheck(side), problems);
    super(channel, { timeout: hangs, onMessage: (message) => told.message?.(message) });
    told.message = (message) => this.#answer(message);
    this.problems = problems;
    this.#host = host;
    // As an agent's process, which ends when its stdin does.
    void this.closed.then(() => this.close());
  }

  /** The lines that arrived, as they were. */
  get lines(): readonly string[] {
    return this.traffic.flatMap(({ direction, text }) => (direction === "received" ? [text] : []));
  }

  /** The updates of sessions so far, in order. */
  get updates(): readonly { readonly sessionUpdate: string; readonly [member: string]: unknown }[] {
    return this.calls("session/update").map(({ params }) => params.update);
  }

  /** Answers requests of these methods from now on, those that have come already as well. */
  answerAlways(answers: Answers): void {
    for (const [method, answer] of Object.entries(answers)) {
      this.#answers.set(method, answer);
      for (const request of this.calls(method)) this.#answer(request);
    }
  }

  /** Waits until the other side has read all that was sent and written all that it had to say to it. */
  async settle(): Promise<void> {
    await this.call("_settle");
  }

  /** Ends what is sent to the other side. */
  end(): void {
    this.#host.hangUp();
  }

  #answer(request: Message): void {
    const answer = isRequest(request) ? this.#answers.get(request.method ?? "") : undefined;
    if (answer !== undefined) this.reply(request, typeof answer === "function" ? answer(request.params) : answer);
  }
}

/** Lines over a pipe, each of which is held to the protocol. */
function checkedLines(pipe: BytePipe, check: FrameCheck, problems: string[]): Channel {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  const write = (bytes: Uint8Array): void => {
    for (const line of new TextDecoder().decode(bytes).split("\n")) check.sent(line);
    void pipe.write(bytes);
  };
  return {
    start: (sink) =>
      pipe.start({
        data: (chunk) => {
          const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
          rest = lines.pop() ?? "";
          for (const line of lines) {
            const problem = check.problemOf(line);
            if (problem !== undefined) problems.push(problem);
            sink.message(line);
          }
        },
        closed: (reason) => sink.closed(reason),
      }),
    send: (text) => write(new TextEncoder().encode(`${text}\n`)),
    write,
    close: () => pipe.close(),
  };
}
