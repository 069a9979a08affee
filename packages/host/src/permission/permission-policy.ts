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

/** Options of {@link CreatePermissionPolicy}. */
export interface PermissionPolicyOptions {
  /** The first rule that matches decides. */
  readonly rules: readonly PermissionRule[];
  /**
   * Asks the user about a command or a file that no rule decides: `true` allows it. `undefined` means that nobody is there, so
   * that `otherwise` counts. Default: nobody is there.
   *
   * `signal` aborts when the agent cancels its request, or the session ends.
   */
  readonly ask?:
    | ((
        action: PolicyAction,
        session: HostSession,
        signal: AbortSignal,
      ) => boolean | undefined | Promise<boolean | undefined>)
    | undefined;
  /** What happens where no rule decides and nobody is there. Default: `reject`. */
  readonly otherwise?: "allow" | "reject" | undefined;
  /** Called with every decision, before it takes effect. If it throws, nothing is allowed. */
  readonly onDecision?: ((decision: PolicyDecision) => void) | undefined;
}

/** The answer to a question for permission, in either version of the protocol. */
export interface PermissionAnswer {
  outcome: { outcome: "selected"; optionId: string } | { outcome: "cancelled" };
}

/** Options of {@link PermissionPolicy.answer}. */
export interface AnswerOptions {
  /**
   * Asks the user this question if no rule decides it. `undefined` means that nobody is there, so that the policy's
   * `otherwise` counts. Default: nobody is there.
   */
  readonly ask?: (() => PermissionAnswer | undefined | Promise<PermissionAnswer | undefined>) | undefined;
  /** The tool call that the question is about, as updates have described it: a question may name its id alone. */
  readonly known?: AskedCall | undefined;
}

/** Decides what an agent may do. One policy serves any number of connections. */
export interface PermissionPolicy {
  /**
   * Answers a question of the agent, of either version: with an option that was offered, one that counts once if there is one,
   * else with `cancelled`.
   */
  answer(
    question: AskedPermission,
    context: { readonly session?: HostSession | undefined; readonly signal: AbortSignal },
    options?: AnswerOptions,
  ): Promise<PermissionAnswer>;
  /** Decides about an action of this client, before it happens. `terminals` and `fileSystem` call it. */
  decide(action: GatedAction, context: HostContext): Promise<PolicyDecision>;
}

/** An action of this client, before it happens: `paths` may contain links. */
export type GatedAction = Pick<PolicyAction, "source" | "kinds" | "commands" | "variables" | "paths">;

/** The type of `permissionPolicy`. Editors look for the comment on its call. */
export interface CreatePermissionPolicy {
  /**
   * Creates a policy that decides by rules what an agent may do. Pass it to `terminals` and `fileSystem`, where it decides by
   * the real command and by where a path really leads, and let it answer questions for permission:
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
   * A question carries what an agent says, so a permission lets nothing past the rules for commands and files. An agent that
   * acts by itself, without this client's terminals and files, can lie: only its own sandbox holds it back.
   *
   * @throws {UsageError} for a rule without a condition, or with a path that is not absolute.
   */
  (options: PermissionPolicyOptions): PermissionPolicy;
}

/** Creates {@link CreatePermissionPolicy} for a runtime. */
export function createPermissionPolicy(runtime: Runtime): CreatePermissionPolicy {
  return ({ rules, ask, otherwise, onDecision }) => {
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
  throw new UsageError(`permissionPolicy: ask chose ${JSON.stringify(optionId)}, which the agent did not offer`);
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

/** Says why an action may not happen; `undefined` if it may. */
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
