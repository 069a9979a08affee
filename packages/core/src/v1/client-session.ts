import type { AgentMethods, ClientMethods, ContentBlock, Received } from "@acp/schema/v1";
import type { MetaOptions, RequestOptions, SessionPeer } from "../protocol/peer.ts";
import type { PromptOptions, Turn } from "./client-turn.ts";
import type { SessionObserver } from "./session-event.ts";
import type { PromptResponseOf, ReceivedUpdateOf } from "./vocabulary.ts";

/** A prompt: plain text, or content blocks the agent advertised to take (PROM-03). */
export type Prompt = string | readonly ContentBlock[];

/** A session as the client sees it. */
export interface ClientSession<A = AgentMethods, C = ClientMethods> {
  readonly id: string;
  /** As sent when it was opened; absolute. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** The modes of the setup answer, with the current one kept up to date; `undefined` if it has none. */
  readonly modes: Received.SessionModeState | undefined;
  /** The options of the setup answer, kept up to date; `undefined` if it has none. */
  readonly configOptions: readonly Received.SessionConfigOption[] | undefined;
  /** The `_meta` of the answer that opened it; empty if there was none (EXT-01). */
  readonly meta: { readonly [key: string]: unknown };
  /** Aborts when the session is closed or deleted, or the agent is gone. Clean up on it. */
  readonly signal: AbortSignal;
  /** Every update of the session, also between turns and while it is loaded. Each iteration starts where it begins. */
  readonly updates: AsyncIterable<ReceivedUpdateOf<C>>;
  /**
   * Tells `observer` at once and in order what happens here: updates, before their handler, and what this client does
   * itself. It begins with what led here: a history that was loaded and that nobody has asked for, what the answer
   * that opened the session said, turns that run, and that it has ended. Returns what ends it.
   *
   * `createSessionState` of `@acp/core/state` makes of it what there is to show.
   */
  readonly observe: (observer: SessionObserver<ReceivedUpdateOf<C>, PromptResponseOf<A>>) => () => void;
  /** The agent; calls go to this session without naming it. */
  readonly agent: SessionPeer<A>;
  /**
   * Starts a turn.
   *
   * @throws {CapabilityError} through the turn's `response`, if the agent did not advertise a kind of
   * content; nothing was sent.
   * @throws {UsageError} at once, for what is neither text nor a list of content blocks, and for a `cancelGrace` that is
   * no time.
   */
  prompt(prompt: Prompt, options?: PromptOptions): Turn<A, C>;
  /** Changes the mode (MODE-02). @throws {CapabilityError} if the session has no modes. @throws {UsageError} if it has ended. */
  setMode(modeId: string, options?: RequestOptions & MetaOptions): Promise<void>;
  /** Changes a config option; returns all of them as they are then (CONF-14). */
  setConfigOption(
    configId: string,
    value: string | boolean,
    options?: RequestOptions & MetaOptions,
  ): Promise<readonly Received.SessionConfigOption[]>;
  /**
   * Closes the session, cancelling its turn; without effect if it has ended.
   *
   * @throws {CapabilityError} if the agent cannot close sessions.
   */
  close(options?: RequestOptions & MetaOptions): Promise<void>;
}
