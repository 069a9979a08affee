import { type Abortable, LazyAbort } from "../../base/abort.ts";
import type { Connection } from "../../rpc/connection.ts";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import type { MethodIndex } from "../../rpc/method-index.ts";
import { createSessionPeer, type PeerCalls, type SessionPeer } from "../../rpc/peer.ts";
import type { Choices } from "../rules/choices.ts";
import type { AgentMethodNames, ClientDetails, McpServer, SessionSetup, SessionUpdate } from "./agent-options.ts";
import { createTextChunkWriter, type TextChunkWriter } from "../text-chunks/write-text-chunks.ts";
import type { AgentUpdates, ReplayedHistory, UpdatingSession } from "./agent-updates.ts";
import type { ConnectedClient } from "./connected-client.ts";

/** A turn that is running. */
export interface RunningTurn extends Abortable {
  /** `byClient` unless the client has not cancelled the turn, and so leaves open what it was asked. */
  abort(reason: unknown, byClient?: boolean): void;
  /** Settles when the turn has ended. */
  whenEnded(): Promise<void>;
  /** A request that belongs to it is about to be sent. */
  onCall(): void;
  /** The user is asked something for it until `answer` settles. */
  onQuestion(params: unknown, answer: Promise<unknown>): void;
}

/** The client as a session calls it. It stands in for a peer of any protocol. */
export type SessionClient = SessionPeer<never> & ClientDetails;

/** What a session needs from its connection. */
export interface SessionLink {
  readonly names: AgentMethodNames;
  readonly methods: MethodIndex;
  readonly connection: Connection;
  readonly client: ConnectedClient;
  readonly calls: PeerCalls;
  readonly updates: AgentUpdates;
}

/** The request that opens a session. */
export interface SessionStart<S> {
  /** The id of the session; that of a new one is a proposal, and the handler may choose another. */
  readonly id: string;
  readonly method: string;
  readonly params: unknown;
  /** The open session with the same id, which this one replaces. */
  readonly earlier: S | undefined;
}

/** An agent's session from its opening to its end. */
export class AgentSession implements UpdatingSession {
  declare id: string;
  declare readonly cwd: string;
  declare readonly additionalDirectories: readonly string[];
  declare readonly mcpServers: readonly McpServer[];
  declare readonly meta: { readonly [key: string]: unknown };
  declare readonly client: SessionClient;
  /** The client for handlers of prompts, unless turns run side by side. */
  declare readonly turnClient: SessionClient;
  state: unknown;
  /** The turns that run, the oldest first: at most one, unless prompts run side by side. */
  readonly turns: RunningTurn[] = [];
  /** The prompts that wait for the turns before them, in order, with their results; `undefined` once all were answered. */
  queue: Map<IncomingRequest, Promise<unknown>> | undefined;
  /** Why its turns have ended, while it is being opened again. If that succeeds, it ends for the same reason. */
  reopening: unknown;
  /** Until this session is open: the one it replaces, which ends with it. */
  replaced: this | undefined;
  /** While it is being opened: settles when it is open, or cannot be. */
  opening: Promise<void> | undefined;
  /** The request that opens it is being answered, and its updates repeat the history. */
  declare isReplaying: boolean;
  replay: ReplayedHistory | undefined;
  timelineItems = 0;
  choices: Choices = {};
  unsent: (() => void)[] | undefined;
  declare protected readonly link: SessionLink;
  readonly #end = new LazyAbort();
  // Sets ids apart from those of an earlier opening of the same session (TOOL-02, SESS-09).
  readonly #idSuffix = crypto.randomUUID().slice(0, 8);
  #idCount = 0;
  #writeTextChunk: TextChunkWriter | undefined;

  constructor({ id, params }: SessionStart<AgentSession>, link: SessionLink, isReplaying = false) {
    const { cwd, additionalDirectories, mcpServers, _meta } = params as {
      readonly cwd?: string;
      readonly additionalDirectories?: readonly string[] | null;
      readonly mcpServers?: readonly McpServer[] | null;
      readonly _meta?: { readonly [key: string]: unknown } | null;
    };
    this.id = id;
    this.cwd = cwd ?? "";
    this.additionalDirectories = additionalDirectories ?? [];
    this.mcpServers = mcpServers ?? [];
    this.meta = _meta ?? {};
    this.isReplaying = isReplaying;
    this.link = link;
    this.client = { ...createSessionPeer<never>(link.calls, link.methods, this), ...link.client.details };
    this.turnClient = bindToTurn(this.client, this.turns);
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  throwIfEnded(): void {
    if (this.#end.aborted) throw this.#end.reason;
  }

  get isSilent(): boolean {
    return this.reopening !== undefined || this.#end.aborted;
  }

  update(update: SessionUpdate): Promise<void> {
    return this.link.updates.update(this, update);
  }

  offer(update: SessionUpdate): Promise<boolean> {
    return this.link.updates.offer(this, update);
  }

  writeTextChunk(update: SessionUpdate): string | undefined {
    this.#writeTextChunk ??= createTextChunkWriter(this.link.names.update, this.id);
    return this.#writeTextChunk(update);
  }

  noteSent(_update: SessionUpdate): boolean {
    return !this.isReplaying;
  }

  /** The client knows its id now: sends the updates that waited for that. */
  sendUnsent(): void {
    const { unsent } = this;
    this.unsent = undefined;
    unsent?.forEach((send) => send());
  }

  /** What the `session` option of the agent makes its state from. */
  setup(method: string, params: unknown): SessionSetup {
    const { id: sessionId, cwd, additionalDirectories, mcpServers, signal } = this;
    return { method, params, sessionId, cwd, additionalDirectories, mcpServers, signal };
  }

  nextId(kind: "call" | "message" | "plan" | "terminal"): string {
    return `${kind}-${this.#idSuffix}-${++this.#idCount}`;
  }

  /** Cancels its turns; see {@link RunningTurn.abort}. */
  abort(reason: unknown, byClient?: boolean): void {
    // A copy: a handler that returns no promise may end its turn at once.
    for (const turn of this.turns.slice()) turn.abort(reason, byClient);
  }

  /** Ends its turns. If it cannot be opened again, it goes on. */
  reopen(reason: unknown): void {
    this.reopening = reason;
    this.abort(reason);
  }

  /**
   * The handler that opens it has returned, and the request is answered once this settles. `current` has its id now: this
   * session, or one that replaces it.
   */
  handlerReturned(_current: this | undefined): Promise<void> | undefined {
    return undefined;
  }

  /** It goes on, since it could not be opened again. */
  reopeningFailed(): void {}

  /** A request is about to end it. */
  closing(): void {}

  end(reason: unknown): void {
    this.abort(reason);
    this.#end.abort(reason);
    this.replaced?.end(reason);
  }
}

/** The client with calls that belong to the first of `turns`. A session has one for all its turns, since a turn should cost little. */
export function bindToTurn(client: SessionClient, turns: readonly RunningTurn[]): SessionClient {
  const send: PeerCalls["request"] = client.request;
  const request = (method: string, params: unknown, options?: object): Promise<unknown> =>
    send(method, params, { ...options, owner: turns[0] });
  return { ...client, request };
}
