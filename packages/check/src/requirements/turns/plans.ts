import { type Area, rule } from "../requirement.ts";

export const plans: Area = {
  prefix: "PLAN",
  title: "Plans",
  requirements: [
    rule("PLAN-01", "agent SHOULD", "A plan that the model makes is reported as a plan update."),
    rule("PLAN-02", "agent MUST", "Each plan update has all entries, with their status."),
    rule("PLAN-03", "client MUST", "A plan update takes the place of the whole plan before it.", { check: "unit" }),
    rule("PLAN-04", "agent SHOULD", "Progress is reported by further updates of the same form."),
    rule("PLAN-05", "agent MAY", "Entries may come, go and change from update to update."),
    rule("PLAN-06", "agent must", "An entry has its content, a priority of three and a status of three."),
    rule("PLAN-07", "agent MUST NOT", "Plan operations are sent only to clients that advertised plans.", {
      follows: "clientCapabilities.plan, unstable",
    }),
    rule("PLAN-08", "agent MUST", "Clients without that capability get the plain plan update instead."),
    rule("PLAN-09", "agent must", "plan_update has a plan of one of three types, with a plan id.", {
      follows: "planId, not id",
    }),
    rule("PLAN-10", "agent must", "plan_removed has the plan's id beside its kind.", { follows: "planId, not id" }),
    rule("PLAN-11", "client must", "Plans with different ids are kept apart.", { check: "unit" }),
  ],
};
