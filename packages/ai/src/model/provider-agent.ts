import type { ClientConnector, ClientSession } from "@acp/core";
import type { ClientSession as UnstableSession, ConnectedAgent } from "@acp/core/unstable";
import type { ClientSession as ClientSession2, VersionedAgent } from "@acp/core/v2";
import type { ClientSession as UnstableSession2, ConnectedAgent as ConnectedAgent2 } from "@acp/core/v2/unstable";

/** A session of a client, of version 1 or 2 of the protocol. */
export type AnyClientSession = ClientSession | ClientSession2 | UnstableSession | UnstableSession2;

/** An agent that asks whether it may do something. */
export interface AgentQuestion {
  readonly sessionId: string;
  /** What it wants to do, in a few words. */
  readonly title: string;
  /** The question as it came, with the tool call and the options. */
  readonly received: object;
}

/** An agent of version 1 or 2 of the protocol that a provider is connected to. */
export type ProviderAgent = VersionedAgent<ConnectedAgent, ConnectedAgent2>;

/** The agent behind a {@link AcpProvider}, and how it is used. */
export interface AcpProviderOptions {
  /**
   * Connects a client to the agent: `(client) => spawnAgent(client, { command: "my-agent" })`. Called again for the first
   * call after the connection has ended.
   */
  connect(client: ClientConnector<ProviderAgent>): Promise<ProviderAgent>;
  /** The directory of its sessions: an absolute path. */
  readonly cwd: string;
  /** Whether the agent may do what it asks for. Default: no. */
  readonly permission?: ((question: AgentQuestion) => boolean | Promise<boolean>) | undefined;
  /** Name and version of your program. Default: those of this package. */
  readonly info?: { readonly name: string; readonly version: string } | undefined;
  /**
   * How long the session of a conversation stays open without a call, in milliseconds. A later call opens a new one, which
   * gets the messages so far. Default: 600,000, ten minutes.
   */
  readonly idleTime?: number | undefined;
  /**
   * How many sessions stay open. When there are more, the one that nobody has used for the longest time is closed; those at
   * work never are. Default: 32.
   */
  readonly maxSessions?: number | undefined;
}
