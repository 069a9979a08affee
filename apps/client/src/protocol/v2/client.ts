import { elicitation } from "@acp/core/elicitation";
import { type ClientDefinition, createClient } from "@acp/core/v2";

import type { ClientEvents } from "../client-events.ts";
import { info } from "../../cli/version.ts";
import { answerByRules, policyOf } from "../permission/by-rules.ts";
import { toLogins } from "./agent.ts";
import { findCall, sessionOf, toQuestion } from "./session.ts";

/** A client of version 2, in which agents use their own files and terminals, and report terminals. */
export function createClientOfVersion2(events: ClientEvents): ClientDefinition {
  const { questions } = events;
  const policy = policyOf(events);
  return createClient({
    info,
    capabilities: {
      ...(events.hasTerminal ? { auth: { terminal: {} } } : {}),
      ...(questions === undefined ? {} : { elicitation: { form: {}, url: {} } }),
    },
    authenticate: ({ methods, signal }) => events.login(toLogins(methods), signal),
    handlers: {
      ...(questions === undefined ? {} : elicitation(questions)),
      "session/update": ({ update }, { session: toolkitSession }) => {
        const session = sessionOf(toolkitSession);
        const report = session.toReport(update);
        return report && events.show(report, session);
      },
      "session/request_permission": (request, context) => {
        const question = toQuestion(request, context.session);
        const known = findCall(question.toolCallId, context.session);
        return answerByRules(policy, events, { request, question, known }, context);
      },
    },
  });
}
