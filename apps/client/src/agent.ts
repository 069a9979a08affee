// An agent, its sessions and turns as this program needs them, whatever version of the protocol they speak. The folders
// `v1/` and `v2/` make them of what the toolkit has for each version; nothing else here knows the version.
import type { RequestError } from "@acp/core";

import type { ShownSession } from "./shown.ts";

/** An agent that is connected. */
export interface Agent {
  /** The version of the protocol that it speaks. */
  readonly version: number;
  readonly info: { readonly name: string; readonly title?: string | null; readonly version: string } | undefined;
  /** The ways to log in, often none. */
  readonly logins: readonly Login[];
  /** Aborts when it is gone. */
  readonly signal: AbortSignal;
  newSession(cwd: string): Promise<Session>;
  /** Goes on with a session, and has its history told first. */
  loadSession(sessionId: string, cwd: string): Promise<Session>;
  /** Goes on with a session. */
  resumeSession(sessionId: string, cwd: string): Promise<Session>;
  deleteSession(sessionId: string): Promise<void>;
  listSessions(cwd: string, signal: AbortSignal): AsyncIterable<ListedSession>;
  /** Logs in. The agent that knows of it may be another process. */
  logIn(loginId: string, signal: AbortSignal): Promise<Agent>;
  logOut(): Promise<void>;
  close(): Promise<void>;
}

/** A way to log in. */
export interface Login {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
  /** The agent's program does it, in the terminal. */
  readonly takesTerminal: boolean;
}

/** A session in a list. */
export interface ListedSession {
  readonly sessionId: string;
  readonly title?: string | null;
  readonly updatedAt?: string | null;
}

/** An open session. There is one object for it as long as it is open. */
export interface Session {
  readonly id: string;
  /** The agent has opened it by itself, for a subagent perhaps. The user is in another one. */
  readonly isOfAgent: boolean;
  /** Aborts when it is over. */
  readonly signal: AbortSignal;
  /** What there is to show of it. */
  readonly shown: ShownSession;
  prompt(text: string): Turn;
  setMode(modeId: string): Promise<void>;
  close(): Promise<void>;
}

/** What the agent does because of a prompt. */
export interface Turn {
  readonly ended: Promise<TurnEnd>;
  cancel(): void;
}

/** How a turn has ended. */
export interface TurnEnd {
  readonly stopReason: string;
  /** What kept the agent from going on. */
  readonly failure?: RequestError | undefined;
}
