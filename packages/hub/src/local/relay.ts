import type { Transport } from "@acp/core";
import { isObject, randomId, requireObject } from "@acp/core/internal";

/** Options of {@link relayToHub}. */
export interface RelayOptions {
  /** The client, such as an editor at the other end of stdin and stdout. */
  readonly client: Transport;
  /** Connects to the hub; called again when that connection has broken. Rejects if there is no hub to wait for. */
  connect(): Promise<Transport>;
}

type Message = { readonly [name: string]: unknown };

/** A session that the client has open. */
interface OpenSession {
  /** What opened it; `undefined` until that is answered. */
  readonly params: Message | undefined;
  /** The last event of it that the client was sent. */
  event: string | undefined;
}

/** Methods that open a session. */
const opening: ReadonlySet<unknown> = new Set(["session/new", "session/load", "session/resume"]);
const closing: ReadonlySet<unknown> = new Set(["session/close", "session/delete"]);

/**
 * Passes messages on between a client and a hub, until the client ends. When the hub ends, such as for an upgrade, it connects
 * again, opens the client's sessions behind what the client was sent last, and repeats what had no answer: the client notices a
 * pause.
 *
 * Resolves when the client has gone. Rejects when the hub stays away.
 */
export async function relayToHub(options: RelayOptions): Promise<void> {
  requireObject(options, "relayToHub() takes { client, connect }", "connect");
  requireObject(options.client, "relayToHub() takes a transport as client", "start", "send", "close");
  const { client, connect } = options;
  const relay = new Relay(client);
  const gone = relay.start();
  const state = { isGone: false };
  void gone.then(() => {
    state.isGone = true;
  });
  try {
    while (!state.isGone) {
      const hub = await connect();
      await Promise.race([relay.follow(hub), gone]);
      await hub.close();
    }
  } finally {
    await client.close();
  }
}

class Relay {
  readonly #client: Transport;
  /** Requests of the client that have no answer, by the JSON of their ids, in order. */
  readonly #pending = new Map<string, Message>();
  readonly #sessions = new Map<unknown, OpenSession>();
  /** Requests of the hub that the client has not answered, by the ids under which it knows them. */
  readonly #asked = new Map<string, unknown>();
  #initialize: Message | undefined;
  #hub: Transport | undefined;
  /** What the client sends while there is no hub. */
  #waiting: Message[] = [];
  /** Requests of its own: they have no client that waits. */
  readonly #own = new Map<string, (answer: Message) => void>();
  #count = 0;

  constructor(client: Transport) {
    this.#client = client;
  }

  /** Resolves when the client has gone. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#client.start({
        message: (text) => this.#fromClient(text),
        // What is no message, the client learns from the next one: this passes on whole messages only.
        issue: () => {},
        closed: () => resolve(),
      });
    });
  }

  /** Passes messages on, until this connection ends. */
  async follow(hub: Transport): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      hub.start({ message: (text) => this.#fromHub(text), issue: () => {}, closed: () => resolve() });
    });
    try {
      await Promise.race([this.#open(hub), ended]);
      await ended;
    } finally {
      this.#hub = undefined;
      this.#own.clear();
      // The hub asks again.
      for (const requestId of this.#asked.keys()) this.#toClient({ method: "$/cancel_request", params: { requestId } });
      this.#asked.clear();
    }
  }

  /** Brings a new connection to where the last one was. */
  async #open(hub: Transport): Promise<void> {
    if (this.#initialize !== undefined && !this.#pending.has(JSON.stringify(this.#initialize["id"]))) {
      await this.#call(hub, "initialize", this.#initialize["params"]);
      for (const [sessionId, session] of this.#sessions) await this.#resume(hub, sessionId, session);
    }
    for (const message of this.#pending.values()) this.#repeat(hub, message);
    this.#hub = hub;
    for (const message of this.#waiting.splice(0)) this.#toHub(message);
  }

  /** Opens a session again. One that is gone meanwhile is for the hub to refuse when the client uses it. */
  async #resume(hub: Transport, sessionId: unknown, { params, event }: OpenSession): Promise<void> {
    // Its opening has no answer yet, and is repeated.
    if (params === undefined) return;
    const _meta = { ...Object(params["_meta"]), "acp-hub": { after: event } } as object;
    try {
      await this.#call(hub, "session/resume", { ...params, sessionId, _meta });
    } catch {
      this.#sessions.delete(sessionId);
    }
  }

  /** A history that was sent in part cannot be taken back. */
  #repeat(hub: Transport, message: Message): void {
    if (message["method"] !== "session/load") return void hub.send(JSON.stringify(message), "soon", true);
    this.#pending.delete(JSON.stringify(message["id"]));
    const error = { code: -32603, message: "The hub was started again: load the session again" };
    this.#toClient({ id: message["id"], error });
  }

  #call(hub: Transport, method: string, params: unknown): Promise<void> {
    const id = `relay-${++this.#count}`;
    return new Promise((resolve, reject) => {
      this.#own.set(JSON.stringify(id), (answer) => {
        const { error } = answer;
        if (isObject(error)) reject(new Error(`${method}: ${String(error["message"])}`));
        else resolve();
      });
      void hub.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }), "soon", true);
    });
  }

  #fromClient(text: string): void {
    const message = parse(text);
    if (message === undefined) return;
    if (message["method"] === undefined) return this.#answer(message);
    const prepared = this.#prepare(message);
    if ("id" in prepared) this.#pending.set(JSON.stringify(prepared["id"]), prepared);
    this.#toHub(prepared);
  }

  /** Adds what it takes to repeat a message. */
  #prepare(message: Message): Message {
    const params = isObject(message["params"]) ? message["params"] : {};
    const meta = isObject(params["_meta"]) ? params["_meta"] : {};
    const own = isObject(meta["acp-hub"]) ? meta["acp-hub"] : {};
    const withMeta = (more: object): Message => ({
      ...message,
      params: { ...params, _meta: { ...meta, "acp-hub": { ...more, ...own } } },
    });
    const { method } = message;
    const isExtension = typeof method === "string" && method.startsWith("_") && isObject(message["params"]);
    if (method === "session/prompt" || isExtension) return withMeta({ operationId: randomId() });
    if (method !== "initialize") return message;
    this.#initialize = withMeta({ events: true });
    return this.#initialize;
  }

  /** The client answers a question. */
  #answer(message: Message): void {
    const id = String(message["id"]);
    // Of a connection that has broken.
    if (!this.#asked.has(id)) return;
    const original = this.#asked.get(id);
    this.#asked.delete(id);
    this.#toHub({ ...message, id: original });
  }

  #toHub(message: Message): void {
    if (this.#hub === undefined) {
      // Requests are repeated in any case.
      if (!("id" in message) || !("method" in message)) this.#waiting.push(message);
      return;
    }
    pass(this.#hub.send(JSON.stringify(message), "soon", true), this.#client);
  }

  #fromHub(text: string): void {
    const message = parse(text);
    if (message === undefined) return;
    if (message["method"] === undefined) return this.#fromHubAnswer(message);
    if ("id" in message) return this.#ask(message);
    if (message["method"] === "$/cancel_request") return this.#withdraw(message);
    this.#note(message);
    this.#toClient(message);
  }

  #fromHubAnswer(message: Message): void {
    const id = JSON.stringify(message["id"]);
    const own = this.#own.get(id);
    if (own !== undefined) {
      this.#own.delete(id);
      return own(message);
    }
    const request = this.#pending.get(id);
    if (request === undefined) return;
    this.#pending.delete(id);
    if ("result" in message) this.#noteAnswer(request, message["result"]);
    this.#toClient(message);
  }

  #noteAnswer({ method, params }: Message, result: unknown): void {
    if (!isObject(params)) return;
    const sessionId = params["sessionId"] ?? (isObject(result) ? result["sessionId"] : undefined);
    const event = eventIn(result) ?? this.#sessions.get(sessionId)?.event;
    if (opening.has(method)) this.#sessions.set(sessionId, { params, event });
    if (closing.has(method)) this.#sessions.delete(sessionId);
  }

  /** Remembers how far the client has come. */
  #note({ params }: Message): void {
    if (!isObject(params)) return;
    const event = eventIn(params["update"]);
    if (event === undefined) return;
    const session = this.#sessions.get(params["sessionId"]);
    if (session === undefined) this.#sessions.set(params["sessionId"], { params: undefined, event });
    else session.event = event;
  }

  /** Each connection counts its requests from the beginning: the client gets ids of its own. */
  #ask(message: Message): void {
    const id = `hub-${++this.#count}`;
    this.#asked.set(id, message["id"]);
    this.#toClient({ ...message, id });
  }

  #withdraw(message: Message): void {
    const params = isObject(message["params"]) ? message["params"] : {};
    for (const [requestId, original] of this.#asked) {
      if (original === params["requestId"]) this.#toClient({ ...message, params: { ...params, requestId } });
    }
  }

  #toClient(message: Message): void {
    pass(this.#client.send(JSON.stringify({ jsonrpc: "2.0", ...message }), "soon", true), this.#hub);
  }
}

/** The place of an update, or of the history that an answer stands for. */
function eventIn(value: unknown): string | undefined {
  const meta = isObject(value) ? value["_meta"] : undefined;
  const own = isObject(meta) ? meta["acp-hub"] : undefined;
  const event = isObject(own) ? own["sourceEventId"] : undefined;
  return typeof event === "string" ? event : undefined;
}

/** Reads no more of one side while the other one is slow. */
function pass(sent: void | Promise<void>, from: Transport | undefined): void {
  if (sent === undefined || from === undefined) return;
  from.pause();
  const resume = (): void => from.resume();
  sent.then(resume, resume);
}

function parse(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // A message that nobody can read has nobody to answer it.
    return undefined;
  }
}
