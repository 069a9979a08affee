import { backgroundTimer } from "../timers.ts";

/** How often the other side is asked for a sign of life, in milliseconds. */
const pingMilliseconds = 15_000;
/** How many times in a row nothing may come: an agent may stand still while it runs something. */
const patience = 8;

/** What sockets of the package `ws` can do beyond others. Those of browsers and runtimes cannot send pings. */
interface PingingSocket {
  ping(): void;
  on(type: "pong", listener: () => void): unknown;
  /** Ends it without the other side. */
  terminate(): void;
}

export function canPing(socket: object): socket is PingingSocket {
  return ["ping", "on", "terminate"].every((name) => typeof Reflect.get(socket, name) === "function");
}

/**
 * Notices that a network has gone without a word, as it does to a machine that sleeps, or that leaves its wireless network.
 * Every WebSocket has to answer pings (RFC 6455, section 5.5.2); nothing is expected of one that never has.
 */
export class Heartbeat {
  readonly #socket: PingingSocket;
  readonly #lost: (reason: Error) => void;
  #stop = (): void => {};
  #isAnswering = false;
  /** How many pings have gone out since something came. */
  #unanswered = 0;

  /** @param lost is called when nothing has come for too long; the socket has ended by then. */
  constructor(socket: PingingSocket, lost: (reason: Error) => void) {
    this.#socket = socket;
    this.#lost = lost;
    socket.on("pong", () => {
      this.#isAnswering = true;
      this.came();
    });
    this.#wait();
  }

  /** Something has come. */
  came(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    this.#stop();
  }

  #wait(): void {
    this.#stop = backgroundTimer(() => this.#beat(), pingMilliseconds);
  }

  #beat(): void {
    if (this.#isAnswering && this.#unanswered >= patience) {
      const seconds = (patience * pingMilliseconds) / 1000;
      this.#lost(new Error(`nothing has come for ${seconds} seconds, and no answer to a ping`));
      return this.#socket.terminate();
    }
    this.#unanswered++;
    this.#socket.ping();
    this.#wait();
  }
}
