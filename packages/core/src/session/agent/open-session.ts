import type { ClientMethods, Received, SessionUpdate } from "@acp/schema/v1/types";
import { type Abortable, LazyAbort } from "../../base/abort.ts";
import type { MethodIndex } from "../../rpc/method-index.ts";
import { createSessionPeer, type PeerCalls, type SessionPeer } from "../../rpc/peer.ts";
import type { ClientDetails } from "../../v1/agent-handlers.ts";
import type { AgentSession, UntypedSetup } from "../../v1/agent-session.ts";
import type { AgentUpdates } from "./agent-updates.ts";
import type { Choices } from "../rules/choices.ts";
import { createTextChunkWriter, type TextChunkWriter } from "../text-chunks/write-text-chunks.ts";
import { turnClientOf } from "./turn-client.ts";

/** A turn that is running. */
export interface RunningTurn extends Abortable {
  /** `byClient` unless the client has not cancelled it, and so leaves open what it was asked. */
  abort(reason: unknown, byClient?: boolean): void;
  /** Settles when it has been answered. */
  answered(): Promise<void>;
}

/** What a session needs from its connection. */
export interface SessionLink extends AgentUpdates {
  readonly methods: MethodIndex;
  readonly calls: PeerCalls;
  clientDetails(): ClientDetails;
}

/** An agent's session from its opening to its end. */
export class OpenSession implements AgentSession<unknown> {
  /** The id that was proposed, until the handler of the opening method chooses another. */
  declare id: string;
  declare readonly cwd: string;
  declare readonly additionalDirectories: readonly string[];
  declare readonly mcpServers: readonly Received.McpServer[];
  declare readonly meta: { readonly [key: string]: unknown };
  declare readonly client: SessionPeer<ClientMethods> & ClientDetails;
  /** The client as its turns have it, unless they run side by side. */
  declare readonly turnClient: OpenSession["client"];
  state: unknown;
  /** Those that run, the oldest first: at most one, unless prompts run side by side. */
  readonly turns: RunningTurn[] = [];
  /** While prompts wait for the turns before them: settles when the last of them was answered. */
  line: Promise<void> | undefined;
  /** Why its turns have ended, while it is being opened again. If that succeeds, it ends for the same reason. */
  reopening: unknown;
  /** What it is opened in place of, and ends with, until it has been opened. */
  replaced: this | undefined;
  /** While it is being opened: settles when it is open, or cannot be. */
  opening: Promise<void> | undefined;
  /** `session/load` is being answered: its updates repeat what was. */
  isReplaying: boolean;
  /** The modes and options that its client was told of. */
  choices: Choices = {};
  /** What to send once its client knows its id, while it does not. */
  waiting: (() => void)[] | undefined;
  readonly #end = new LazyAbort();
  // Sets ids apart from those of an earlier opening of the same session (TOOL-02, SESS-09).
  readonly #opening = crypto.randomUUID().slice(0, 8);
  #ids = 0;
  #writeTextChunk: TextChunkWriter | undefined;

  readonly #link: SessionLink;

  constructor(id: string, params: unknown, link: SessionLink, method?: string) {
    const { cwd, additionalDirectories, mcpServers, _meta } = params as {
      readonly cwd?: string;
      readonly additionalDirectories?: readonly string[] | null;
      readonly mcpServers?: readonly Received.McpServer[] | null;
      readonly _meta?: { readonly [key: string]: unknown } | null;
    };
    this.id = id;
    this.cwd = cwd ?? "";
    this.additionalDirectories = additionalDirectories ?? [];
    this.mcpServers = mcpServers ?? [];
    this.meta = _meta ?? {};
    this.isReplaying = method === "session/load";
    this.#link = link;
    this.client = { ...createSessionPeer<ClientMethods>(link.calls, link.methods, this), ...link.clientDetails() };
    this.turnClient = turnClientOf(this.client, this.turns);
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  throwIfEnded(): void {
    if (this.#end.aborted) throw this.#end.reason;
  }

  /** Writes the message of a plain text chunk. Only once the client knows the session's id, which may change before. */
  writeTextChunk(update: SessionUpdate): string | undefined {
    this.#writeTextChunk ??= createTextChunkWriter(this.id);
    return this.#writeTextChunk(update);
  }

  /** Nothing is sent for it: it has ended, or is being opened again. */
  get isSilent(): boolean {
    return this.reopening !== undefined || this.#end.aborted;
  }

  update(update: SessionUpdate): Promise<void> {
    return this.#link.update(this, update);
  }

  offer(update: SessionUpdate): Promise<boolean> {
    return this.#link.offer(this, update);
  }

  /** The client has been told its id. */
  reveal(): void {
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.forEach((send) => send());
  }

  /** What its state is made from. */
  setup(method: string, params: unknown): UntypedSetup {
    const { id: sessionId, cwd, additionalDirectories, mcpServers, signal } = this;
    return { method, params, sessionId, cwd, additionalDirectories, mcpServers, signal };
  }

  nextId(kind: "call" | "message" | "plan" | "terminal"): string {
    return `${kind}-${this.#opening}-${++this.#ids}`;
  }

  /** Cancels what runs in it now; see {@link RunningTurn.abort}. */
  abort(reason: unknown, byClient?: boolean): void {
    // A copy: a handler that is no promise may end its turn at once.
    for (const turn of this.turns.slice()) turn.abort(reason, byClient);
  }

  /** Its turns end; whether it does as well is known when it has been opened again. */
  reopen(reason: unknown): void {
    this.reopening = reason;
    this.abort(reason);
  }

  end(reason: unknown): void {
    this.abort(reason);
    this.#end.abort(reason);
    this.replaced?.end(reason);
  }
}
