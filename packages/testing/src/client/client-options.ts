import type { BytePipe, Transport } from "@acp/core";
import type { Framing } from "@acp/framing";

import type { ProtocolVersion } from "../agent/agent-words.ts";
import type { Clock } from "../clock/clock.ts";
import type { RecordedQuestion } from "./turn-record.ts";

/** What a scripted client connects to: an agent that `createAgent` made, a transport, or the bytes of a program. */
export type AgentLike = { connect(transport: Transport): unknown } | Transport | BytePipe;

/** How a client answers a question: a word, the id of an option, or what chooses one. `undefined` cancels it. */
export type PermissionReply =
  | "allow"
  | "reject"
  | "cancel"
  | ((question: Omit<RecordedQuestion, "chosen">) => string | undefined | Promise<string | undefined>);

/** Options of {@link fakeClient}. */
export interface FakeClientOptions {
  /** The version of the protocol that it asks for. Default: 1. */
  readonly protocol?: ProtocolVersion | undefined;
  /** What it says it can do, besides what `files` brings. Default: nothing. */
  readonly capabilities?: Readonly<Record<string, unknown>> | undefined;
  /** How questions for permission are answered. Default: `allow`. */
  readonly answer?: PermissionReply | undefined;
  /** Text files, by path, that the agent may read and write through the client. Default: none, and no such methods. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Answers other methods of the agent. What they throw becomes an error. */
  readonly handlers?: Readonly<Record<string, (params: unknown) => unknown>> | undefined;
  /** The working directory of new sessions. Default: `/project`. */
  readonly cwd?: string | undefined;
  /** The MCP servers of new sessions. Default: none. */
  readonly mcpServers?: readonly object[] | undefined;
  /** How long it waits for an answer, in milliseconds. Default: 10,000. */
  readonly timeout?: number | undefined;
  /** How messages are separated on bytes. Default: `ndjson`. */
  readonly framing?: Framing | undefined;
  /** Measures the time. Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}
