export type Message = Readonly<Record<string, unknown>>;

/** One end of a channel of lines, written and read by hand. */
export class LineEnd {
  readonly #output: NodeJS.WritableStream;
  readonly #arrived: Message[] = [];
  readonly #waiting: ((message: Message) => void)[] = [];

  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
    this.#output = output;
    // Not by readline, which ends a line at U+2028 as well.
    let begun = "";
    input.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (begun + chunk).split("\n");
      begun = lines.pop() ?? "";
      for (const line of lines) this.#arrive(JSON.parse(line) as Message);
    });
  }

  #arrive(message: Message): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#arrived.push(message);
    else waiting(message);
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
