import { agentTable, clientTable } from "@acp/schema/v1/unstable";

import type { LineEnd, Message } from "./line-end.ts";
import { type Proxied, startProxied } from "./proxied.ts";

/** A message of the protocol: a request with its answer, or a notification, which has none. */
export interface Exchange {
  /** Who sends it, if the protocol does not say so. */
  readonly from?: "client" | "agent";
  readonly method: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** What arrived of an exchange on the other side of the proxy, without ids. */
export interface Arrived {
  readonly asked: Message;
  /** `undefined` for a notification. */
  readonly answer: Message | undefined;
}

/** Who sends a message of the protocol; `undefined` for a method that is not of it. */
export function senderOf({ method, result, error }: Exchange): "client" | "agent" | undefined {
  const kind = result === undefined && error === undefined ? "notifications" : "requests";
  if (method in agentTable.handles[kind]) return "client";
  return method in clientTable.handles[kind] ? "agent" : undefined;
}

/** What the agent answers to `initialize`: all that can be advertised, and what nobody has heard of. */
export const agentInitialized: Readonly<Record<string, unknown>> = {
  protocolVersion: 1,
  agentInfo: { name: "played-agent", version: "1.0.0", since: 1999 },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: true, embeddedContext: true, smell: true },
    mcpCapabilities: { http: true, sse: true, acp: true },
    sessionCapabilities: {
      list: {},
      resume: {},
      close: {},
      delete: {},
      fork: {},
      archive: {},
      status: {},
      title: {},
      teleport: { far: true },
      additionalDirectories: {},
      systemPrompt: { mode: { override: {} } },
    },
    auth: { logout: {}, status: {} },
    providers: {},
    telepathy: [1e21, JSON.parse('{ "__proto__": null }')],
  },
  authMethods: [{ id: "account", name: "Log in with your account", color: "green" }],
  _meta: { "acme.dev/x": [null] },
};

const clientInitialize = {
  protocolVersion: 1,
  clientCapabilities: {
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    elicitation: { form: {}, url: {} },
    plan: {},
    subagents: {},
    auth: { terminal: true },
    mcpCapabilities: { acp: true },
    session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
  },
};

/** What sessions are opened with: the modes and options that the examples choose from. */
const choices = {
  modes: { currentModeId: "ask", availableModes: ["ask", "architect", "code"].map((id) => ({ id, name: id })) },
  configOptions: [
    {
      type: "select",
      id: "model",
      name: "Model",
      currentValue: "small",
      options: [
        { value: "small", name: "Small" },
        { value: "large", name: "Large" },
      ],
    },
  ],
};

/** The program `typed-proxy`, initialized on both sides, with its ends played by hand. */
export class TypedProxied {
  /** The answer to the client's `initialize`. */
  readonly initialized: Message;
  readonly #proxied: Proxied;
  #ids = 0;

  private constructor(proxied: Proxied, initialized: Message) {
    this.#proxied = proxied;
    this.initialized = initialized;
  }

  /** `agent` is what the agent answers to `initialize`, `client` what the client calls it with. */
  static async start(agent: unknown = agentInitialized, client: unknown = clientInitialize): Promise<TypedProxied> {
    const proxied = await startProxied("typed-proxy");
    const { id } = await proxied.agent.next();
    proxied.agent.send({ id, result: agent });
    proxied.client.send({ id: 0, method: "initialize", params: client });
    const typed = new TypedProxied(proxied, await proxied.client.next());
    // An agent of ours can call its client from when it was called.
    await typed.pass({ from: "client", method: "_acme.dev/workspace/buffers", result: null });
    return typed;
  }

  stop(): Promise<number | null> {
    return this.#proxied.stop();
  }

  /** The two ends, that of the sender first. */
  #endsOf(exchange: Exchange): readonly [from: LineEnd, to: LineEnd] {
    const { client, agent } = this.#proxied;
    return (exchange.from ?? senderOf(exchange)) === "agent" ? [agent, client] : [client, agent];
  }

  /** Sends a notification that goes nowhere. */
  send(from: "client" | "agent", notification: object): void {
    this.#proxied[from].send(notification);
  }

  /** What the proxy had to tell of since this was called last. */
  async diagnostics(): Promise<unknown> {
    this.#proxied.client.send({ id: "diagnostics", method: "_proxy/diagnostics" });
    return (await this.#proxied.client.next())["result"];
  }

  /** Sends a message from one end, has it answered by the other, and gives what arrived. */
  async pass(exchange: Exchange): Promise<Arrived> {
    const [from, to] = this.#endsOf(exchange);
    const { from: _, result, error, ...sent } = exchange;
    if (result === undefined && error === undefined) {
      from.send(sent);
      return { asked: await to.next(), answer: undefined };
    }
    const id = `q${++this.#ids}`;
    from.send({ id, ...sent });
    const { id: passedOn, ...asked } = await to.next();
    to.send({ id: passedOn, ...(error === undefined ? { result } : { error }) });
    const { id: own, ...answer } = await from.next();
    if (own !== id) throw new Error(`The answer of ${String(own)} came for ${id}`);
    return { asked, answer };
  }

  /** Sends a request that the proxy refuses, and gives its error. */
  async refusal(exchange: Exchange): Promise<unknown> {
    const [from] = this.#endsOf(exchange);
    from.send({ id: "refused", method: exchange.method, params: exchange.params });
    const { id, error } = await from.next();
    if (id !== "refused") throw new Error(`${String(id)} came for a request that should have been refused`);
    return error;
  }

  /** Runs `use` while what an exchange needs is there: its session is open, its question was asked. */
  async prepared<T>(exchange: Exchange, use: () => Promise<T>): Promise<T> {
    const { method, params } = exchange;
    const { sessionId, elicitationId } = (params ?? {}) as Readonly<Record<string, unknown>>;
    const opens = method === "session/load" || method === "session/resume" || method === "session/list";
    const needed = elicitationId !== undefined && sessionId === undefined ? "asking" : sessionId;
    const open = new Set<unknown>();
    if (needed !== undefined && !opens) {
      await this.pass({ method: "session/resume", params: { sessionId: needed, cwd: "/" }, result: choices });
      open.add(needed);
    }
    if (needed === "asking") {
      const url = { sessionId: needed, mode: "url", message: "?", elicitationId, url: "https://acme.example/" };
      await this.pass({ method: "elicitation/create", params: url, result: { action: "accept" } });
    }
    const outcome = await use();
    const opened = ((exchange.result ?? {}) as Readonly<Record<string, unknown>>)["sessionId"];
    const isOpened = exchange.error === undefined;
    if (isOpened && (method === "session/new" || method === "session/fork")) open.add(opened);
    if (isOpened && opens && sessionId !== undefined) open.add(sessionId);
    if (/^session\/(?:close|delete|archive)$/.test(method)) open.clear();
    for (const id of open) await this.pass({ method: "session/close", params: { sessionId: id }, result: {} });
    return outcome;
  }
}
