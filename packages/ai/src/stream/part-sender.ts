import type { LanguageModelUsage, TextStreamPart, ToolApprovalResponse, ToolSet } from "ai";
import { describeCall } from "../display/describe-call.ts";
import { shownFile } from "../display/shown-file.ts";
import { shownOutput } from "../display/shown-output.ts";
import { displayOf, type ToolDisplay } from "../display/tool-display.ts";
import { errorMessage } from "../errors/error-message.ts";
import { type AnyTurn, type ShownTurn, toShown } from "../turn/any-turn.ts";
import { ApprovalQuestions } from "./approval-questions.ts";
import { callsOf, type ModelCall, type ReportedCalls } from "./reported-calls.ts";
import type { SendOptions } from "./send-options.ts";
import { Sources } from "./sources.ts";

type Part<Type extends TextStreamPart<ToolSet>["type"]> = Extract<TextStreamPart<ToolSet>, { type: Type }>;

/** Sends the parts of one stream to the client, each as soon as the client takes it. */
export class PartSender {
  readonly #turn: ShownTurn;
  readonly #options: SendOptions;
  readonly #calls: ReportedCalls;
  readonly #questions: ApprovalQuestions;
  readonly #sources = new Sources();
  #beginsMessage = true;
  #beginsThought = true;
  #files = 0;

  constructor(turn: AnyTurn, options: SendOptions) {
    this.#turn = toShown(turn);
    this.#options = options;
    this.#calls = callsOf(turn);
    this.#questions = new ApprovalQuestions(turn, options.permission);
  }

  async send(part: TextStreamPart<ToolSet>): Promise<void> {
    switch (part.type) {
      case "start-step":
        this.#beginsMessage = true;
        return;
      case "text-delta":
        return this.#sendText(part.text);
      case "reasoning-start":
        this.#beginsThought = true;
        return;
      case "reasoning-delta":
        return this.#sendThought(part.text);
      case "source":
        return this.#sources.add(part);
      case "file":
        return this.#turn.message(shownFile(part.file, ++this.#files));
      case "tool-input-start":
        if (this.#isHidden(part.toolName)) return undefined;
        return void (await this.#report(part.id, part.toolName, part.title, undefined));
      case "tool-input-delta":
        return this.#sendInput(part);
      case "tool-call":
        return this.#isHidden(part.toolName) ? undefined : this.#sendCall(part);
      case "tool-approval-request":
        return this.#ask(part);
      case "tool-result":
        return this.#sendResult(part);
      case "tool-error":
        return this.#calls.get(part.toolCallId)?.fail(errorMessage(part.error));
      case "tool-output-denied":
        return this.#calls.get(part.toolCallId)?.fail("This was not allowed.");
      case "finish-step":
        await this.sendSources();
        return this.#sendUsage(part.usage);
      default:
        return undefined;
    }
  }

  /** Sends the sources that are left. */
  async sendSources(): Promise<void> {
    for (const block of this.#sources.take()) await this.#turn.message(block);
  }

  /** The answers of the user, once all are there. */
  approvals(): Promise<ToolApprovalResponse[]> {
    return this.#questions.answers();
  }

  /** Ends the calls from which nothing will come any more. */
  async endCalls(why: string, { withHeld = false }: { readonly withHeld?: boolean } = {}): Promise<void> {
    for (const call of this.#calls.open) if (withHeld || !call.isHeld) await call.cancel(why);
  }

  async #sendText(text: string): Promise<void> {
    if (text === "") return;
    const newMessage = this.#beginsMessage;
    this.#beginsMessage = false;
    await this.#turn.message(text, { newMessage });
  }

  async #sendThought(text: string): Promise<void> {
    if (text === "") return;
    const newMessage = this.#beginsThought;
    this.#beginsThought = false;
    await this.#turn.thought(text, { newMessage });
  }

  #report(id: string, toolName: string, title: string | undefined, input: unknown): Promise<ModelCall> {
    return this.#calls.report(id, toolName, this.#displayOf(toolName, title), input);
  }

  #isHidden(toolName: string): boolean {
    return displayOf(this.#options.show, toolName).isHidden === true;
  }

  #displayOf(toolName: string, title: string | undefined): ToolDisplay {
    const display = displayOf(this.#options.show, toolName);
    return display.title === undefined && title !== undefined ? { ...display, title } : display;
  }

  async #sendInput({ id, delta }: Part<"tool-input-delta">): Promise<void> {
    const call = this.#calls.get(id);
    if (call === undefined || call.isOver) return;
    const input = await call.streamed.add(delta);
    if (input !== undefined) await call.shown.update(describeCall(call.display, call.toolName, input));
  }

  async #sendCall(part: Part<"tool-call">): Promise<void> {
    const { toolCallId, toolName, title } = part;
    const input: unknown = part.input;
    const known = this.#calls.get(toolCallId);
    const call = known === undefined || known.isOver ? await this.#report(toolCallId, toolName, title, input) : known;
    call.input = input;
    if (part.dynamic === true && part.invalid === true) return call.fail(describeInvalid(part));
    await call.shown.update({ ...describeCall(call.display, toolName, input), status: "in_progress" });
  }

  async #ask(part: Part<"tool-approval-request">): Promise<void> {
    if (part.isAutomatic === true) return;
    const { toolCallId, toolName } = part.toolCall;
    // Nobody can allow what is not shown.
    if (this.#isHidden(toolName)) await this.#sendCall(part.toolCall);
    const call = this.#calls.get(toolCallId);
    if (call === undefined) return;
    call.isHeld = true;
    await call.shown.update({ status: "pending" });
    this.#questions.ask(part, call);
  }

  async #sendResult(part: Part<"tool-result">): Promise<void> {
    const call = this.#calls.get(part.toolCallId);
    if (call === undefined || call.isOver) return;
    const { content, rawOutput } = shownOutput(call.display, part.output, call.input);
    if (part.preliminary === true) {
      return call.shown.update(content === undefined ? {} : { content });
    }
    if (rawOutput !== undefined) await call.shown.update({ rawOutput });
    await (call.display.isFailure?.(part.output, call.input) === true ? call.fail(content) : call.complete(content));
  }

  async #sendUsage(usage: LanguageModelUsage): Promise<void> {
    const { contextSize: size, cost: costOf } = this.#options;
    const cost = costOf?.(usage);
    const { inputTokens, outputTokens } = usage;
    if (size === undefined || (inputTokens === undefined && outputTokens === undefined)) return;
    const used = (inputTokens ?? 0) + (outputTokens ?? 0);
    await this.#turn.offer({ sessionUpdate: "usage_update", used, size, ...(cost === undefined ? {} : { cost }) });
  }
}

/** What is wrong with a call that no tool can run. The model gets the details. */
function describeInvalid({ toolName, error }: { readonly toolName: string; readonly error?: unknown }): string {
  const isUnknown = error instanceof Error && error.name === "AI_NoSuchToolError";
  return isUnknown ? `There is no tool ${toolName}.` : `The model's arguments do not fit the tool ${toolName}.`;
}
