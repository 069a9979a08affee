import type { AgentTurn } from "../model/agent-turn.ts";
import type { AnyClientSession } from "../model/provider-agent.ts";
import type { CallOptions, GenerateResult, Message } from "../model/model-types.ts";
import type { CallerTool, CallerTools } from "../tools/caller-tools.ts";

/** A call of a model that runs in a conversation. */
export interface Work {
  /** Resolves when the conversation is free again. */
  readonly done: Promise<void>;
  readonly finish: () => void;
  isCancelled: boolean;
}

/** What the session of a conversation holds. */
export interface Held {
  /** The system messages that the agent has got, as a description. */
  readonly system: string;
  /** The digest of all other messages; without the last answer if that is loose. */
  readonly spoken: string;
  /** Whether the last answer broke off: the caller may have less of it than the session. */
  readonly isLoose: boolean;
  /** The digest of the first messages, as long as nobody has sent new messages alone. */
  readonly opening: string | undefined;
  /** Whether the caller has sent the messages before as well: then messages without an answer are another beginning. */
  readonly sendsAll: boolean;
}

/** A conversation of an app, with the one session of the agent that holds it. */
export interface Conversation {
  readonly id: string;
  readonly modelId: string;
  session: AnyClientSession | undefined;
  /** The call that runs now. */
  work: Work | undefined;
  held: Held | undefined;
  /** The turn that waits for the results of the caller's tools. */
  turn: AgentTurn | undefined;
  /** The tools of the caller that the session was opened with. */
  tools: CallerTools | undefined;
  /** Ends what serves the tools. */
  stopTools: (() => void) | undefined;
}

/** The messages of a call, apart from the system messages. */
export interface History {
  readonly prompt: readonly Message[];
  readonly system: string;
  readonly spoken: readonly Message[];
  /** How many messages there are up to the last answer. */
  readonly answered: number;
}

/** A call of a model. */
export interface Call {
  readonly prompt: readonly Message[];
  readonly modelId: string;
  /** The app's name for the conversation, if it has one. */
  readonly id: string | undefined;
  readonly tools: readonly CallerTool[];
}

/** Where a call runs. */
export interface Taken {
  readonly conversation: Conversation;
  readonly history: History;
  /** What the session has to be told. */
  readonly messages: readonly Message[];
  /** Whether the session holds nothing yet. */
  readonly isNew: boolean;
}

/** What became of a call. */
export interface Answer {
  /** The mark of the answer. */
  readonly turnId: string;
  readonly content: GenerateResult["content"];
  /** Whether it broke off. */
  readonly isLoose: boolean;
}

/** Finds the conversations of calls. */
export interface Rooms {
  /**
   * Finds the conversation of a call, or makes a new one, and keeps other calls out of it until `keep` or `fail`.
   *
   * @throws {UsageError} if a call of the conversation with this id runs.
   */
  take(call: Call): Promise<Taken>;
  /** The session of a conversation, opened if need be. */
  open(taken: Taken, options: CallOptions): Promise<AnyClientSession>;
  /** Frees a conversation whose turn has ended or waits, with the answer as the caller has got it. */
  keep(taken: Taken, answer: Answer): Promise<void>;
  /** Frees a conversation whose session holds nobody knows what. */
  fail(taken: Taken): void;
  /** The turn of a conversation has ended, but nobody may be there to read that. */
  watch(conversation: Conversation): void;
}
