import { createDeferred } from "../../base/promises.ts";
import { settledWithin } from "../../base/timers.ts";
import type { TextChannel, TextChannelSink } from "../text-transport.ts";
import { ResumableChannel } from "./resumable-channel.ts";
import { WebSocketChannel, type WebSocketLike } from "./web-socket-channel.ts";

/** The pause before the next attempt, in milliseconds; doubled each time, up to the longest. */
const firstPause = 100;
const longestPause = 2000;
/** How long an attempt may take, in milliseconds. */
const attemptMilliseconds = 10_000;
/** At least so many attempts are made, however long the program was asleep. */
const leastAttempts = 5;

/** The parameter of the query that says that the client can resume: `new` for a connection, `again` for another socket of one. */
export const resumeParameter = "acp-resume";

/** How often a connection is begun, if its socket breaks before the server says anything. */
const mostBeginnings = 3;
/** What may be kept for a server that does not read, in UTF-16 code units. */
const mostUnits = 64 * 1024 * 1024;

type Outcome = "resumed" | { readonly failure: Error | undefined; readonly isFinal: boolean };

/**
 * The client's side of a connection over WebSockets: opens another one when one has broken.
 *
 * A server that can resume begins with `resumable <id>`; any other begins with a message, and its connection ends with the
 * socket. The next socket begins with `resume <id> <received>`, and the server answers with `resumed <received>` or
 * `refused <reason>`, and goes on.
 */
export class ReconnectingChannel implements TextChannel {
  readonly #url: URL;
  readonly #open: (url: string) => WebSocketLike;
  readonly #timeout: number;
  #first: WebSocketChannel;
  readonly #resumable: ResumableChannel = new ResumableChannel((reason) => void this.#resume(reason));
  /** What was sent before it is known whether the server can resume. */
  #early: string[] = [];
  #sink: TextChannelSink | undefined;
  /** What names the connection. */
  #id: string | undefined;
  #state: "unknown" | "resumable" | "plain" = "unknown";
  #isClosing = false;
  #wake = (): void => {};

  /** @param timeout how long to try to reach the server again, in milliseconds. */
  constructor(url: URL, open: (url: string) => WebSocketLike, timeout: number) {
    this.#url = url;
    this.#open = open;
    this.#timeout = timeout;
    this.#first = new WebSocketChannel(open(this.#urlFor("new")));
  }

  start(sink: TextChannelSink): void {
    this.#sink = sink;
    this.#resumable.start(sink);
    this.#begin(this.#first, sink, 1);
  }

  /** Begins the connection. A socket that breaks before the server has said anything has begun none that could be resumed. */
  #begin(socket: WebSocketChannel, sink: TextChannelSink, attempt: number): void {
    let target: TextChannelSink = {
      text: (text) => {
        target = this.#decide(text, target);
      },
      issue: (issue) => sink.issue(issue),
      room: () => sink.room(),
      closed: (reason) => {
        const mayTry = this.#state === "unknown" && socket.wasOpen && attempt < mostBeginnings && !this.#isClosing;
        if (reason === undefined || !mayTry) return sink.closed(reason);
        this.#first = new WebSocketChannel(this.#open(this.#urlFor("new")));
        this.#begin(this.#first, sink, attempt + 1);
        for (const text of this.#early) this.#first.send(text);
      },
    };
    socket.start(switchable(() => target));
  }

  send(text: string): number {
    if (this.#state === "resumable") {
      const waiting = this.#resumable.send(text);
      if (waiting <= mostUnits || waiting <= 2 * text.length) return waiting;
      this.#resumable.end(new Error(`The server has left more than ${mostUnits} UTF-16 code units unread`));
      return 0;
    }
    if (this.#state === "unknown") this.#early.push(text);
    return this.#first.send(text);
  }

  async flush(): Promise<void> {
    await (this.#state === "resumable" ? this.#resumable : this.#first).flush();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await (this.#state === "resumable" ? this.#resumable : this.#first).close();
    this.#wake();
  }

  #urlFor(mode: "new" | "again"): string {
    const url = new URL(this.#url);
    url.searchParams.set(resumeParameter, mode);
    return url.href;
  }

  /** Finds out by the first frame whether the server can resume. */
  #decide(text: string, plain: TextChannelSink): TextChannelSink {
    const [, id] = /^resumable (\S+)$/.exec(text) ?? [];
    if (id === undefined || this.#state !== "unknown") {
      this.#state = "plain";
      this.#early = [];
      this.#sink?.text(text);
      return plain;
    }
    this.#state = "resumable";
    this.#id = id;
    return this.#resumable.adopt(this.#first, this.#early.splice(0));
  }

  async #resume(reason: Error | undefined): Promise<void> {
    const since = Date.now();
    let failure = reason;
    for (let attempts = 0; !this.#resumable.isEnded; attempts++) {
      if (attempts >= leastAttempts && Date.now() - since >= this.#timeout) break;
      if (attempts > 0) await this.#pause(Math.min(firstPause * 2 ** (attempts - 1), longestPause));
      if (this.#resumable.isEnded) return;
      const outcome = await this.#attempt();
      if (outcome === "resumed") return;
      failure = outcome.failure ?? failure;
      if (outcome.isFinal) break;
    }
    const words = failure === undefined ? "it was closed" : failure.message;
    this.#resumable.end(new Error(`The WebSocket broke and could not be resumed: ${words}`, { cause: failure }));
  }

  /** Opens another socket, and goes on with it. */
  async #attempt(): Promise<Outcome> {
    let socket: WebSocketChannel;
    try {
      socket = new WebSocketChannel(this.#open(this.#urlFor("again")));
    } catch (error) {
      return { failure: error instanceof Error ? error : new Error(String(error)), isFinal: false };
    }
    let outcome: Outcome | undefined;
    const settled = createDeferred();
    const settle = (result: Outcome): void => {
      outcome ??= result;
      settled.resolve();
    };
    const ignored = { issue: () => {}, room: () => {} };
    let target: TextChannelSink = {
      ...ignored,
      text: (text) => {
        // Too late.
        if (outcome !== undefined) return;
        const [, received] = /^resumed (\d{1,15})$/.exec(text) ?? [];
        const sink = received === undefined ? undefined : this.#resumable.attach(socket, Number(received));
        if (sink === undefined) return settle({ failure: refusalIn(text), isFinal: true });
        target = sink;
        settle("resumed");
      },
      closed: (failure) => settle({ failure, isFinal: false }),
    };
    socket.start(switchable(() => target));
    socket.send(`resume ${this.#id} ${this.#resumable.received}`);
    await settledWithin(settled.promise, attemptMilliseconds);
    settle({ failure: new Error("the server did not answer"), isFinal: false });
    if (outcome !== "resumed") void socket.close();
    return outcome ?? "resumed";
  }

  async #pause(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Delivers to whatever the target is at the time. */
export function switchable(target: () => TextChannelSink): TextChannelSink {
  return {
    text: (text) => target().text(text),
    issue: (issue) => target().issue(issue),
    room: () => target().room(),
    closed: (reason) => target().closed(reason),
  };
}

function refusalIn(text: string): Error {
  const [, reason] = /^refused (.+)$/s.exec(text) ?? [];
  return new Error(reason ?? "the server does not go on with this connection");
}
