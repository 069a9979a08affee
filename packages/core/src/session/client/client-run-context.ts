import { RunContext, type SignalOwner } from "../run-context.ts";

/** What a client's handler gets beside its params. */
export class ClientRunContext extends RunContext {
  readonly agent: unknown;
  readonly session: unknown;

  constructor(agent: unknown, session: unknown, owner: SignalOwner) {
    super(owner);
    this.agent = agent;
    this.session = session;
  }
}
