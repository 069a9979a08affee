import { isDeepStrictEqual } from "node:util";

import type { Act, FramingName, Role, Row } from "../row.ts";
import { bytesOf, flood, framed, type Names } from "./bytes.ts";
import { Target } from "./target.ts";

const everyClientCapability = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  auth: { terminal: true },
  elicitation: { form: {}, url: {} },
  session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
};

const everyAgentCapability = {
  loadSession: true,
  promptCapabilities: { image: true, audio: true, embeddedContext: true },
  mcpCapabilities: { http: true, sse: true },
  sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
  auth: { logout: {} },
};

const ownIds = /^"?attacker-/u;

/** A message as far as the attacker looks into it. */
interface Envelope {
  readonly id?: unknown;
  readonly method?: string;
}

/** Plays the other side of the attacked program: opens the connection, attacks, and probes. */
export class Attacker {
  readonly role: Role;
  readonly target: Target;
  #count = 0;
  /** Where the messages of the row at hand begin. */
  #since = 0;
  #initialize: unknown;
  readonly #consumed = new Set<number>();

  static async start(role: Role, framing: FramingName, handshake: "done" | "left" = "done"): Promise<Attacker> {
    const attacker = new Attacker(role, await Target.start(role, framing));
    if (handshake === "done") await attacker.shakeHands();
    return attacker;
  }

  constructor(role: Role, target: Target) {
    this.role = role;
    this.target = target;
  }

  /** The opening of the connection, as a peer that behaves does it. */
  async shakeHands(): Promise<boolean> {
    if (this.role === "agent") {
      // The row at hand may have done it.
      if (this.received().some((text) => text.includes('"result":{"protocolVersion"'))) return true;
      return this.#ask("initialize", { protocolVersion: 1, clientCapabilities: everyClientCapability });
    }
    this.#initialize ??= await this.#called("initialize");
    if (this.#initialize === undefined) return false;
    const id = this.#initialize;
    const result = {
      protocolVersion: 1,
      agentCapabilities: everyAgentCapability,
      authMethods: [{ id: "login", name: "" }],
    };
    await this.#send({ jsonrpc: "2.0", id, result });
    return this.target.until(() => this.target.outcomes.has(0));
  }

  /** The id of the client's `initialize`. */
  async awaitHandshake(): Promise<string> {
    this.#initialize = await this.#called("initialize");
    return JSON.stringify(this.#initialize);
  }

  /** Opens a session and returns its id. */
  async openSession(): Promise<string> {
    if (this.role === "agent") {
      await this.#ask("session/new", { cwd: "/", mcpServers: [] });
      const { result } = JSON.parse(this.target.messages.at(-1) ?? "{}") as { result?: { sessionId?: string } };
      return result?.sessionId ?? "";
    }
    const { id } = await this.call({ method: "session/new", params: { cwd: "/", mcpServers: [] } });
    const sessionId = `session-${this.#count}`;
    const configOptions = [
      { type: "select", id: "model", name: "Model", currentValue: "a", options: [{ value: "a", name: "A" }] },
    ];
    const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
    await this.#send({
      jsonrpc: "2.0",
      id: JSON.parse(id) as unknown,
      result: { sessionId, modes, configOptions },
    });
    await this.target.until(() => this.target.outcomes.has(this.#count));
    return sessionId;
  }

  /** Lets the attacked side call a method; returns the id of its request as JSON text, and the number of the call. */
  async call(order: {
    readonly method: string;
    readonly params?: unknown;
    readonly abandon?: boolean;
  }): Promise<{ id: string; call: number }> {
    const call = ++this.#count;
    await this.#send({ jsonrpc: "2.0", method: "_call", params: { call, ...order } });
    const id = await this.#called(order.method);
    return { id: JSON.stringify(id ?? null), call };
  }

  begin(): void {
    this.#since = this.target.messages.length;
    this.#consumed.clear();
  }

  /** What came since {@link begin} and is not part of the attacker's own doings. */
  received(): string[] {
    return this.target.messages.filter((text, index) => {
      if (index < this.#since || this.#consumed.has(index)) return false;
      const { id } = envelope(text);
      return !(typeof id === "string" && ownIds.test(id));
    });
  }

  async act(act: Act, names: Names): Promise<void> {
    const { target } = this;
    const { framing } = target;
    if (typeof act === "string") return target.write(framed(bytesOf([act], names), framing));
    if (isPieces(act)) return target.write(framed(bytesOf(act, names), framing));
    if ("message" in act) return target.write(framed(bytesOf([act.message], names, "latin1"), framing));
    if ("bytes" in act) return target.write(bytesOf([act.bytes], names, "latin1"));
    if ("bytesOf" in act) return target.write(bytesOf(act.bytesOf, names, "latin1"));
    if ("flood" in act) return target.write(flood(act.flood, act.times, names, framing));
    if ("unread" in act) return this.#unread(act.unread, act.told, names);
    if ("rests" in act) {
      await new Promise((resolve) => setTimeout(resolve, act.rests));
    } else if ("awaits" in act) {
      await target.until(() =>
        this.received().some((text) => isDeepStrictEqual(envelope(text).id, JSON.parse(act.awaits))),
      );
    } else if (act.ends === "input") target.endInput();
    else target.endOutput();
  }

  async #unread(act: Act, told: number, names: Names): Promise<void> {
    const { target } = this;
    const before = target.diagnostics.length;
    target.pauseOutput();
    await this.act(act, names);
    await target.until(() => target.diagnostics.length - before >= told);
    target.resumeOutput();
  }

  /** Whether the connection still works in both directions, and everything before has been told. */
  async probe(): Promise<boolean> {
    const probe = ++this.#count;
    const answered = await this.#ask("_probe", { probe });
    return answered && this.target.until(() => this.target.probed.probe === probe);
  }

  async #ask(method: string, params: object): Promise<boolean> {
    const id = `attacker-${++this.#count}`;
    await this.#send({ jsonrpc: "2.0", id, method, params });
    const { messages } = this.target;
    let looked = this.#since;
    return this.target
      .until(() => {
        if (this.target.exit !== undefined) return true;
        for (; looked < messages.length; looked++) if (envelope(messages[looked] ?? "").id === id) return true;
        return false;
      })
      .then((isThere) => isThere && this.target.exit === undefined);
  }

  /** The id of a request that the attacked side makes. */
  async #called(method: string): Promise<unknown> {
    const { messages } = this.target;
    let found = -1;
    await this.target.until(() => {
      found = messages.findIndex(
        (text, index) => index >= this.#since && !this.#consumed.has(index) && isRequest(text, method),
      );
      return found >= 0 || this.target.exit !== undefined;
    });
    this.#consumed.add(found);
    return envelope(messages[found] ?? "{}").id;
  }

  #send(message: object): Promise<void> {
    return this.target.write(framed([Buffer.from(JSON.stringify(message))], this.target.framing));
  }
}

/** Names in a row that have to be filled in. */
export function needsSession(row: Row): boolean {
  return JSON.stringify([row.sends, row.call ?? null]).includes("<session>");
}

function isPieces(act: Act): act is Exclude<Act, string | { readonly [key: string]: unknown }> {
  return Array.isArray(act);
}

function isRequest(text: string, method: string): boolean {
  const message = envelope(text);
  return message.method === method && message.id !== undefined;
}

/** Large answers are not parsed: the attacker's own are small. */
function envelope(text: string): Envelope {
  if (text.length > 1_000_000) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
