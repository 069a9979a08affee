// A proxy between a client and a server, on TCP, that does what bad proxies and bad networks do.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

import { ByteReader } from "./byte-reader.ts";

/** Options of {@link createFaultyProxy}. */
export interface FaultyProxyOptions {
  /** The port of the server. */
  readonly target: number;
  /** The same seed makes the same choices; what they meet depends on the order in which messages come. */
  readonly seed: number;
  /** How many faults to make; then it passes on everything. */
  readonly faults: number;
  /** There are up to so many requests and chunks of streams between two faults. */
  readonly every: number;
}

export interface FaultyProxy {
  readonly url: string;
  readonly socketUrl: string;
  /** What it has done, in order. */
  readonly faults: readonly string[];
  /** Whether it has made all its faults. */
  readonly isDone: boolean;
  close(): Promise<void>;
}

type Random = (below: number) => number;

/** Numbers that a seed determines: a linear congruential generator, with the constants of Numerical Recipes. */
function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Decides when a fault is due, and which. */
class Faults {
  readonly made: string[] = [];
  readonly random: Random;
  /** How many WebSockets were opened. */
  sockets = 0;
  readonly #options: FaultyProxyOptions;
  #left: number;

  constructor(options: FaultyProxyOptions) {
    this.#options = options;
    this.random = createRandom(options.seed);
    this.#left = this.random(options.every);
  }

  get isDone(): boolean {
    return this.made.length >= this.#options.faults;
  }

  /** One of these faults if one is due here. */
  at<Kind extends string>(place: string, kinds: readonly Kind[]): Kind | undefined {
    if (this.isDone || --this.#left > 0) return undefined;
    this.#left = 1 + this.random(this.#options.every);
    const kind = kinds[this.random(kinds.length)];
    if (kind !== undefined) this.made.push(`${kind} ${place}`);
    return kind;
  }

  /** The beginning of some bytes, cut anywhere. */
  beginning(bytes: Buffer): Buffer {
    return bytes.subarray(0, this.random(bytes.length));
  }

  async hold(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.random(30)));
  }
}

export async function createFaultyProxy(options: FaultyProxyOptions): Promise<FaultyProxy> {
  const faults = new Faults(options);
  const sockets = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const toServer = (): Socket => track(connect(options.target, "127.0.0.1"));
  const listener = createServer((client) => {
    track(client);
    serve(client, toServer, faults).then(
      () => client.end(),
      () => client.destroy(),
    );
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  const host = typeof address === "object" && address !== null ? `127.0.0.1:${address.port}` : "";
  return {
    url: `http://${host}/acp`,
    socketUrl: `ws://${host}/acp`,
    faults: faults.made,
    get isDone() {
      return faults.isDone;
    },
    async close() {
      const closed = once(listener, "close");
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Passes on the requests of one network connection, each by a connection of its own. */
async function serve(client: Socket, toServer: () => Socket, faults: Faults): Promise<void> {
  const requests = new ByteReader(client);
  let server: Socket | undefined;
  client.once("close", () => server?.destroy());
  for (;;) {
    const head = await requests.until("\r\n\r\n");
    if (head === undefined) return;
    const body = await requests.take(lengthIn(head.toString("latin1")) ?? 0);
    if (body === undefined) return;
    server = toServer();
    const request = Buffer.concat([head, body]);
    const line = head.toString("latin1").split(" HTTP/", 1)[0] ?? "";
    if (/^upgrade: *websocket/im.test(head.toString("latin1")))
      return await tunnel(client, requests, server, request, faults);
    switch (faults.at(line, ["cut the request", "repeat the request", "hold the request"])) {
      case "cut the request":
        server.write(faults.beginning(request), () => client.destroy());
        return;
      case "repeat the request": {
        const copy = toServer();
        copy.resume();
        copy.write(request);
        // Nobody reads what it is answered with.
        server.once("close", () => copy.destroy());
        break;
      }
      case "hold the request":
        await faults.hold();
        break;
      case undefined:
    }
    server.write(request);
    const isWhole = await answer(line, client, new ByteReader(server), faults);
    server.destroy();
    if (!isWhole) return;
  }
}

/** Passes on an answer. Returns whether the client's connection can be used again; ends it otherwise. */
async function answer(line: string, client: Socket, server: ByteReader, faults: Faults): Promise<boolean> {
  const cut = (bytes: Buffer): false => {
    client.write(faults.beginning(bytes), () => client.destroy());
    return false;
  };
  const head = await server.until("\r\n\r\n");
  if (head === undefined) return cut(Buffer.alloc(1));
  const text = head.toString("latin1");
  if (faults.at(`${line}: headers`, ["cut"]) !== undefined) return cut(head);
  client.write(head);
  if (!/^transfer-encoding: *chunked/im.test(text)) {
    const body = await server.take(lengthIn(text) ?? 0);
    if (body === undefined) return cut(Buffer.alloc(1));
    if (body.length > 0 && faults.at(`${line}: body`, ["cut"]) !== undefined) return cut(body);
    client.write(body);
    return true;
  }
  // Whether the rest of a whole answer was under way, its client cannot know.
  const kinds = /^content-type: *text\/event-stream/im.test(text)
    ? (["cut", "end", "repeat", "hold"] as const)
    : (["cut", "hold"] as const);
  for (;;) {
    const size = await server.until("\r\n");
    const length = Number.parseInt(size?.toString("latin1") ?? "", 16);
    const data = size && (await server.take(length + 2));
    // The server has broken it off.
    if (size === undefined || data === undefined) return cut(Buffer.alloc(1));
    const chunk = Buffer.concat([size, data]);
    const isEnd = length === 0;
    switch (isEnd ? undefined : faults.at<(typeof kinds)[number]>(`${line}: ${length} bytes`, kinds)) {
      case "cut":
        return cut(chunk);
      case "end":
        // In order, although this chunk was under way.
        client.end("0\r\n\r\n");
        return false;
      case "repeat":
        client.write(chunk);
        break;
      case "hold":
        await faults.hold();
        break;
      case undefined:
    }
    if (!client.write(chunk)) await Promise.race([once(client, "drain"), once(client, "close")]);
    if (client.destroyed) return false;
    if (isEnd) return true;
  }
}

/** Passes on what two ends of a WebSocket say. */
async function tunnel(
  client: Socket,
  fromClient: ByteReader,
  server: Socket,
  request: Buffer,
  faults: Faults,
): Promise<void> {
  const fromServer = new ByteReader(server);
  server.write(request);
  // A connection whose first socket never opens has failed, and the user learns of that. Later sockets are tried again.
  if (faults.sockets++ === 0) {
    const opened = await fromServer.until("\r\n\r\n");
    if (opened !== undefined) client.write(opened);
  }
  const pass = async (place: string, source: ByteReader, target: Socket): Promise<void> => {
    for (;;) {
      const bytes = await source.some();
      if (bytes === undefined) return void target.end();
      switch (faults.at(`${place}: ${bytes.length} bytes`, ["cut", "end", "hold"])) {
        case "cut":
          client.write(faults.beginning(bytes), () => client.destroy());
          return void server.destroy();
        case "end":
          client.end();
          return void server.end();
        case "hold":
          await faults.hold();
          break;
        case undefined:
      }
      if (!target.write(bytes)) await Promise.race([once(target, "drain"), once(target, "close")]);
    }
  };
  await Promise.all([pass("to the server", fromClient, server), pass("to the client", fromServer, client)]);
}

function lengthIn(head: string): number | undefined {
  const [, length] = /^content-length: *(\d+)/im.exec(head) ?? [];
  return length === undefined ? undefined : Number(length);
}
