import { backgroundTimer } from "../base/timers.ts";
import { readMember } from "../base/values.ts";

/** How often a ping is sent, in milliseconds. */
const pingMilliseconds = 15_000;
/** How many pings in a row may stay unanswered: an agent may block while it runs something. */
const patience = 8;

/** What sockets of the package `ws` have beyond others. Those of browsers and runtimes cannot send pings. */
interface PingingSocket {
  /** `sent` is called when the system has accepted it, after everything that was sent before. */
  ping(data: undefined, mask: undefined, sent: () => void): void;
  on(type: "pong", listener: () => void): unknown;
  /** Ends it without the other side. */
  terminate(): void;
}

export function canPing(socket: object): socket is PingingSocket {
  return ["ping", "on", "terminate"].every((name) => typeof Reflect.get(socket, name) === "function");
}

/**
 * Notices that a network has gone silently, as it does when a machine sleeps or leaves its wireless network.
 *
 * Every WebSocket has to answer pings (RFC 6455, section 5.5.2); a socket that never has is left alone. So is one that reads
 * slowly what was sent before a ping: if that does not get through at all, the system gives up in the end.
 */
export class Heartbeat {
  readonly #socket: PingingSocket;
  readonly #onLost: (reason: Error) => void;
  #stop = (): void => {};
  #isAnswering = false;
  /** How many pings were sent since something was received. */
  #unanswered = 0;
  /** How many bytes had been received at the last ping, if the socket knows. */
  #bytes: unknown;

  /** @param onLost Called when nothing was received for too long; the socket has ended by then. */
  constructor(socket: PingingSocket, onLost: (reason: Error) => void) {
    this.#socket = socket;
    this.#onLost = onLost;
    socket.on("pong", () => {
      this.#isAnswering = true;
      this.received();
    });
    this.#wait();
  }

  /** Something was received. */
  received(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    this.#stop();
  }

  #wait(): void {
    this.#stop = backgroundTimer(() => this.#beat(), pingMilliseconds);
  }

  #beat(): void {
    // While a message takes minutes, its bytes come, but no pong between them.
    const bytes = readMember(readMember(this.#socket, "_socket"), "bytesRead");
    if (bytes !== this.#bytes) this.received();
    this.#bytes = bytes;
    if (this.#isAnswering && this.#unanswered >= patience) {
      const seconds = (patience * pingMilliseconds) / 1000;
      this.#onLost(new Error(`received nothing for ${seconds} seconds, and no answer to a ping`));
      return this.#socket.terminate();
    }
    this.#socket.ping(undefined, undefined, () => this.#unanswered++);
    this.#wait();
  }
}

/** Whether a URL leads to this machine: its network never goes, but its server may block in a debugger. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
