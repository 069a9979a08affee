import { isObject } from "@acp/core/internal";

/** The version of the protocol that an agent or a client speaks. */
export type ProtocolVersion = 1 | 2;

/** Where a session stands, in the words of version 2. */
export type TurnState =
  /** The agent works. */
  | { readonly state: "running" }
  /** The agent waits for an answer to a question. */
  | { readonly state: "requires_action" }
  /** The turn has ended, with the agent's response, or with the error that it failed with. */
  | { readonly state: "idle"; readonly response?: unknown; readonly error?: WireError | undefined }
  /** The keeper died while a turn ran: nobody knows how far the agent came. */
  | { readonly state: "unknown" };

/** An error as JSON-RPC has it. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  /** Further facts for users of the hub's machine only: paths, ids of processes, what the agent wrote to stderr. */
  readonly details?: string | undefined;
}

/** What an agent said about itself and its session when the session was opened. */
export interface OpenedAgent {
  readonly version: ProtocolVersion;
  /** The agent's own id of the session. */
  readonly sessionId: string;
  readonly info?: unknown;
  readonly capabilities: unknown;
  /** The result of the request that opened the session: modes and config options. */
  readonly setup: unknown;
}

/** What an entry says. `update`, `ask` and the parts of `agent` are kept as the agent sent them. */
export type EntryBody =
  /** A keeper has opened the session at an agent. */
  | { readonly t: "keeper"; readonly keeper: string; readonly agent: OpenedAgent }
  /** A keeper could not, or its agent has ended: until a prompt opens it again. */
  | { readonly t: "ended"; readonly error?: WireError | undefined }
  /** An update of the agent. */
  | { readonly t: "update"; readonly v: ProtocolVersion; readonly update: unknown }
  /** A prompt that the agent gets now. */
  | { readonly t: "message"; readonly key: string; readonly v: ProtocolVersion; readonly prompt: readonly unknown[] }
  /** The state of the session has changed, by the prompt with this key if there is one. */
  | { readonly t: "state"; readonly state: TurnState; readonly key?: string | undefined; readonly queue?: number }
  /** The agent asks the user: permission, or an elicitation. */
  | {
      readonly t: "ask";
      readonly id: string;
      readonly v: ProtocolVersion;
      readonly method: string;
      readonly params: unknown;
    }
  /** The question is answered, or withdrawn. Values that the user typed are not in it. */
  | { readonly t: "answered"; readonly id: string; readonly outcome: AskOutcome }
  /**
   * A notification of the agent that is no update: of an extension, or `elicitation/complete`. For those who are there when it
   * comes.
   */
  | { readonly t: "notify"; readonly method: string; readonly params: unknown }
  /** The agent gets the request of an extension now: whoever keeps the session next does not send it again. */
  | { readonly t: "began"; readonly key: string }
  /** A command that is no prompt and no answer is done, or any command was refused. */
  | { readonly t: "done"; readonly key: string; readonly result?: unknown; readonly error?: WireError | undefined }
  /**
   * Something that the hub itself tells everybody. `removed`: earlier history was removed, with the prompts that had these keys.
   */
  | { readonly t: "notice"; readonly text: string; readonly removed?: readonly string[] | undefined };

/** How a question ended: who answered is `by` of the entry. */
export type AskOutcome =
  | { readonly type: "permission"; readonly outcome: unknown }
  | { readonly type: "elicitation"; readonly action: string }
  | { readonly type: "error"; readonly error: WireError }
  | { readonly type: "cancelled" };

/** An entry of a journal. */
export type Entry = EntryBody & {
  /** Its number; from 1 on, and rising over epochs. */
  readonly n: number;
  /** That of the claim that wrote it; 0 for one that compaction has written. */
  readonly epoch: number;
  /** When it was written, in milliseconds since 1970, by the keeper's clock. */
  readonly at: number;
  /** Who caused it: the user or the client. Left out for the agent and the hub. */
  readonly by?: string | undefined;
};

/** What the front asks the keeper of a session to do. */
export type Command = { readonly by?: string | undefined } & (
  | {
      readonly type: "prompt";
      readonly v: ProtocolVersion;
      readonly prompt: readonly unknown[];
      /** Who sent it; a cancel of the same client takes it out of the queue. */
      readonly client: string;
    }
  /** The result of the question as the client returned it, or its error. */
  | {
      readonly type: "answer";
      readonly ask: string;
      readonly v: ProtocolVersion;
      readonly result?: unknown;
      readonly error?: WireError;
    }
  /** Ends prompts: the running one, whoever sent it, and those of the client that wait. `prompts` has their keys; without it, all. */
  | { readonly type: "cancel"; readonly client: string; readonly prompts?: readonly string[] | undefined }
  /** A request to the agent: `session/set_mode`, `session/set_config_option`, or an extension, which may be a notification. */
  | {
      readonly type: "call";
      readonly v: ProtocolVersion;
      readonly method: string;
      readonly params: unknown;
      readonly isNotification?: boolean | undefined;
    }
  /** Whoever sent the call with this key cancels it. */
  | { readonly type: "drop"; readonly call: string }
  /** Ends the agent. The journal stays. */
  | { readonly type: "stop" }
);

const kinds: { readonly [Kind in EntryBody["t"]]: true } = {
  keeper: true,
  ended: true,
  update: true,
  message: true,
  state: true,
  ask: true,
  answered: true,
  notify: true,
  began: true,
  done: true,
  notice: true,
};

/** The text of an entry, on one line. */
export function encodeEntry(entry: Entry): string {
  const { n, epoch, at, ...body } = entry;
  return JSON.stringify({ n, epoch, at, ...body });
}

/**
 * Reads the text of an entry. `undefined` for one of a kind that a later version has added, and for a text that is none: a
 * reader goes on behind it.
 */
export function decodeEntry(text: string): Entry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || !Number.isSafeInteger(value["n"]) || !Number.isSafeInteger(value["epoch"])) return undefined;
  if (typeof value["t"] !== "string" || !Object.hasOwn(kinds, value["t"])) return undefined;
  // Only keepers write entries: what the kind promises is there.
  return value as unknown as Entry;
}
