import type { WebSocketLike } from "@acp/core";
import {
  backgroundTimer,
  ResumableChannel,
  switchable,
  type TextChannelSink,
  WebSocketChannel,
} from "@acp/core/internal";

import { ResumableSocket } from "./resumable-socket.ts";

/** How long a socket may take to name its connection, in milliseconds. */
const greetingMilliseconds = 10_000;

interface OwnedChannel<Identity> {
  readonly channel: ResumableChannel;
  readonly owner: Identity;
}

/** The connections over WebSockets that outlive their sockets. */
export class ResumableSockets<Identity> {
  readonly #timeout: number;
  readonly #isOwner: (owner: Identity, sender: Identity) => boolean;
  readonly #channels = new Map<string, OwnedChannel<Identity>>();
  #greeting = 0;

  /** @param timeout how long a connection waits for its next socket, in milliseconds. */
  constructor(timeout: number, isOwner: (owner: Identity, sender: Identity) => boolean) {
    this.#timeout = timeout;
    this.#isOwner = isOwner;
  }

  /** How many sockets have not named their connection yet. */
  get greeting(): number {
    return this.#greeting;
  }

  /** Starts a connection with a socket. Returns an object with a socket's shape that lasts as long as the connection. */
  open(id: string, owner: Identity, socket: WebSocketLike): WebSocketLike {
    let stopTimer = (): void => {};
    const channel = new ResumableChannel((reason) => {
      const words = `The client did not come back within ${this.#timeout} ms (resumeTimeout)`;
      stopTimer();
      stopTimer = backgroundTimer(() => {
        if (!channel.hasSocket) channel.end(new Error(words, { cause: reason }));
      }, this.#timeout);
    });
    this.#channels.set(id, { channel, owner });
    const outer = new ResumableSocket(channel);
    outer.addEventListener("close", () => {
      stopTimer();
      this.#channels.delete(id);
    });
    const physical = new WebSocketChannel(socket);
    const sink = channel.adopt(physical, []);
    physical.start(sink);
    physical.send(`resumable ${id}`);
    return outer;
  }

  /** Lets a socket continue with the connection that it names, if that is one of its sender. */
  resume(sender: Identity, socket: WebSocketLike): void {
    const physical = new WebSocketChannel(socket);
    this.#greeting++;
    let isGreeting = true;
    const stopTimer = backgroundTimer(
      () => refuse("the socket did not say which connection it is for"),
      greetingMilliseconds,
    );
    const greeted = (): void => {
      if (isGreeting) this.#greeting--;
      isGreeting = false;
      stopTimer();
    };
    const refuse = (words: string): void => {
      greeted();
      target = ignored;
      physical.send(`refused ${words}`);
      void physical.close();
    };
    const ignored: TextChannelSink = { text: () => {}, issue: () => {}, room: () => {}, closed: greeted };
    let target: TextChannelSink = {
      ...ignored,
      text: (text) => {
        const [, id = "", received] = /^resume (\S+) (\d{1,15})$/.exec(text) ?? [];
        const found = this.#channels.get(id);
        if (found === undefined || !this.#isOwner(found.owner, sender))
          return refuse("there is no such connection, or it has ended");
        const { channel } = found;
        if (!channel.holds(Number(received))) return refuse("what the client lacks is not kept any longer");
        greeted();
        physical.send(`resumed ${channel.received}`);
        target = channel.attach(physical, Number(received)) ?? ignored;
      },
    };
    physical.start(switchable(() => target));
  }
}
