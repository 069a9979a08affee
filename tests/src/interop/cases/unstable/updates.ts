import type { InteropCase } from "../../interop-case.ts";
import type { Json } from "../../json.ts";
import { plans, states, unstableUpdates } from "../../../support/samples-unstable.ts";
import { arrives } from "../updates.ts";

const subagent = (members: Json): Json => ({ sessionUpdate: "subagent_update", sessionId: "subagent-1", ...members });

/** Every unstable variant of `session/update`, in every form. */
export const unstableUpdateCases: readonly InteropCase[] = [
  ...Object.entries(unstableUpdates).map(([sessionUpdate, members]) =>
    arrives(`${sessionUpdate === "plan_removed" ? "PLAN-10: " : ""}${sessionUpdate} arrives whole`, {
      sessionUpdate,
      ...members,
    }),
  ),
  ...Object.entries(plans).map(([type, plan]) =>
    arrives(`PLAN-09: plan_update with ${type} arrives whole`, { sessionUpdate: "plan_update", plan }),
  ),
  arrives("PLAN-09: plan_update with no entries", {
    sessionUpdate: "plan_update",
    plan: { type: "items", planId: "plan-1", entries: [] },
  }),
  ...states.map((state) => arrives(`subagent_update in the state ${nameOf(state)}`, subagent({ state }))),
  arrives("subagent_update with nothing but its id", subagent({})),
  arrives("subagent_update clears with null", subagent({ title: null, description: null, capabilities: null })),
  arrives("session_message with nothing but its id", { sessionUpdate: "session_message", messageId: "m" }),
  arrives("session_message clears with null", { sessionUpdate: "session_message", messageId: "m", content: null }),
];

function nameOf({ state, ...members }: Json): string {
  return "stopReason" in members ? `${String(state)}, stopped by ${String(members["stopReason"])}` : String(state);
}
