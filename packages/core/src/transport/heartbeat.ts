import { backgroundTimer } from "../base/timers.ts";
import { readMember } from "../base/values.ts";

/** How often the other side is asked for a sign of life, in milliseconds. */
const pingMilliseconds = 15_000;
/** How many times in a row nothing may come: an agent may stand still while it runs something. */
const patience = 8;

/** What sockets of the package `ws` can do beyond others. Those of browsers and runtimes cannot send pings. */
interface PingingSocket {
  /** `sent` is called when the system has taken it, behind all that was sent before. */
  ping(data: undefined, mask: undefined, sent: () => void): void;
  on(type: "pong", listener: () => void): unknown;
  /** Ends it without the other side. */
  terminate(): void;
}

export function canPing(socket: object): socket is PingingSocket {
  return ["ping", "on", "terminate"].every((name) => typeof Reflect.get(socket, name) === "function");
}

/**
 * Notices that a network has gone without a word, as it does to a machine that sleeps, or that leaves its wireless network.
 * Every WebSocket has to answer pings (RFC 6455, section 5.5.2); nothing is expected of one that never has. Nor of one that
 * takes long to read what was sent before a ping: where that does not get through at all, the system gives up in the end.
 */
export class Heartbeat {
  readonly #socket: PingingSocket;
  readonly #lost: (reason: Error) => void;
  #stop = (): void => {};
  #isAnswering = false;
  /** How many pings have gone out since something came. */
  #unanswered = 0;
  /** How many bytes had come at the last look, where the socket tells. */
  #bytes: unknown;

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
    // Of a message that takes minutes only the bytes come, and no pong in between.
    const bytes = readMember(readMember(this.#socket, "_socket"), "bytesRead");
    if (bytes !== this.#bytes) this.came();
    this.#bytes = bytes;
    if (this.#isAnswering && this.#unanswered >= patience) {
      const seconds = (patience * pingMilliseconds) / 1000;
      this.#lost(new Error(`nothing has come for ${seconds} seconds, and no answer to a ping`));
      return this.#socket.terminate();
    }
    this.#socket.ping(undefined, undefined, () => this.#unanswered++);
    this.#wait();
  }
}
/** Whether a URL leads to this machine: such a network does not go, but a server may stand still in a debugger. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
