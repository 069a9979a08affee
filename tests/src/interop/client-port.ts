import type { AgentProfile, ClientProfile, Entry } from "./profile.ts";
import type { ClientRecord } from "./client-record.ts";
import type { Json } from "./json.ts";

/** What a client was told by `initialize`. */
export interface AgentDetails {
  readonly protocolVersion: unknown;
  readonly agentInfo: unknown;
  readonly agentCapabilities: unknown;
  readonly authMethods: unknown;
}

export interface PortCallOptions {
  /** Takes the call back with `$/cancel_request`. */
  readonly signal?: AbortSignal | undefined;
}

export interface PortTurn {
  /** Every update of the turn, in the order the client saw them. */
  readonly updates: readonly Json[];
  /** The answer of `session/prompt`. */
  readonly response: Json;
}

/**
 * A connected client, whichever SDK it is written with. Failing calls reject with a `CallFailure`.
 */
export interface ClientPort {
  readonly details: AgentDetails;
  readonly record: ClientRecord;
  /** Settles when the connection has ended. */
  readonly closed: Promise<void>;
  call(method: string, params: Json, options?: PortCallOptions): Promise<Json>;
  notify(method: string, params: Json): Promise<void>;
  /** A whole turn; aborting `cancel` sends `session/cancel`. */
  prompt(params: Json, options?: { readonly cancel?: AbortSignal | undefined }): Promise<PortTurn>;
  /** Ends the connection. Resolves with how the agent's process ended: by itself, it should. */
  close(): Promise<AgentExit>;
}

export interface AgentExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface OpenOptions {
  /** The agent's program. */
  readonly command: string;
  readonly args: readonly string[];
  readonly client: ClientProfile;
  readonly agent: AgentProfile;
  /** The entry of its SDK that the client is written with. */
  readonly entry: Entry;
  /** The version that the official client asks for. Default: its own. */
  readonly protocolVersion?: number;
}

export type OpenClient = (options: OpenOptions) => Promise<ClientPort>;
