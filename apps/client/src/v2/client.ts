import { elicitation } from "@acp/core/elicitation";
import { type ClientDefinition, createClient } from "@acp/core/v2";
import type { Received } from "@acp/schema/v2";

import type { ClientEvents } from "../client-events.ts";
import { info } from "../info.ts";
import type { PermissionQuestion } from "../permission/question.ts";
import { toLogins } from "./login.ts";
import { sessionOf } from "./session.ts";

/** A client of version 2: agents have files and terminals of their own, and tell of them. */
export function createClientOfVersion2(events: ClientEvents): ClientDefinition {
  const { questions } = events;
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
        const told = session.toldBy(update);
        return told && events.told(told, session);
      },
      "session/request_permission": (request, { signal }) => events.permission(toQuestion(request), signal),
    },
  });
}

function toQuestion(request: Received.RequestPermissionRequest): PermissionQuestion {
  const { sessionId, title, description, subject, options } = request;
  const details = description == null ? [] : [description];
  if (subject?.type === "command") details.push(`$ ${subject.command}`);
  const toolCall = subject?.type === "tool_call" ? subject.toolCall : undefined;
  const call = toolCall && { toolCallId: toolCall.toolCallId, title };
  return { sessionId, title, details, call, options };
}
