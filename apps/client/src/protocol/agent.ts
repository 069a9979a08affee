// Agents, sessions and turns as this program needs them, in every version of the protocol. The folders `v1/` and `v2/` adapt
// the toolkit's objects to these interfaces; apart from `connect.ts`, nothing else here depends on the version.
import type { RequestError } from "@acp/core";
import type { SessionOption, ShownSession } from "@acp/render";
import type { ContentBlock } from "@acp/schema/v1";

/** A part of a prompt; versions 1 and 2 have the same kinds. */
export type PromptBlock = ContentBlock;

export interface Agent {
  readonly version: number;
  readonly info: { readonly name: string; readonly title?: string | null; readonly version: string } | undefined;
  /** The login methods; often none. */
  readonly logins: readonly Login[];
  readonly takes: PromptKinds;
  readonly can: AgentAbilities;
  /** What its sessions do not get although the user wants it, since it cannot use that: a sentence each. */
  readonly leftOut: readonly string[];
  readonly signal: AbortSignal;
  newSession(cwd: string): Promise<Session>;
  /** Opens an earlier session; `load` resolves once the agent has replayed its history. */
  reopenSession(sessionId: string, cwd: string, how: WayBack): Promise<Session>;
  deleteSession(sessionId: string): Promise<void>;
  listSessions(cwd: string, signal: AbortSignal): AsyncIterable<ListedSession>;
  /** Logs in, and returns the agent that is logged in: it may be a new process. */
  logIn(loginId: string, signal: AbortSignal): Promise<Agent>;
  logOut(): Promise<void>;
  close(): Promise<void>;
}

/** What prompts may contain besides text and links. */
export interface PromptKinds {
  readonly image: boolean;
  readonly audio: boolean;
  readonly embeddedContext: boolean;
}

/** What an agent can do with sessions, and whether the user can say something while it works. */
export interface AgentAbilities {
  readonly load: boolean;
  readonly resume: boolean;
  readonly list: boolean;
  readonly delete: boolean;
  readonly close: boolean;
  readonly steer: boolean;
}

/** How an earlier session is opened: with its history or without. */
export type WayBack = "load" | "resume";

/** The way in which an agent opens earlier sessions: this one if it can, or the other; `undefined` if it can do neither. */
export function wayBack(can: AgentAbilities, first: WayBack): WayBack | undefined {
  return ([first, "load", "resume"] as const).find((way) => can[way]);
}

/** What becomes of a message to an agent that works: part of the turn, or the agent wants it as a prompt. */
export type SteeringEnd = "taken" | "refused";

export interface Login {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
  /** Whether the agent's program runs the login in the terminal. */
  readonly takesTerminal: boolean;
}

export interface ListedSession {
  readonly sessionId: string;
  readonly title?: string | null;
  readonly updatedAt?: string | null;
}

/** An open session: always the same object while it is open. */
export interface Session {
  readonly id: string;
  /** The agent has opened it by itself, for a subagent perhaps. The user is in another one. */
  readonly isOfAgent: boolean;
  readonly signal: AbortSignal;
  /** What the transcript shows of it. */
  readonly shown: ShownSession;
  prompt(prompt: string | readonly PromptBlock[]): Turn;
  /** Sets one of the options in {@link ShownSession.options}. */
  setOption(option: SessionOption, value: string | boolean): Promise<void>;
  /** Says something in the running turn; see {@link AgentAbilities.steer}. `signal` ends the wait for the agent's answer. */
  steer(prompt: string | readonly PromptBlock[], signal?: AbortSignal): Promise<SteeringEnd>;
  /** Cancels the turn that runs, whoever has begun it. */
  cancel(): Promise<void>;
  close(): Promise<void>;
}

/** The work that follows a prompt. */
export interface Turn {
  /** Settles once the turn has ended and the session is quiet. */
  readonly ended: Promise<TurnEnd>;
  cancel(): void;
}

export interface TurnEnd {
  readonly stopReason: string;
  /** How long it took, in milliseconds. */
  readonly duration: number;
  readonly failure?: RequestError | undefined;
}
