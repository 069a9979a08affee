import type { RequestId } from "@acp/schema/v1/types";
import type { OpenSession } from "./open-session.ts";
import { RunContext, type SignalOwner } from "../run-context.ts";

/** What a handler of an agent gets beside its params. */
export class AgentRunContext extends RunContext {
  declare readonly client: object;
  declare readonly session: OpenSession | undefined;

  constructor(client: object, session: OpenSession | undefined, owner: SignalOwner) {
    super(owner);
    this.client = client;
    this.session = session;
  }

  /** Read when it is asked for, which it hardly ever is. */
  get requestId(): RequestId | undefined {
    const { id } = RunContext.ownerOf(this);
    return id === undefined ? undefined : (JSON.parse(id) as RequestId);
  }
}
