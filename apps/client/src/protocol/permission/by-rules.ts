import {
  type AskedCall,
  type AskedPermission,
  type HostSession,
  permissionPolicy,
  type PermissionAnswer,
  type PermissionPolicy,
  type PolicyAction,
} from "#runtime";
import type { PermissionQuestion } from "@acp/render";

import type { ClientEvents } from "../client-events.ts";
import { askedOfPolicy } from "./policy-question.ts";
import { optionTaken } from "./options.ts";

/** A policy with these rules that asks the user about everything else; `undefined` if nothing is gated. */
export function policyOf({ rules, permission, gated }: ClientEvents): PermissionPolicy | undefined {
  if (gated === "nothing") return undefined;
  const ask = async (action: PolicyAction, _session: HostSession, signal: AbortSignal): Promise<boolean> => {
    const isReading = action.source === "file" && action.kinds.every((kind) => kind === "read");
    if (gated === "changes" && isReading) return true;
    const question = questionAbout(action);
    return optionTaken(question.options, await permission(question, signal))?.optionId === yes;
  };
  return permissionPolicy({ rules, ask });
}

/** Answers a permission request by the rules, or asks the user. */
export async function answerByRules(
  policy: PermissionPolicy | undefined,
  events: ClientEvents,
  asked: {
    readonly request: AskedPermission;
    readonly question: PermissionQuestion;
    readonly known?: AskedCall | undefined;
  },
  context: Parameters<PermissionPolicy["answer"]>[1],
): Promise<PermissionAnswer> {
  const { request, question, known } = asked;
  const askUser = (): Promise<PermissionAnswer> => events.permission(question, context.signal);
  if (policy === undefined) return askUser();
  let isAsked = false;
  const ask = (): Promise<PermissionAnswer> => {
    isAsked = true;
    return askUser();
  };
  const answer = await policy.answer(request, context, { ask, known });
  if (!isAsked) events.answeredByRule(question, answer);
  return answer;
}

const yes = "yes";

/** The question to the user about a command or a file that no rule decides. */
function questionAbout(action: PolicyAction): PermissionQuestion {
  return {
    sessionId: action.sessionId,
    // Such a session has no files and terminals.
    isOfAgent: false,
    isOwn: true,
    toolCallId: undefined,
    options: [
      { optionId: yes, name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ],
    asked: askedOfPolicy(action),
  };
}
