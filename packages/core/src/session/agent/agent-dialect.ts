import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import type { MetaOptions } from "../../rpc/peer.ts";
import type { Refusal } from "../../rpc/refusal.ts";
import type { AgentRole } from "../../rpc/role.ts";
import type { UntypedHandler } from "../handler-table.ts";
import type {
  AgentMethodNames,
  AuthMethod,
  ClientDetails,
  OverlappingPrompts,
  SessionUpdate,
} from "./agent-options.ts";
import type { AgentSession, SessionLink, SessionStart } from "./agent-session.ts";
import type { ConnectedClient } from "./connected-client.ts";
import type { TurnHost } from "./turn-lifecycle.ts";

/** The parts that sessions and turns need from their connection. */
export interface AgentHost extends SessionLink, TurnHost {}

/** The parts of the answer to `initialize`. */
export interface InitializeParts extends MetaOptions {
  readonly protocolVersion: number;
  readonly capabilities: object;
  readonly info: object;
  readonly authMethods: readonly AuthMethod[];
}

/** One version of the protocol as an agent speaks it: all that the engine does not do alike in every version. */
export interface AgentDialect<S extends AgentSession = AgentSession> {
  readonly methods: AgentMethodNames;
  /** Requests that are answered without a handler. */
  readonly requestsWithoutHandler: ReadonlySet<string>;

  // Initialize and login

  /** The table with a decoder that also reads `initialize` of other versions. */
  adaptTable?(role: AgentRole): AgentRole;
  /** @throws {UsageError} if a login that is offered lacks its handlers. */
  checkLoginHandlers(authMethods: readonly AuthMethod[], handlers: ReadonlyMap<string, UntypedHandler>): void;
  /** @throws {Refusal} for a request that comes at the wrong time, such as before `initialize`. */
  refuseUntimely(request: IncomingRequest, client: ConnectedClient, protocolVersion: number): void;
  /** Whether requests that arrive while `initialize` is pending wait for it. */
  readonly queuesEarlyRequests: boolean;
  readClient(params: unknown): ClientDetails;
  initializeResult(parts: InitializeParts): object;
  /** The member of a login method that has its id. */
  readonly loginIdMember: string;

  // Sessions

  createSession(start: SessionStart<S>, host: AgentHost): S;
  /** The refusal of a request for a session that is not open. */
  unknownSession(params: unknown): Refusal;
  /** Whether requests for a session that is being opened wait for that. */
  readonly queuesWhileOpening: boolean;
  /** The answer to a request of no open session that needs no handler, if it has one. */
  answerWithoutSession?(method: string, hasHandler: boolean): object | undefined;
  /**
   * Runs before the handler of a request in its session.
   *
   * @throws {Refusal} if the request chooses a value that the session does not offer.
   */
  beforeHandler(request: IncomingRequest, session: S): void;
  /** Whether the result of a request in a session may have options to choose from. */
  resultHasOptions(method: string): boolean;

  // Updates

  /** Whether an update has a place of its own in the timeline, so that text behind it is a new message. */
  isTimelineItem(update: SessionUpdate): boolean;

  // Turns

  readonly overlappingPrompts: OverlappingPrompts;
  /** Runs the prompt handler as a turn of the session; its result or error is the answer. */
  runTurn(request: IncomingRequest, session: S, host: AgentHost): unknown;
  /** Answers a prompt that was cancelled before its turn started. */
  answerAsCancelled(request: IncomingRequest): void;
}
