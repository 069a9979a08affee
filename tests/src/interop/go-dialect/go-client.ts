import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { marshal, type Struct, unmarshal } from "./programs/go-json.ts";
import {
  initializeRequest,
  initializeResponse,
  newSessionRequest,
  newSessionResponse,
  promptRequest,
  promptResponse,
  responseError,
  sessionNotification,
} from "./programs/go-types.ts";

/** An update as the dialect's struct holds it. */
export interface GoUpdate {
  readonly type: string;
  readonly role: string;
  readonly chunk: string;
  readonly toolCall?: object;
}

interface Received {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly params?: unknown;
}

/** An error answer. */
export class GoError extends Error {
  readonly code: number;
  constructor({ code, message }: { readonly code?: unknown; readonly message?: unknown }) {
    super(String(message));
    this.code = Number(code);
  }
}

/** The command line of a program of these tests. */
export const program = (name: string): readonly string[] => [
  fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url)),
];

/** A client written from the Go dialect's document, with the agent's process that it talks to. */
export class GoClient {
  /** Every line of the agent's stdout. */
  readonly lines: string[] = [];
  /** Updates in order of arrival, with the answers of prompts as `stop …`. */
  readonly events: { readonly sessionId: string; readonly update: GoUpdate | string }[] = [];
  /** Diagnostics of the agent: type and message. */
  readonly diagnostics: [type: string, message: string][] = [];
  readonly exited: Promise<number | null>;
  readonly #child: ChildProcess;
  readonly #pending = new Map<unknown, (message: Received) => void>();
  readonly #watchers = new Set<() => void>();
  #ids = 0;

  constructor() {
    this.#child = spawn(process.execPath, program("agent"), { stdio: ["pipe", "pipe", "pipe"] });
    this.exited = new Promise((resolve) => this.#child.on("close", resolve));
    if (this.#child.stdout === null || this.#child.stderr === null) throw new Error("No pipes");
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#read(line));
    createInterface({ input: this.#child.stderr }).on("line", (line) => {
      if (line.startsWith("[")) this.diagnostics.push(JSON.parse(line));
      this.#wake();
    });
  }

  initialize(protocolVersion = "1.0"): Promise<Record<string, unknown>> {
    return this.request("initialize", initializeRequest, initializeResponse, {
      protocolVersion,
      clientInfo: { name: "go-editor", version: "0.1" },
      capabilities: { terminal: true, "fs.readTextFile": true },
    });
  }

  async newSession(metadata: Readonly<Record<string, string>> = {}): Promise<Record<string, unknown>> {
    const { session } = await this.request("session/new", newSessionRequest, newSessionResponse, { metadata });
    return session as Record<string, unknown>;
  }

  /** Returns the stop reason. */
  async prompt(sessionId: string, text: string, more: object = {}): Promise<unknown> {
    const prompt = [{ type: "text", text }];
    const params = { sessionId, prompt, ...more };
    const { stopReason } = await this.request("session/prompt", promptRequest, promptResponse, params);
    this.events.push({ sessionId, update: `stop ${String(stopReason)}` });
    return stopReason;
  }

  async request(method: string, request: Struct, response: Struct, params: object): Promise<Record<string, unknown>> {
    const { result } = await this.call(method, marshal(request, { ...params }));
    return unmarshal(response, result, `${method} result`);
  }

  /** A request with params as they are; with `id` instead of a counted one. Rejects with a {@link GoError}. */
  call(method: string, params?: unknown, id: unknown = ++this.#ids): Promise<Received> {
    return new Promise((resolve, reject) => {
      this.#pending.set(id, (message) => {
        if (message.error === undefined) resolve(message);
        else reject(new GoError(unmarshal(responseError, message.error, "error")));
      });
      this.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  write(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** The updates of a session so far, without the answers. */
  updates(sessionId: string): readonly GoUpdate[] {
    return this.events.flatMap(({ sessionId: id, update }) =>
      id === sessionId && typeof update === "object" ? [update] : [],
    );
  }

  /** The text of a session's messages so far. */
  text(sessionId: string): string {
    return this.updates(sessionId)
      .map(({ chunk }) => chunk)
      .join("");
  }

  /** Waits for a diagnostic: they come by another pipe than the answers. */
  told(part: string): Promise<void> {
    return this.until(() => this.diagnostics.some(([, message]) => message.includes(part)));
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      // oxlint-disable-next-line no-await-in-loop
      await new Promise<void>((resolve) => this.#watchers.add(resolve));
    }
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    await this.exited;
  }

  #read(line: string): void {
    this.lines.push(line);
    const message: Received = JSON.parse(line);
    if (message.method === "session/update" && message.id === undefined) {
      const { sessionId, update } = unmarshal(sessionNotification, message.params, "session/update");
      this.events.push({ sessionId: String(sessionId), update: update as GoUpdate });
    } else if (message.method === undefined) {
      this.#pending.get(message.id)?.(message);
      this.#pending.delete(message.id);
    }
    this.#wake();
  }

  #wake(): void {
    for (const watcher of this.#watchers) watcher();
    this.#watchers.clear();
  }
}
