import { answerOpenCalls, toModelMessages } from "@acp/ai";
import type { ModelMessage, ToolModelMessage } from "ai";

import { isObject } from "../../is-object.ts";
import type { SessionRecord, ShownUpdate } from "./session-record.ts";
import type { ShownItems } from "./shown-items.ts";

type AssistantPart = Exclude<Extract<ModelMessage, { role: "assistant" }>["content"], string>[number];
type ToolPart = ToolModelMessage["content"][number];

/** A step that has no end yet. */
interface Step {
  /** What the user was shown of the model's texts that are not whole. */
  shownText: string;
  content: AssistantPart[];
  results: ToolPart[];
  said: ModelMessage[];
}

const interrupted = "The agent was interrupted before this had a result.";

/** The conversation with the model, as it follows from the records of a journal. */
export class Conversation {
  #messages: ModelMessage[] = [];
  #step: Step | undefined;
  /** What the user was shown to have said, and that is not in the conversation yet. */
  #asked: unknown[] = [];

  take(record: SessionRecord): void {
    switch (record.type) {
      case "messages":
        this.#step = undefined;
        this.#asked = [];
        this.#messages.push(...record.messages);
        return;
      case "compacted":
        this.#step = undefined;
        this.#asked = [];
        this.#messages = [...record.messages];
        return;
      case "step":
        this.#messages.push(...this.#endStep());
        this.#step = { shownText: "", content: [], results: [], said: [] };
        return;
      case "part":
        this.#step ??= { shownText: "", content: [], results: [], said: [] };
        if (record.message.role === "user") this.#asked = [];
        return addPart(this.#step, record.message);
      case "shown":
        this.#asked.push(...askedIn(record.update));
        if (this.#step !== undefined) this.#step.shownText += shownText(record.update);
        return;
      case "costs":
        // The turn has ended, and has said what is to be kept.
        this.#step = undefined;
        this.#asked = [];
        return;
      default:
        return;
    }
  }

  /**
   * The whole conversation, fit for the next request, and what of it is not in the journal: a step that a crash has ended, as far
   * as the user has seen it.
   */
  restore(shown: ShownItems): { readonly messages: ModelMessage[]; readonly added: readonly ModelMessage[] } {
    const messages = withoutOrphans(this.#messages);
    const last = messages.at(-1);
    messages.push(...this.#endStep());
    // They are blocks of a prompt: the check of the records knows.
    messages.push(...toModelMessages(this.#asked as Parameters<typeof toModelMessages>[0]));
    this.#asked = [];
    const answers = new Set<object>(answerOpenCalls(messages, interrupted));
    const restored = messages.map((message) => (answers.has(message) ? describeAnswers(message, shown) : message));
    return { messages: restored, added: restored.slice(last === undefined ? 0 : messages.lastIndexOf(last) + 1) };
  }

  #endStep(): ModelMessage[] {
    const step = this.#step;
    this.#step = undefined;
    if (step === undefined) return [];
    const { content, results, said } = step;
    const firstCall = content.findIndex(({ type }) => type === "tool-call");
    // Some formats end a text only behind the calls.
    if (step.shownText !== "")
      content.splice(firstCall < 0 ? content.length : firstCall, 0, { type: "text", text: step.shownText });
    const own = new Set(content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])));
    // Calls that the user had allowed ran before the model said more.
    const isEarlier = (part: ToolPart): boolean => part.type === "tool-result" && !own.has(part.toolCallId);
    const earlier = results.filter(isEarlier);
    const later = results.filter((part) => !isEarlier(part));
    const hasSaid = content.some(({ type }) => type !== "reasoning");
    return [
      ...(earlier.length === 0 ? [] : [{ role: "tool" as const, content: earlier }]),
      ...said,
      ...(hasSaid ? [{ role: "assistant" as const, content }] : []),
      ...(later.length === 0 || !hasSaid ? [] : [{ role: "tool" as const, content: later }]),
    ];
  }
}

/** The blocks of what the user has said. */
function askedIn({ sessionUpdate, content }: ShownUpdate): readonly unknown[] {
  if (sessionUpdate === "user_message_chunk") return [content];
  return sessionUpdate === "user_message" && Array.isArray(content) ? (content as readonly unknown[]) : [];
}

function addPart(step: Step, { role, content }: ModelMessage): void {
  if (role === "user") step.said.push({ role, content });
  if (typeof content === "string") return;
  for (const part of content) {
    if (role === "tool") step.results.push(part as ToolPart);
    if (role !== "assistant") continue;
    const said = part as AssistantPart;
    // Asked for again after a failure, with the same ids.
    if (said.type === "tool-call") forgetCall(step, said.toolCallId);
    if (said.type === "text" && step.shownText.startsWith(said.text))
      step.shownText = step.shownText.slice(said.text.length);
    step.content.push(said);
  }
}

function forgetCall(step: Step, id: string): void {
  const isOther = (part: object): boolean => !("toolCallId" in part) || part.toolCallId !== id;
  step.content = step.content.filter(isOther);
  step.results = step.results.filter(isOther);
}

function shownText({ sessionUpdate, content }: ShownUpdate): string {
  if (sessionUpdate !== "agent_message_chunk" || !isObject(content)) return "";
  return content["type"] === "text" && typeof content["text"] === "string" ? content["text"] : "";
}

/** The model gets what the user has seen of a call whose result is lost. */
function describeAnswers(message: ModelMessage, shown: ShownItems): ModelMessage {
  if (message.role !== "tool") return message;
  const content = message.content.map((part): ToolPart => {
    const result = part.type === "tool-result" ? shown.resultOf(part.toolCallId) : undefined;
    if (part.type !== "tool-result" || result === undefined || (result.output === "" && !result.isDone)) return part;
    const { isDone, output } = result;
    const value = isDone ? output || "This was done; its output is lost." : `${interrupted} Until then:\n${output}`;
    return { ...part, output: { type: isDone ? "text" : "error-text", value } };
  });
  return { ...message, content };
}

/** Leaves out what refers to something that is lost with a broken line: providers refuse it. */
function withoutOrphans(messages: readonly ModelMessage[]): ModelMessage[] {
  const known = new Set<string>();
  const kept = messages.flatMap((message): ModelMessage[] => {
    if (message.role === "assistant" && typeof message.content !== "string") {
      for (const part of message.content) {
        if (part.type === "tool-call") known.add(`call ${part.toolCallId}`);
        if (part.type === "tool-approval-request") known.add(`approval ${part.approvalId}`);
      }
    }
    if (message.role !== "tool") return [message];
    const content = message.content.filter((part) =>
      known.has(part.type === "tool-result" ? `call ${part.toolCallId}` : `approval ${part.approvalId}`),
    );
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  if (kept[0]?.role === "assistant") kept.unshift({ role: "user", content: lostBeginning });
  return kept;
}

const lostBeginning = "[The beginning of this conversation could not be read.]";
