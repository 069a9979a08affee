import { type Abortable, LazyAbort } from "../../base/abort.ts";
import { randomId } from "../../base/random-id.ts";
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
  /** `byClient` is `false` if the client does not know that the turn is cancelled, so that it still answers questions. */
  abort(reason: unknown, byClient?: boolean): void;
  /** Settles when the turn has ended. */
  whenEnded(): Promise<void>;
  /** A request of the turn is about to be sent. */
  onCall(): void;
  /** The turn asks the user something. `answer` settles when the client has answered. */
  onQuestion(params: unknown, answer: Promise<unknown>): void;
}

/** The client as seen from a session, without the types of a protocol. */
export type SessionClient = SessionPeer<never> & ClientDetails;

/** The parts that a session needs from its connection. */
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
  /** The running turns, the oldest first. More than one only if prompts run side by side. */
  readonly turns: RunningTurn[] = [];
  /** The queued prompts, in order, with their results; `undefined` if none is queued. */
  queue: Map<IncomingRequest, Promise<unknown>> | undefined;
  /** While it is being opened again: why its turns were ended. If opening succeeds, the session ends for the same reason. */
  reopening: unknown;
  /** Until this session is open: the open session that it replaces. */
  replaced: this | undefined;
  /** While it is being opened: settles when that has succeeded or failed. */
  opening: Promise<void> | undefined;
  /** Whether its updates repeat the history, because `session/load` is not answered yet. */
  declare isReplaying: boolean;
  replay: ReplayedHistory | undefined;
  timelineItems = 0;
  sentUpdates = 0;
  choices: Choices = {};
  unsent: (() => void)[] | undefined;
  declare protected readonly link: SessionLink;
  readonly #end = new LazyAbort();
  // Sets ids apart from those of an earlier opening of the same session (TOOL-02, SESS-09).
  readonly #idSuffix = randomId().slice(0, 8);
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

  /** Sends the updates that waited for the answer with the session's id. */
  sendUnsent(): void {
    const { unsent } = this;
    this.unsent = undefined;
    unsent?.forEach((send) => send());
  }

  /** The argument of the agent's `session` option. */
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

  /** Ends its turns, because a request opens it again. If that fails, the session stays open. */
  reopen(reason: unknown): void {
    this.reopening = reason;
    this.abort(reason);
  }

  /**
   * Called when the handler that opens it has returned. The request is answered once the promise settles. `current` is the
   * session that has its id now: this one, or one that replaces it.
   */
  handlerReturned(_current: this | undefined): Promise<void> | undefined {
    return undefined;
  }

  /** Called when opening it again has failed: it stays open. */
  reopeningFailed(): void {}

  /** Called before a request ends it. */
  closing(): void {}

  end(reason: unknown): void {
    this.abort(reason);
    this.#end.abort(reason);
    this.replaced?.end(reason);
  }
}

/** Returns a client whose calls belong to the first of `turns`. One per session and not per turn, so that turns are cheap. */
export function bindToTurn(client: SessionClient, turns: readonly RunningTurn[]): SessionClient {
  const send: PeerCalls["request"] = client.request;
  const request = (method: string, params: unknown, options?: object): Promise<unknown> =>
    send(method, params, { ...options, owner: turns[0] });
  return { ...client, request };
}
