import type { PermissionQuestion, QuestionFact, Report } from "@acp/render";
import { redactVariable } from "@acp/record";
import type { RequestPermissionResponse } from "@acp/schema/v1";

import type { Session } from "../../protocol/agent.ts";
import type { ClientEvents } from "../../protocol/client-events.ts";
import { answerWith, chooseOption, optionTaken } from "../../protocol/permission/options.ts";
import type { PermissionSettings } from "../../protocol/permission/settings.ts";
import { summaryOf } from "../../protocol/permission/summary.ts";
import type { TerminalView } from "../../protocol/terminal-view.ts";
import { Answer } from "./answer.ts";
import { toContent } from "../../sessions/events/call-state.ts";
import type { EndEvent, ExecEvent, PermissionEvent } from "../../sessions/events/exec-event.ts";
import { type Emit, SessionFeed } from "../../sessions/events/session-feed.ts";

/** Makes the events of a run of what the agent does, and answers what it asks. */
export class EventFeed {
  readonly client: ClientEvents;
  /** What was refused because nobody was there to ask. */
  readonly refused: string[] = [];
  readonly #emit: Emit;
  readonly #permissions: PermissionSettings;
  readonly #answer = new Answer();
  readonly #subagents = new Map<string, SessionFeed>();
  /** Terminals that were opened before the session was. */
  readonly #earlyTerminals: [string, TerminalView][] = [];
  #session: Session | undefined;
  #feed: SessionFeed | undefined;
  #isPrompted = false;
  /** How many there were since the prompt. */
  #toolCalls = 0;

  constructor(permissions: PermissionSettings, emit: Emit) {
    this.#permissions = permissions;
    this.#emit = (event, about) => {
      this.#collect(event);
      return emit(event, about);
    };
    this.client = {
      show: (report, session) => this.#show(report, session),
      terminal: (id, view) => {
        if (this.#feed === undefined) this.#earlyTerminals.push([id, view]);
        else this.#feed.follow(id, view);
      },
      permission: async (question) => this.#decide(question),
      rules: permissions.rules,
      gated: permissions.gated,
      answeredByRule: (question, answer) => void this.#tell(question, answer, "rule"),
      login: async () => undefined,
      questions: undefined,
      hasTerminal: false,
    };
  }

  /** The session is open; what it showed before that was its history. */
  open(session: Session): void {
    this.#session = session;
    this.#feed = new SessionFeed(session, this.#emit);
    for (const [id, view] of this.#earlyTerminals.splice(0)) this.#feed.follow(id, view);
  }

  /** A prompt is sent: what the agent says from now on is its answer. */
  prompted(text: string, attachments: readonly string[]): void {
    this.#isPrompted = true;
    void this.#emit({ type: "prompt", text, attachments });
  }

  ended(): void {
    this.#feed?.end();
    for (const feed of this.#subagents.values()) feed.end();
  }

  /** What the last event says of the turn. */
  result(): Pick<EndEvent, "text" | "lastMessage" | "usage" | "toolCalls"> {
    const { text, last: lastMessage } = this.#answer;
    const { used, size, cost } = this.#session?.shown.usage ?? {};
    const isKnown = used !== undefined && size !== undefined;
    const usage = isKnown ? { used, size, ...(cost == null ? {} : { cost }) } : null;
    return { text, lastMessage, usage, toolCalls: this.#toolCalls };
  }

  #collect(event: ExecEvent): void {
    if (!this.#isPrompted || event.subagent !== undefined) return;
    if (event.type === "message" && event.speaker === "agent")
      this.#answer.add(event.text, event.messageId, event.replaces === true);
    else if (event.type === "tool_call" || event.type === "message") this.#answer.interrupt(event.type === "tool_call");
    if (event.type === "tool_call") this.#toolCalls += 1;
  }

  #show(report: Report, session: Session): Promise<void> | undefined {
    if (session === this.#session) return this.#feed?.show(report);
    return session.isOfAgent && this.#session !== undefined ? this.#subagent(session).show(report) : undefined;
  }

  #subagent(session: Session): SessionFeed {
    const emit: Emit = (event, about) => this.#emit({ ...event, subagent: session.id }, about);
    const feed = this.#subagents.get(session.id) ?? new SessionFeed(session, emit);
    this.#subagents.set(session.id, feed);
    return feed;
  }

  async #decide(question: PermissionQuestion): Promise<RequestPermissionResponse> {
    const { permission: policy } = this.#permissions;
    const answer = answerWith(chooseOption(policy, question.options));
    if (policy === "ask") this.refused.push(summaryOf(question.asked));
    await this.#tell(question, answer, policy === "ask" ? "nobody" : "policy");
    return answer;
  }

  #tell(
    question: PermissionQuestion,
    response: RequestPermissionResponse,
    reason: PermissionEvent["reason"],
  ): Promise<void> | undefined {
    const { sessionId, isOfAgent, isOwn = false, toolCallId, asked, options } = question;
    const choices = options.map(({ optionId, name, kind }) => ({ optionId, name, kind }));
    const answer = optionTaken(choices, response) ?? null;
    const { title, description, kind, commands, directories, paths, details, facts } = asked;
    const event: PermissionEvent = {
      type: "permission",
      from: isOwn ? "acp" : "agent",
      toolCallId,
      title,
      description,
      kind,
      commands,
      directories,
      paths,
      details: details.map(({ name, value }) => ({ name, value })),
      facts: facts.map(toFact),
      options: choices,
      answer,
      isAllowed: answer?.kind.startsWith("allow") === true,
      reason,
      by: reason === "nobody" ? undefined : this.#permissions.by,
    };
    return this.#emit(isOfAgent ? { ...event, subagent: sessionId } : event, { question });
  }
}

function toFact(fact: QuestionFact): PermissionEvent["facts"][number] {
  if (fact.about === "content") return { ...fact, content: toContent(fact.content) };
  return fact.about === "variable" ? { ...fact, value: redactVariable(fact.name ?? "", fact.value) } : fact;
}
