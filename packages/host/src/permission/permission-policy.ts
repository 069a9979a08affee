import { UsageError } from "@acp/core";

import type { HostContext, HostSession } from "../host-context.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { unlessAborted, withSignals } from "../unless-aborted.ts";
import { findRule, requireRule } from "./match-rule.ts";
import type { PermissionRule, PolicyAction, PolicyDecision } from "./policy-action.ts";
import {
  actionOfQuestion,
  type AskedCall,
  type AskedPermission,
  type ResolvedPaths,
  resolvePaths,
} from "./question-action.ts";
import { requireRuntime } from "../usage.ts";
import { quoteValues } from "@acp/core/internal";

/** Options of {@link CreatePermissionPolicy}. */
export interface PermissionPolicyOptions {
  /** The rules, in order. The first rule that matches decides. */
  readonly rules: readonly PermissionRule[];
  /**
   * Asks the user about a command or a file if no rule decides. Return `true` to allow it, `false` to reject it, or
   * `undefined` if there is no user to ask; then `otherwise` applies. Default: there is no user to ask.
   *
   * `signal` aborts when the agent cancels its request or the session ends.
   */
  readonly ask?:
    | ((
        action: PolicyAction,
        session: HostSession,
        signal: AbortSignal,
      ) => boolean | undefined | Promise<boolean | undefined>)
    | undefined;
  /** What to do if no rule decides and there is no user to ask. Default: `reject`. */
  readonly otherwise?: "allow" | "reject" | undefined;
  /** Called with every decision before it takes effect. If it throws, the action is not allowed. */
  readonly onDecision?: ((decision: PolicyDecision) => void) | undefined;
}

/** The response to a permission request, in either version of the protocol. */
export interface PermissionAnswer {
  outcome: { outcome: "selected"; optionId: string } | { outcome: "cancelled" };
}

/** Options of {@link PermissionPolicy.answer}. */
export interface AnswerOptions {
  /**
   * Asks the user if no rule decides. Return `undefined` if there is no user to ask; then the policy's `otherwise`
   * applies. Default: there is no user to ask.
   */
  readonly ask?: (() => PermissionAnswer | undefined | Promise<PermissionAnswer | undefined>) | undefined;
  /** The tool call that the request is about, as earlier updates described it. A request may contain only its id. */
  readonly known?: AskedCall | undefined;
}

/** Allows or rejects an agent's actions. One policy serves any number of connections. */
export interface PermissionPolicy {
  /**
   * Answers a permission request of the agent, of either version. It selects an offered option, preferably one that
   * applies once, and returns `cancelled` if no option fits.
   */
  answer(
    question: AskedPermission,
    context: { readonly session?: HostSession | undefined; readonly signal: AbortSignal },
    options?: AnswerOptions,
  ): Promise<PermissionAnswer>;
  /** Decides about an action of this client before it happens. `terminals` and `fileSystem` call it. */
  decide(action: GatedAction, context: HostContext): Promise<PolicyDecision>;
}

/** An action of this client before it happens. Its `paths` may contain symbolic links. */
export type GatedAction = Pick<PolicyAction, "source" | "kinds" | "commands" | "variables" | "paths">;

/** The type of `permissionPolicy`. Editors show the comment on its call signature. */
export interface CreatePermissionPolicy {
  /**
   * Creates a policy that decides by rules what an agent may do. Pass it to `terminals` and `fileSystem`, where it
   * decides by the real command and the real path, and let it answer permission requests:
   *
   * ```ts
   * const policy = permissionPolicy({
   *   rules: [
   *     { kind: "read", within: "/project", then: "allow" },
   *     { command: ["npm", "test"], within: "/project", then: "allow" },
   *   ],
   * });
   * const handlers = {
   *   ...fileSystem({ policy }),
   *   ...terminals({ policy }),
   *   "session/request_permission": (question, context) => policy.answer(question, context),
   * };
   * ```
   *
   * A permission request contains only what the agent claims. The rules therefore still apply to its commands and
   * files, with any answer of the policy. They cannot stop an agent that does not use this client's terminals and files:
   * only a sandbox around the agent can.
   *
   * @throws {UsageError} if a rule has no condition, or a path that is not absolute.
   */
  (options: PermissionPolicyOptions): PermissionPolicy;
}

/** Creates {@link CreatePermissionPolicy} for a runtime. */
export function createPermissionPolicy(runtime: Runtime): CreatePermissionPolicy {
  requireRuntime(runtime, "createPermissionPolicy");
  return (policy) => {
    // In JavaScript they may be missing.
    const { rules, ask, otherwise, onDecision } = policy ?? {};
    if (!Array.isArray(rules)) throw new UsageError("permissionPolicy() takes { rules: […] }, which may be empty");
    for (const rule of rules) requireRule(runtime, rule);
    const isAllowedByDefault = otherwise === "allow";

    async function answer(
      question: AskedPermission,
      { session, signal }: Parameters<PermissionPolicy["answer"]>[1],
      options?: AnswerOptions,
    ): Promise<PermissionAnswer> {
      const { ask: askUser, known } = options ?? {};
      const action = await actionOfQuestion(runtime, question, session, known);
      const rule = await findRule(runtime, rules, action, session);
      const report = (by: PolicyDecision["by"], optionId: string | undefined): void => {
        const outcome = outcomeOf(question, optionId);
        onDecision?.({ action, outcome, by, rule, optionId });
      };
      if (rule === undefined || rule.then === "ask") {
        const answered = await askUntilAborted(
          async () => requireOffered(question, await askUser?.()),
          signal,
          () => report("user", undefined),
        );
        if (answered !== undefined) {
          report("user", chosenOption(answered));
          return answered;
        }
      }
      const isDecided = rule !== undefined && rule.then !== "ask";
      const isAllowed = isDecided ? rule.then === "allow" : isAllowedByDefault;
      const kinds = isAllowed ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
      const fitting = kinds.flatMap((kind) => question.options.filter((option) => option.kind === kind));
      const optionId = fitting[0]?.optionId;
      report(isDecided ? "rule" : "default", optionId);
      return { outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
    }

    async function decide(gated: GatedAction, { session, signal: request }: HostContext): Promise<PolicyDecision> {
      const resolved = await resolvePaths(runtime, gated.paths, session);
      const action: PolicyAction = { ...gated, sessionId: session.id, ...resolved };
      const rule = await findRule(runtime, rules, action, session);
      const report = (outcome: PolicyDecision["outcome"], by: PolicyDecision["by"]): PolicyDecision => {
        const decision: PolicyDecision = { action, outcome, by, rule, optionId: undefined };
        onDecision?.(decision);
        return decision;
      };
      return withSignals([request, session.signal], async (signal) => {
        if (rule !== undefined && rule.then !== "ask") {
          signal.throwIfAborted();
          return report(rule.then === "allow" ? "allowed" : "rejected", "rule");
        }
        // Without types, anything could be the answer.
        const answered: unknown = await askUntilAborted(
          () => ask?.(action, session, signal),
          signal,
          () => report("cancelled", "user"),
        );
        const isPermitted = answered == null ? isAllowedByDefault : answered === true;
        // While the user thinks, an agent could replace a folder by a link.
        const hasMoved = isPermitted && !isSame(resolved, await resolvePaths(runtime, gated.paths, session));
        const by = answered == null || hasMoved ? "default" : "user";
        return report(isPermitted && !hasMoved ? "allowed" : "rejected", by);
      });
    }

    return { answer, decide };
  };
}

/** Asks the user; `reportEnd` is called if the question ends without an answer. */
async function askUntilAborted<Answer>(
  ask: () => Answer | Promise<Answer>,
  signal: AbortSignal,
  reportEnd: () => void,
): Promise<Answer> {
  try {
    signal.throwIfAborted();
    return await unlessAborted(ask(), signal);
  } catch (error) {
    reportEnd();
    throw error;
  }
}

/** @throws {UsageError} for an option that the agent has not offered. */
function requireOffered(question: AskedPermission, answer: PermissionAnswer | undefined): PermissionAnswer | undefined {
  const optionId = answer && chosenOption(answer);
  if (optionId === undefined || findOption(question, optionId) !== undefined) return answer;
  throw new UsageError(`permissionPolicy: ask chose ${quoteValues([optionId])}, which the agent did not offer`);
}

function chosenOption({ outcome }: PermissionAnswer): string | undefined {
  return outcome.outcome === "selected" ? outcome.optionId : undefined;
}

function findOption({ options }: AskedPermission, optionId: string): AskedPermission["options"][number] | undefined {
  return options.find((option) => option.optionId === optionId);
}

function outcomeOf(question: AskedPermission, optionId: string | undefined): PolicyDecision["outcome"] {
  if (optionId === undefined) return "cancelled";
  const kind = findOption(question, optionId)?.kind;
  return kind === "allow_once" || kind === "allow_always" ? "allowed" : "rejected";
}

function isSame(before: ResolvedPaths, after: ResolvedPaths): boolean {
  return String([before.paths, before.unresolved]) === String([after.paths, after.unresolved]);
}

/** Explains why an action is not allowed; `undefined` if it is. */
export async function refusalOf(
  policy: Pick<PermissionPolicy, "decide"> | null | undefined,
  action: GatedAction,
  context: HostContext,
): Promise<string | undefined> {
  if (policy == null) return undefined;
  const { outcome, by } = await policy.decide(action, context);
  if (outcome === "allowed") return undefined;
  return by === "user" ? "The user does not allow it" : "The client's permission policy does not allow it";
}
