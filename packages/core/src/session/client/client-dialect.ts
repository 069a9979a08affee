import type { Gate } from "@acp/schema";
import type { DiagnosticListener } from "../../base/diagnostics.ts";
import type { PeerCalls, RequestOptions } from "../../rpc/peer.ts";
import type { Refusal } from "../../rpc/refusal.ts";
import type { ArgumentProblem } from "../rules/arguments.ts";
import type { CallRules } from "../rules/call-rules.ts";
import type { ClientRule } from "./rules/rule.ts";
import type { ConnectedMembers } from "./public-members.ts";
import type { ClientSession } from "./client-session.ts";
import type { ClientMethodNames, ClientSessionLink } from "./client-session-link.ts";

/** A way to log in, as far as the engine reads it. */
export interface LoginMethod {
  readonly type?: unknown;
}

/** The content of an agent's answer to `initialize`. */
export interface AgentFacts<Method extends LoginMethod = LoginMethod, Info = unknown, Capabilities = unknown> {
  readonly info: Info;
  readonly capabilities: Capabilities;
  readonly authMethods: readonly Method[];
  readonly meta: { readonly [key: string]: unknown };
}

/** The parts from which a dialect makes a connected agent. */
export interface AgentLink<S, Method> {
  readonly calls: PeerCalls;
  readonly members: ConnectedMembers<S, Method>;
  /** Calls a method that opens a session, and returns the session. */
  open(method: string, params: object, options: RequestOptions | undefined): Promise<S>;
  /** Whether the protocol, stable or unstable, has this method. */
  hasMethod(method: string): boolean;
}

/** A version of the protocol, as far as the engine of a client depends on it. */
export interface ClientDialect<S extends ClientSession, Facts extends AgentFacts, Agent> {
  readonly methods: ClientMethodNames;
  /** The answer to a prompt ends the turn. Otherwise it only accepts the prompt, and giving it up cancels no work. */
  readonly promptEndsTurn: boolean;
  /** A question that the agent cancels by `$/cancel_request` is answered as cancelled, not with an error. */
  readonly answersCancelledQuestions: boolean;
  /** Every chunk of text names its message. */
  readonly chunksNameMessage: boolean;
  /** The type of an MCP server without `type`. */
  readonly defaultServerType: string | undefined;
  /** The params of `initialize` besides the version. */
  initializeParams(info: object, capabilities: object): object;
  readAgent(answer: unknown): Facts;
  /** The id by which a login method is chosen. */
  readLoginId(method: Facts["authMethods"][number]): unknown;
  /** True if the agent's login methods open a gate for a call with these params. */
  isLoginOffered(gate: Extract<Gate, { readonly kind: "authMethod" }>, params: unknown, facts: Facts): boolean;
  /** Whether a call that opens a session makes the agent send the session's history. */
  replaysHistory(method: string, params: unknown): boolean;
  createSession(id: string, params: unknown, link: ClientSessionLink): S;
  /** Checks a call for an open session beyond the tables. @throws the reason not to send it. */
  checkSessionCall(method: string, params: unknown, session: S, rules: SessionCallRules): void;
  /** Checks the answer that opens a session, before the session takes it. */
  checkOpening?(method: string, session: S | undefined, rules: CallRules): void;
  /** The problem of the modes or options that a message offers. */
  checkOffer(holder: unknown, session: S | undefined): ArgumentProblem | undefined;
  /** Whether an error means that the session which a call was to end does not exist any more. */
  hasEnded?(method: string, error: unknown): boolean;
  /** The refusal of a request for a session that is not open. */
  unknownSession(params: unknown): Refusal;
  /** The rules that only this version has. */
  rules?(report: DiagnosticListener): readonly ClientRule<S>[];
  connectedAgent(facts: Facts, link: AgentLink<S, Facts["authMethods"][number]>): Agent;
}

/** The rules for calls, with the reaction to an impossible choice. */
export interface SessionCallRules extends CallRules {
  /** @throws {UsageError} for a problem, unless the mode is to diagnose: then it reports the problem. */
  refuseOrReport(method: string, problem: ArgumentProblem | undefined, sessionId: string | undefined): void;
}
