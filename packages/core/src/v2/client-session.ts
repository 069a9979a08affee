import type { AgentMethods, ClientMethods, ContentBlock, Received } from "@acp/schema/v2/types";
import type { MetaOptions, RequestOptions, SessionPeer } from "../rpc/peer.ts";
import type { PromptOptions, Turn } from "./turn.ts";
import type { ObservableSession } from "./session-event.ts";
import type { ReceivedUpdateOf } from "./protocol-types.ts";

/** A prompt: plain text, or content blocks of kinds that the agent advertised to take, at least one (PROM-03). */
export type Prompt = string | readonly ContentBlock[];

/** What a session is doing; of a state that is not known here, `unknownVariant`. */
export type SessionActivity = Received.StateUpdate["state"];

/** A session as the client sees it. */
export interface ClientSession<out A = AgentMethods, out C = ClientMethods> {
  /** The id that the agent gave it. */
  readonly id: string;
  /**
   * The working directory that it was opened with; absolute. Empty while the agent asks for something before the answer that
   * opens a new session: several may be opening, and nobody knows which of them it is.
   */
  readonly cwd: string;
  /** Further root folders that it was opened with: absolute paths, often none. */
  readonly additionalDirectories: readonly string[];
  /**
   * What the session is doing, as the agent told last: the state of its foreground work as a whole, whoever began it
   * ("Session States" in the draft). `idle` until the agent says otherwise. It changes in the order of the updates: a
   * handler for `session/update` sees the state that its update tells.
   */
  readonly state: SessionActivity;
  /** What goes on in the background, as the agent told last; `undefined` if it does not tell. An empty list: nothing. */
  readonly background: readonly Received.BackgroundWork[] | undefined;
  /** The config options as the agent told them last; `undefined` if it has none. */
  readonly configOptions: readonly Received.SessionConfigOption[] | undefined;
  /** The commands as the agent told them last; often none. */
  readonly availableCommands: readonly Received.AvailableCommand[];
  /** The `_meta` of the answer that opened it; empty if there was none (EXT-01). */
  readonly meta: { readonly [key: string]: unknown };
  /** Whether it was resumed with `replayFrom`: the agent then tells its history as updates, before the session is opened. */
  readonly replaysHistory: boolean;
  /** Aborts when the session is closed, deleted or opened again, or the agent is gone. Clean up then. */
  readonly signal: AbortSignal;
  /**
   * Every update of the session, also between turns and while it is resumed. A loop gets the updates from its start on;
   * one that starts right after the session was opened, before anything else is awaited, gets the earlier ones as well.
   */
  readonly updates: AsyncIterable<ReceivedUpdateOf<C>>;
  /**
   * Calls `observer`, at once and in order, with everything that happens in the session: updates, before their handler
   * runs, and what this client does itself. Returns a function that ends it.
   *
   * First it is told what has happened so far: a history that was replayed and that nobody has taken yet, what the agent
   * said when it opened the session, turns that run, and the end of the session if it has ended.
   *
   * `createSessionState` of `@acp/core/v2/state` turns these events into a state to show.
   */
  readonly observe: ObservableSession<ReceivedUpdateOf<C>>["observe"];
  /** The agent. Calls are for this session: they need no `sessionId`. */
  readonly agent: SessionPeer<A>;
  /**
   * Sends a message of the user. Returns at once; what keeps it from being sent rejects `accepted` and `finished`.
   *
   * A session that is busy takes prompts as well: the agent puts them into the conversation at once, or holds them back
   * until it is done ("User Message" in the draft).
   *
   * @throws {CapabilityError} through `finished`, if the agent did not advertise a kind of content; nothing was sent.
   * @throws {UsageError} through `finished`, if the session has ended. At once, if the prompt is empty, or neither text nor a
   * list of content blocks, or `cancelGrace` is neither milliseconds from 0 on nor `Infinity`.
   */
  prompt(prompt: Prompt, options?: PromptOptions): Turn<A, C>;
  /**
   * Changes a config option. Resolves with all options as they are then (CONF-14).
   *
   * @throws {CapabilityError} if the session has no config options.
   * @throws {UsageError} if there is no such option or value, or the session has ended.
   * @throws what {@link Peer.request} throws.
   */
  setConfigOption(
    configId: string,
    value: string | boolean,
    options?: RequestOptions & MetaOptions,
  ): Promise<readonly Received.SessionConfigOption[]>;
  /**
   * Closes the session: cancels what it does, in the background as well, and frees it. Resolves behind the handlers of the
   * last updates. Without effect if the session has ended, here or, by its own word, at the agent.
   *
   * @throws what {@link Peer.request} throws.
   */
  close(options?: RequestOptions & MetaOptions): Promise<void>;
}
