import { RunContext, type SignalOwner } from "../run-context.ts";
import type { AgentSession } from "./agent-session.ts";

/** The context that a handler of an agent gets with its params. */
export class AgentRunContext extends RunContext {
  declare readonly client: object;
  declare readonly session: AgentSession | undefined;

  constructor(client: object, session: AgentSession | undefined, owner: SignalOwner) {
    super(owner);
    this.client = client;
    this.session = session;
  }

  /** Read when it is asked for, which it hardly ever is. */
  get requestId(): unknown {
    const { id } = RunContext.ownerOf(this);
    return id === undefined ? undefined : JSON.parse(id);
  }
}
