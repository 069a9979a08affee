import { LazyAbort } from "../../base/abort.ts";
import { UsageError, type WireError } from "../../base/errors.ts";
import { createDeferred, type Deferred, ignoreRejection } from "../../base/promises.ts";
import type { Connection } from "../../rpc/connection.ts";
import type { IncomingRequest, Run } from "../../rpc/incoming-requests.ts";
import type { AgentRole } from "../../rpc/role.ts";
import type { UntypedHandler } from "../handler-table.ts";
import type { AgentMethodNames, OverlappingPrompts } from "./agent-options.ts";
import { AgentRunContext } from "./agent-run-context.ts";
import { MessageStream } from "./message-stream.ts";
import type { AgentSession, RunningTurn, SessionClient } from "./agent-session.ts";

/** The parts that turns need from their connection. */
export interface TurnHost {
  readonly table: AgentRole;
  readonly names: AgentMethodNames;
  /** The handler of prompts. */
  readonly handler: UntypedHandler;
  readonly overlappingPrompts: OverlappingPrompts;
  readonly connection: Connection;
  /** Completes an error answer of a handler, for example with the login methods. */
  amend(error: WireError): WireError;
}

/**
 * A turn from its prompt to its end. It aborts when it is cancelled.
 *
 * The handler is called without an `async` function around it, which would slow every prompt down.
 */
export abstract class TurnLifecycle<S extends AgentSession = AgentSession>
  extends LazyAbort
  implements Run, RunningTurn
{
  declare readonly session: S;
  ended = false;
  declare protected readonly host: TurnHost;
  declare protected readonly request: IncomingRequest | undefined;
  #isLateReported = false;
  #messages: MessageStream | undefined;
  /** Created only if something waits for the end. */
  #end: Deferred | undefined;

  constructor(session: S, host: TurnHost, request?: IncomingRequest) {
    super();
    this.session = session;
    this.host = host;
    this.request = request;
  }

  get id(): string | undefined {
    return this.request?.id;
  }

  abstract succeed(result: unknown): unknown;

  abstract fail(error: unknown): object | undefined;

  onCall(): void {}

  onQuestion(_params: unknown, _answer: Promise<unknown>): void {}

  /** Reports an error that is not sent to the client. */
  protected report(error: unknown): void {
    this.host.connection.reportFailure(this.host.names.prompt, error);
  }

  /** Rejects a call that comes after the end. A diagnostic reports the first one, since the promise may not be awaited. */
  rejectLate(state = "has ended"): Promise<never> {
    const error = new UsageError(`The turn ${state}; use session.update for updates between turns`);
    if (!this.#isLateReported) this.report(error);
    this.#isLateReported = true;
    return ignoreRejection(Promise.reject(error));
  }

  get messages(): MessageStream {
    return (this.#messages ??= new MessageStream(this.session, this));
  }

  nextId(kind: "call" | "message" | "plan" | "terminal"): string {
    return this.session.nextId(kind);
  }

  whenEnded(): Promise<void> {
    this.#end ??= createDeferred();
    return this.#end.promise;
  }

  protected markEnded(): void {
    const { turns } = this.session;
    const index = turns.indexOf(this);
    // It has ended already: sending the result of its handler has failed.
    if (index < 0) return;
    this.ended = true;
    // The usual case avoids the array that `splice` creates.
    if (turns.length === 1) turns.pop();
    else turns.splice(index, 1);
    // The answer is written right after this; waiting code continues in a later microtask.
    this.#end?.resolve();
  }
}

/** The context of a prompt handler. */
export class TurnContext extends AgentRunContext {
  declare readonly turn: object;

  constructor(client: SessionClient, lifecycle: TurnLifecycle, turn: object) {
    super(client, lifecycle.session, lifecycle);
    this.turn = turn;
  }
}
