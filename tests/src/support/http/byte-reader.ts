import type { Socket } from "node:net";

/** Reads bytes of a socket by what ends them. Every read resolves with `undefined` when the socket ends before. */
export class ByteReader {
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  #isOver = false;
  #wake = (): void => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    const end = (): void => {
      this.#isOver = true;
      this.#wake();
    };
    socket.on("data", (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      socket.pause();
      this.#wake();
    });
    socket.on("end", end);
    socket.on("close", end);
    socket.on("error", end);
    socket.pause();
  }

  /** The bytes up to a mark, with the mark. */
  async until(mark: string): Promise<Buffer | undefined> {
    for (;;) {
      const at = this.#bytes.indexOf(mark);
      if (at >= 0) return await this.take(at + mark.length);
      if (!(await this.#more())) return undefined;
    }
  }

  async take(count: number): Promise<Buffer | undefined> {
    while (this.#bytes.length < count) if (!(await this.#more())) return undefined;
    const taken = this.#bytes.subarray(0, count);
    this.#bytes = this.#bytes.subarray(count);
    return taken;
  }

  /** What comes next. */
  async some(): Promise<Buffer | undefined> {
    while (this.#bytes.length === 0) if (!(await this.#more())) return undefined;
    return await this.take(this.#bytes.length);
  }

  async #more(): Promise<boolean> {
    if (this.#isOver) return false;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#socket.resume();
    });
    return true;
  }
}
