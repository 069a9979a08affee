import type { ElicitationAnswer, FilledForm } from "@acp/core/elicitation";
import { answerOf, type PermissionOption, type PermissionQuestion, type Report, TerminalTail } from "@acp/render";
import type { RequestPermissionResponse } from "@acp/schema/v1";

import type { Login, Session } from "../../protocol/agent.ts";
import type { ClientEvents } from "../../protocol/client-events.ts";
import { answerWith, optionTaken, chooseOption } from "../../protocol/permission/options.ts";
import { summaryOf } from "../../protocol/permission/summary.ts";
import type { PermissionSettings } from "../../protocol/permission/settings.ts";
import { answerWord, type NewQuestion } from "./question-list.ts";
import type { LocalItem } from "./scene.ts";
import type { WaitTimes } from "./wait-times.ts";

/** What the agent's requests need from the program. */
export interface EventsContext {
  readonly permissions: PermissionSettings;
  /** The terminals of this program, by id. */
  readonly terminals: Map<string, TerminalTail>;
  readonly waits: WaitTimes;
  /** Whether there is a user who can answer, and one who has a terminal. */
  readonly isAttended: boolean;
  readonly hasTerminal: boolean;
  agentName(): string;
  show(report: Report, session: Session): Promise<void> | undefined;
  /** Asks the user; rejects once `signal` aborts. */
  ask<Answer>(question: NewQuestion, sessionId: string | undefined, signal: AbortSignal): Promise<Answer>;
  add(item: LocalItem, sessionId: string | undefined): void;
  /** Something was not permitted, since there is nobody to ask. */
  refused(summary: string): void;
  /** The user has chosen a login that takes the terminal. */
  terminalLogin(login: Login): void;
  changed(): void;
}

/** What the user interface does when the agent tells or asks something. */
export function createEvents(context: EventsContext): ClientEvents {
  const { permissions, terminals, isAttended } = context;
  return {
    show: (report, session) => context.show(report, session),
    terminal: (id, view) =>
      terminals.set(
        id,
        TerminalTail.of(view, () => context.changed()),
      ),
    permission: (question, signal) => answerPermission(question, context, signal),
    rules: permissions.rules,
    gated: permissions.gated,
    answeredByRule: (question, answer) =>
      tellAnswer(question, optionTaken(question.options, answer), permissions.by, context),
    login: async (logins, signal) => {
      if (!isAttended) return undefined;
      const id = await context.ask<string | undefined>({ kind: "login", logins }, undefined, signal);
      const login = logins.find((one) => one.id === id);
      if (login?.takesTerminal !== true) return login?.id;
      context.terminalLogin(login);
      return undefined;
    },
    questions: isAttended
      ? {
          form: async (question, { session, signal }) => {
            const asked: NewQuestion = { kind: "form", agent: context.agentName(), question };
            const answer = await context.ask<ElicitationAnswer<FilledForm>>(asked, session?.id, signal);
            context.add(
              { kind: "answer", question: question.message, answer: answerWord("form", answer.action) },
              session?.id,
            );
            return answer;
          },
          url: async (question, { session, signal }) => {
            const asked: NewQuestion = { kind: "url", agent: context.agentName(), question };
            const action = await context.ask<"accept" | "decline" | "cancel">(asked, session?.id, signal);
            context.add({ kind: "answer", question: question.message, answer: answerWord("url", action) }, session?.id);
            const done: LocalItem = { kind: "note", level: "info", text: "The agent says that this is done" };
            if (action === "accept")
              question.completed.addEventListener("abort", () => context.add(done, session?.id), { once: true });
            return { action };
          },
        }
      : undefined,
    hasTerminal: context.hasTerminal,
  };
}

async function answerPermission(
  question: PermissionQuestion,
  context: EventsContext,
  signal: AbortSignal,
): Promise<RequestPermissionResponse> {
  const { permission: policy, by } = context.permissions;
  const { options } = question;
  const { isAttended } = context;
  const isAsked = policy === "ask" && options.length > 0 && isAttended;
  const id = isAsked ? await askUser(question, context, signal) : undefined;
  // Without an answer, the agent may not do it.
  const option = options.find(({ optionId }) => optionId === id) ?? chooseOption(policy, options);
  if (policy === "ask" && !isAttended) context.refused(summaryOf(question.asked));
  const decided = policy === "ask" ? "nobody to ask; --allow allows it" : by;
  tellAnswer(question, option, isAsked ? undefined : decided, context);
  return answerWith(option);
}

async function askUser(
  question: PermissionQuestion,
  context: EventsContext,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { sessionId, toolCallId } = question;
  const ended = toolCallId === undefined ? undefined : context.waits.begin(sessionId, toolCallId);
  try {
    return await context.ask<string | undefined>({ kind: "permission", question }, sessionId, signal);
  } finally {
    ended?.();
  }
}

function tellAnswer(
  question: PermissionQuestion,
  option: PermissionOption | undefined,
  decided: string | undefined,
  context: EventsContext,
): void {
  const answer = option === undefined ? "no answer" : answerOf(option);
  const by = decided === undefined || option !== undefined ? decided : "no option fits";
  const { asked, sessionId, toolCallId } = question;
  context.add({ kind: "answer", question: summaryOf(asked), answer, by, toolCallId, permission: question }, sessionId);
}
