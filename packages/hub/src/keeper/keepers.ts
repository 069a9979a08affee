import type { AnswerExtension } from "../extensions.ts";
import type { NamedProgram } from "../front/program.ts";
import type { AgentSetup } from "./agent-link.ts";

/** A session to keep. */
export interface KeeperStart {
  readonly session: string;
  readonly program: NamedProgram;
  readonly setup: Omit<AgentSetup, "resume">;
  /** The login that a user has chosen for this agent. */
  readonly login?: string | undefined;
  /** `false` only ends what an earlier keeper has left, and opens the session at the agent when a prompt comes. Default: `true`. */
  readonly opens?: boolean | undefined;
}

/** A keeper, as its front sees it. */
export interface RunningKeeper {
  /** There may be commands. */
  wake(): void;
  /** How many clients of this front are attached. */
  setAttached(count: number): void;
  /** Sets who answers requests of the agent's extensions. Default: nobody, and the agent is told that there is no such method. */
  onRequest(answer: AnswerExtension): void;
  /** Ends the agent and the keeper. */
  close(): Promise<void>;
  /** Resolves when it keeps the session no longer. Never rejects. */
  readonly closed: Promise<void>;
}

/** Where keepers run. */
export interface Keepers {
  /**
   * Starts a keeper, which opens the session at the agent and writes down how that went. `undefined` if another keeper has the
   * session: commands reach that one through the journal. `onStored` is called when it has stored entries.
   */
  start(start: KeeperStart, onStored: () => void): Promise<RunningKeeper | undefined>;
  /** The keeper of a session that runs already, such as one that an earlier hub has started. */
  find(session: string, onStored: () => void): Promise<RunningKeeper | undefined>;
  /** Lets go of them. Those in other processes go on. */
  close(): Promise<void>;
}
