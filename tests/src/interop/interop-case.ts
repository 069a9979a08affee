import type { ClientPort, PortTurn } from "./client-port.ts";
import type { LogEntry } from "./agent-desk.ts";
import type { Arranged } from "./agent-desk.ts";
import type { Json } from "./json.ts";
import type { AgentProfile, ClientProfile, Entry } from "./profile.ts";
import type { Outcome, Step } from "./steps.ts";

/** Who plays the client and who the agent. */
export type Sdk = "toolkit" | "official";

/** What an agent may be: a directed one of an SDK, or the reference agent as it is. */
export type AgentKind = Sdk | "reference";

/** What of the toolkit is between the two: its proxy, or its conductor with two proxies. */
export type Between = "nothing" | "proxy" | "chain";

/** Whom a run brings together. */
export interface Pairing {
  readonly client: Sdk;
  readonly agent: AgentKind;
  /** The entry of its SDK that each side is written with, where a row does not say. */
  readonly entry: Entry;
  readonly between: Between;
}

/** One row of the table: something that two implementations have to get right together. */
export interface InteropCase {
  /** Unique. Names the rule where the protocol has one, and the official SDK's deviation where there is one. */
  readonly name: string;
  /** The entries of the SDKs, where they are not those of the run: such rows get a connection of their own. */
  readonly entries?: { readonly client?: Entry; readonly agent?: Entry };
  /** Rows that need other capabilities get a connection of their own. Default: everything that the entry has. */
  readonly agent?: AgentProfile;
  readonly client?: ClientProfile;
  /** Needs a connection of its own although the profiles are the usual ones. */
  readonly apart?: true;
  /** The exit code of the agent of a row that has one of its own; `null` for any. Default: 0. */
  readonly exitCode?: number | null;
  /** Only with these; the name says why. */
  readonly only?: { readonly client?: Sdk; readonly agent?: AgentKind };
  run(context: CaseContext): Promise<void>;
}

type Run = InteropCase["run"];
type Where = Omit<InteropCase, "name" | "run">;

/** A row, written like a test: with what it needs, if it does not share a connection with the others. */
export function test(name: string, ...rest: readonly [run: Run] | readonly [where: Where, run: Run]): InteropCase {
  const [where, run] = rest.length === 1 ? [{}, ...rest] : rest;
  return { name, ...where, run };
}

/** Whether a row is for this pairing. */
export function isFor({ only = {} }: InteropCase, { client, agent }: Pairing): boolean {
  return (only.client ?? client) === client && (only.agent ?? agent) === agent;
}

/** What a row has at hand. */
export interface CaseContext {
  readonly clientSdk: Sdk;
  readonly agentSdk: AgentKind;
  readonly client: ClientPort;
  /** An empty directory of the row's own. */
  readonly directory: string;
  /** Opens a session whose setup answer has these members. Returns its id. */
  newSession(result?: Json): Promise<string>;
  /** Says how the agent answers the next request of a method. */
  arrange(method: string, answer: Arranged): Promise<void>;
  /** Runs a turn in which the agent plays steps; further content follows behind them. */
  play(sessionId: string, steps: readonly Step[], options?: PlayOptions): Promise<PlayedTurn>;
  /** What the agent's handlers saw since the last time. */
  agentLog(): Promise<readonly LogEntry[]>;
}

export interface PlayOptions {
  readonly content?: readonly Json[];
  readonly _meta?: Json;
  /** Cancels the turn with `session/cancel`. */
  readonly cancel?: AbortSignal;
}

export interface PlayedTurn extends PortTurn {
  readonly stopReason: string;
  /** How the agent's calls came out. */
  readonly results: readonly Outcome[];
}

/** What a program reports of a row, as a line of JSON. */
export interface CaseReport {
  readonly name: string;
  readonly ok: boolean;
  readonly error?: string;
  readonly milliseconds: number;
  /** What went over the wire in this row: `agent session/new`, and `client session/update`. */
  readonly methods: readonly string[];
}
