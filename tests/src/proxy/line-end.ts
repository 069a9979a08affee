import { createInterface } from "node:readline";

export type Message = Readonly<Record<string, unknown>>;

/** One end of a channel of lines, written and read by hand. */
export class LineEnd {
  readonly #output: NodeJS.WritableStream;
  readonly #arrived: Message[] = [];
  readonly #waiting: ((message: Message) => void)[] = [];

  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
    this.#output = output;
    createInterface({ input }).on("line", (line) => {
      const message = JSON.parse(line) as Message;
      const waiting = this.#waiting.shift();
      if (waiting === undefined) this.#arrived.push(message);
      else waiting(message);
    });
  }

  send(message: object): void {
    this.#output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** The next message, in order of arrival. */
  next(): Promise<Message> {
    const arrived = this.#arrived.shift();
    return arrived === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(arrived);
  }
}
