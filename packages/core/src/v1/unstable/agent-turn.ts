import { agentTable } from "@acp/schema/v1/unstable";
import type { ClientMethods, PlanUpdateContent, SubagentUpdate } from "@acp/schema/v1/unstable/types";
import { createMethodIndex } from "../../rpc/method-index.ts";
import { createSessionPeer, type MetaOptions, pickMeta } from "../../rpc/peer.ts";
import type { RoleTurn } from "../../rpc/role.ts";
import type { Subagent } from "./types.ts";
import { randomId } from "../../base/random-id.ts";

type Change = Omit<SubagentUpdate, "sessionId">;

/** The members that a turn has only in the unstable protocol. */
export function unstableTurn(turn: RoleTurn): object {
  return {
    planUpdate: (plan: PlanUpdateContent, options?: MetaOptions) =>
      turn.update({ sessionUpdate: "plan_update", plan, ...pickMeta(options) }),
    planRemoved: (planId: string, options?: MetaOptions) =>
      turn.update({ sessionUpdate: "plan_removed", planId, ...pickMeta(options) }),
    subagent: async ({ sessionId = randomId(), ...change }: Change & { readonly sessionId?: string }) => {
      await turn.update({ sessionUpdate: "subagent_update", sessionId, ...change });
      return createSubagent(sessionId, turn);
    },
  };
}

function createSubagent(id: string, { session }: RoleTurn): Subagent {
  const client = createSessionPeer<ClientMethods>(session.client, createMethodIndex(agentTable), { id });
  return {
    id,
    client,
    update: (update) => client.notify("session/update", { update }),
    // Sent by the session, not by the turn: the subagent may outlive the turn.
    report: (change) => session.update({ sessionUpdate: "subagent_update", sessionId: id, ...change }),
  };
}
