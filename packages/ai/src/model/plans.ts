import { randomId } from "@acp/core/internal";
import { isObject, textIn } from "../values.ts";
import type { StreamPart } from "./model-types.ts";

/** One step of a plan. */
export interface AgentPlanEntry {
  readonly content: string;
  /** `pending`, `in_progress` or `completed`; agents may have more. */
  readonly status: string;
  readonly priority?: string;
}

/** The plan of an agent, as it is now. */
export interface AgentPlan {
  /** Its id, if the agent has several plans. */
  readonly planId?: string;
  readonly entries: readonly AgentPlanEntry[];
  /** A plan that is a text. */
  readonly markdown?: string;
}

/** What the ids of the calls begin with that stand for plans. */
const planPrefix = "acp-plan-";

/** Whether a tool call stands for a plan: the agent has not called a tool. */
export function isPlanCall(toolCallId: unknown): boolean {
  return typeof toolCallId === "string" && toolCallId.startsWith(planPrefix);
}

/** The plans of a turn. Each is a call of a tool `plan` whose output changes until the turn ends. */
export class Plans {
  readonly #plans = new Map<string, { readonly callId: string; plan: AgentPlan }>();

  add(update: Readonly<Record<string, unknown>>): StreamPart[] {
    const plan = readPlan(isObject(update["plan"]) ? update["plan"] : update);
    const key = plan.planId ?? "";
    const known = this.#plans.get(key);
    const { callId } = known ?? { callId: `${planPrefix}${randomId()}` };
    this.#plans.set(key, { callId, plan });
    const how = { toolName: "plan", providerExecuted: true, dynamic: true };
    const begin: StreamPart[] = [
      { type: "tool-input-start", id: callId, title: "Plan", ...how },
      { type: "tool-input-delta", id: callId, delta: "{}" },
      { type: "tool-input-end", id: callId },
      { type: "tool-call", toolCallId: callId, input: "{}", ...how },
    ];
    return [...(known === undefined ? begin : []), resultOf(callId, plan, true)];
  }

  /** The plans as they are at the end of the turn. */
  end(): StreamPart[] {
    return [...this.#plans.values()].map(({ callId, plan }) => resultOf(callId, plan, false));
  }
}

function resultOf(toolCallId: string, plan: AgentPlan, preliminary: boolean): StreamPart {
  const { entries, ...more } = plan;
  const result = { ...more, entries: entries.map((entry) => ({ ...entry })) };
  return {
    type: "tool-result",
    toolCallId,
    toolName: "plan",
    result,
    dynamic: true,
    ...(preliminary ? { preliminary } : {}),
  };
}

function readPlan(plan: Readonly<Record<string, unknown>>): AgentPlan {
  const entries: readonly unknown[] = Array.isArray(plan["entries"]) ? plan["entries"] : [];
  const planId = textIn(plan, "planId");
  const markdown = textIn(plan, "content") ?? textIn(plan, "uri");
  return {
    ...(planId === undefined ? {} : { planId }),
    entries: entries.filter(isObject).map((entry) => {
      const priority = textIn(entry, "priority");
      const status = textIn(entry, "status") ?? "pending";
      return { content: textIn(entry, "content") ?? "", status, ...(priority === undefined ? {} : { priority }) };
    }),
    ...(markdown === undefined ? {} : { markdown }),
  };
}
